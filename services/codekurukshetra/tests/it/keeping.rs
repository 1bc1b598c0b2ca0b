//! What time does: reminders before the event, and personal data that is kept no longer.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use monotable_codekurukshetra::table::CodeKurukshetraReads as _;
use monotable_kit::outbox::{Letter, MailError, Mailer, Mailing};
use serde_json::json;

use crate::world::{Event, done};

const HOUR_MS: u64 = 60 * 60 * 1_000;

/// Hours from the start of the tests, 2027-01-15T08:00Z, to that of the event, 2027-02-20T10:00Z.
const UNTIL_EVENT: u64 = 36 * 24 + 2;

/// Returns how many e-mails wait whose subject ends so.
async fn reminders(event: &Event, end: &str) -> usize {
    event.letters().await.iter().filter(|(_, subject)| subject.ends_with(end)).count()
}

#[tokio::test]
async fn everybody_who_takes_part_is_reminded_three_times() {
    let event = Event::new().await;
    for number in 0..12 {
        let (leader, other) = (format!("ann{number}"), format!("al{number}"));
        event.paid(&leader, &[&other]).await;
    }
    event.order("zoe", &["zed"]).await;
    let team = event.app.db.every_team().first().await.unwrap().unwrap();
    done(
        event.delete("admin", &format!("/hackathon/participant/{}", team.member_ids[1])).await,
        204,
    );
    event.work_after(UNTIL_EVENT - 49).await;
    assert_eq!(reminders(&event, "hours").await, 0);
    // Each round of the loop takes two minutes more.
    for (hours, after) in [(48, 1), (24, 24), (2, 22)] {
        event.work_after(after).await;
        let end = format!("begins in {hours} hours");
        assert_eq!(
            reminders(&event, &end).await,
            23,
            "{end}: not the erased one, and nobody of a team that has expired"
        );
        // Neither another round nor another process reminds again.
        event.clock.advance_ms(2 * 60 * 1_000);
        event.app.work().await.unwrap();
        event.another_process().await.app.work().await.unwrap();
        assert_eq!(reminders(&event, &end).await, 23, "{end}");
    }
    event.work_after(3).await;
    assert_eq!(reminders(&event, "hours").await, 3 * 23);
}

#[tokio::test]
async fn an_event_that_moves_is_reminded_of_again() {
    let event = Event::new().await;
    event.paid("ann", &["al"]).await;
    event.work_after(UNTIL_EVENT - 30).await;
    assert_eq!(reminders(&event, "begins in 48 hours").await, 2);
    let config = event.app.db.config().await.unwrap().unwrap();
    let later = config.event_start + std::time::Duration::from_secs(24 * 60 * 60);
    event.app.db.edit(config, |config| config.event_start = later).await.unwrap();
    event.work_after(7).await;
    assert_eq!(reminders(&event, "begins in 48 hours").await, 4);
}

#[tokio::test]
async fn where_a_payment_was_made_is_kept_for_half_a_year() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["al"]).await;
    let payment = event.payment(&team_id).await;
    let client = event.app.field_keys.encrypt(
        monotable_codekurukshetra::table::Payment::ip_address(&format!(
            "PAYMENT#{}",
            payment.payment_id
        )),
        "192.0.2.1",
    );
    let edited = event.app.db.edit(payment, |payment| {
        payment.metadata.ip_address = Some(client);
        payment.metadata.user_agent = Some("Mozilla/5.0".to_owned());
    });
    edited.await.unwrap();
    event.clock.advance_ms(179 * 24 * HOUR_MS);
    event.app.sweep().await.unwrap();
    assert!(event.payment(&team_id).await.metadata.ip_address.is_some());
    event.clock.advance_ms(24 * HOUR_MS);
    event.app.sweep().await.unwrap();
    let metadata = event.payment(&team_id).await.metadata;
    assert!(metadata.ip_address.is_none() && metadata.user_agent.is_none());
    assert!(metadata.payment_timestamp.is_some(), "what is needed for the books stays");
}

#[tokio::test]
async fn participants_are_forgotten_some_time_after_the_event() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["al"]).await;
    let team = event.team(&team_id).await;
    let row = |event: &Event, position: usize| {
        event.row(&format!("PARTICIPANT#{}", team.member_ids[position]), "PROFILE")
    };
    // 2027-02-22 and 180 days.
    event.clock.advance_ms((38 + 179) * 24 * HOUR_MS);
    event.app.sweep().await.unwrap();
    assert_eq!(row(&event, 1).unwrap()["first_name"], "al".into());
    event.clock.advance_ms(2 * 24 * HOUR_MS);
    event.app.sweep().await.unwrap();
    for position in [0, 1] {
        let row = format!("{:?}", row(&event, position).unwrap());
        for secret in ["example.org", "Iyer", "aes256gcm", "Example University"] {
            assert!(!row.contains(secret), "{secret}: {row}");
        }
    }
    assert!(!event.has("EMAIL#al@example.org", "UNIQUE") && !event.has("UID#ann", "UNIQUE"));
    let before = event.stored();
    event.app.sweep().await.unwrap();
    assert_eq!(event.stored(), before, "once");
    // A day later the storage may remove the rows, and nothing disagrees.
    event.clock.advance_ms(25 * HOUR_MS);
    event.database.sweep_expired().unwrap();
    assert!(row(&event, 0).is_none());
    let report = done(event.post("admin", "/hackathon/admin/check", json!({})).await, 200);
    assert_eq!(report["findings"], json!([]));
    assert_eq!(event.totals().await.participants, 2);
}

/// The books of eight years are kept, and those before are not.
#[tokio::test]
async fn payments_end_after_eight_years() {
    let event = Event::new().await;
    let (team_id, paid) = event.paid("ann", &["al"]).await;
    let reason = json!({ "reason": "They have withdrawn." });
    done(event.post("admin", &format!("/hackathon/admin/refund/{team_id}"), reason).await, 200);
    event.finish_work("after the refund").await;
    let payment = format!("PAYMENT#{}", event.payment(&team_id).await.payment_id);
    let order = format!("ORDER#{}", paid.order_id);
    let rows = [(&*payment, "TRANSACTION"), (&*payment, "REFUND"), (&*order, "LOOKUP")];
    let figures = event.totals().await;
    // Two of the years are leap years.
    for (days, is_kept) in [(8 * 365 + 1, true), (2, false)] {
        event.clock.advance_ms(days * 24 * HOUR_MS);
        event.app.sweep().await.unwrap();
        event.database.sweep_expired().unwrap();
        for (partition, sort) in rows {
            assert_eq!(event.has(partition, sort), is_kept, "{partition} {sort} after {days} days");
        }
        let report = done(event.post("admin", "/hackathon/admin/check", json!({})).await, 200);
        assert_eq!(report["findings"], json!([]));
    }
    assert_eq!(event.totals().await, figures, "figures are not personal data");
}

/// The storage may remove participants half a year after the event, even if the service does not run then.
#[tokio::test]
async fn participants_expire_from_the_start() {
    let event = Event::new().await;
    let (team_id, order) = event.order("ann", &["al"]).await;
    let team = event.team(&team_id).await;
    let expiries = async || {
        let mut expiries = Vec::new();
        for member in &team.member_ids {
            expiries.push(event.app.db.participant(member).await.unwrap().unwrap().ttl.unwrap());
        }
        expiries
    };
    let config = event.app.db.config().await.unwrap().unwrap();
    let day = std::time::Duration::from_secs(24 * 60 * 60);
    let kept = (config.event_end + day * 180).epoch_seconds();
    assert_eq!(expiries().await, [kept, kept]);
    event.work_after(25).await;
    let week = (event.now() + day * 7).epoch_seconds();
    assert_eq!(expiries().await, [week, week]);
    event.gateway.attempt(&order, monotable_kit::payment_gateway::Attempt::Succeeds).unwrap();
    event.deliver().await;
    assert_eq!(expiries().await, [kept, kept], "the late money has confirmed the team");
    let later = config.event_end + day;
    event.app.db.edit(config, |config| config.event_end = later).await.unwrap();
    event.app.sweep().await.unwrap();
    let moved = (later + day * 180).epoch_seconds();
    assert_eq!(expiries().await, [moved, moved], "as the event has moved");
    // The storage was faster than the service.
    event.clock.advance_ms((38 + 181) * 24 * HOUR_MS);
    event.database.sweep_expired().unwrap();
    assert!(event.has("EMAIL#al@example.org", "UNIQUE"));
    event.app.sweep().await.unwrap();
    assert!(!event.has("EMAIL#al@example.org", "UNIQUE") && !event.has("UID#ann", "UNIQUE"));
}

/// Remembers what it delivered.
#[derive(Default)]
struct Letters(Mutex<Vec<Letter>>);

impl Mailer for Letters {
    fn deliver<'a>(&'a self, letter: &'a Letter) -> Mailing<'a> {
        self.0.lock().unwrap().push(letter.clone());
        Box::pin(std::future::ready(Ok(())))
    }
}

#[tokio::test]
async fn e_mails_lead_to_pages_that_there_are() {
    let event = Event::new().await;
    event.paid("ann", &["al"]).await;
    event.work_after(UNTIL_EVENT - 30).await;
    let letters = Arc::new(Letters::default());
    let mailing = event.process_with_mailer(Arc::clone(&letters) as Arc<dyn Mailer>).await;
    mailing.app.work().await.unwrap();
    let letters = letters.0.lock().unwrap().clone();
    let words = letters.iter().flat_map(|letter| letter.text.split_whitespace());
    let links: BTreeSet<&str> =
        words.filter_map(|word| word.split_once("/codekurukshetra")).map(|it| it.1).collect();
    assert_eq!(links, BTreeSet::from(["/pay", "/team"]));
    for link in links {
        assert_eq!(event.get("ann", link).await.status, 200, "{link}");
    }
}

/// Delivers nothing, because nobody has these addresses.
struct Nobody;

impl Mailer for Nobody {
    fn deliver<'a>(&'a self, _: &'a Letter) -> Mailing<'a> {
        Box::pin(std::future::ready(Err(MailError::Never("there is no such recipient"))))
    }
}

#[tokio::test]
async fn addresses_of_e_mails_that_were_never_delivered_are_forgotten_after_the_event() {
    let event = Event::new().await;
    event.paid("ann", &["al"]).await;
    event.process_with_mailer(Arc::new(Nobody)).await.app.work().await.unwrap();
    let lane = "mail".parse().unwrap();
    let dead = async || event.app.db.dead_letters(&lane).all().await.unwrap().len();
    assert!(dead().await >= 2);
    event.clock.advance_ms((38 + 179) * 24 * HOUR_MS);
    event.app.sweep().await.unwrap();
    assert!(dead().await >= 2);
    event.clock.advance_ms(2 * 24 * HOUR_MS);
    event.app.sweep().await.unwrap();
    assert_eq!(dead().await, 0);
}
