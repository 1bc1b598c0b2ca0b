//! CodeKurukshetra: teams that two kinds of rows put into indexes, payments, guards and figures.

use std::collections::BTreeMap;
use std::slice;

use monotable::item;
use monotable::model::Entity as _;

use super::{NOW, NOW_SECONDS, Random, World, all, id};
use crate::codekurukshetra as printed;
use crate::designs::codekurukshetra::*;
use crate::support::literal;
use monotable::prelude::*;

type Hackathon = World<CodeKurukshetra>;

/// The attributes that most rows have.
const COMMON: &str = r#""created_at": "NOW", "updated_at": "NOW", "ver": 1"#;

fn row(printed: &str) -> String {
    printed.replace("COMMON", COMMON)
}

async fn written_participant(world: &Hackathon) -> Participant {
    let participant = r#"{
        "PK": "PARTICIPANT#p1", "SK": "PROFILE", "GSI1PK": "EMAIL#john.doe@example.com",
        "GSI1SK": "PARTICIPANT#p1", "GSI2PK": "TEAM#t1", "GSI2SK": "PARTICIPANT#p1",
        "GSI3PK": "COLLEGE#example-university", "GSI3SK": "PARTICIPANT#p1",
        "entity_type": "participant", "participant_id": "p1", "first_name": "John",
        "last_name": "Doe", "email": "John.Doe@example.com", "phone": "+91-9876543210",
        "college": "Example University", "year": "3rd Year", "github_username": "johndoe",
        "linkedin": "https://linkedin.com/in/johndoe", "student_status": true,
        "registration_type": "team_member", "team_id": "t1", "payment_status": "pending",
        "is_leader": true, "firebase_uid": "f1", "ttl": 1799999999, COMMON }"#;
    world.written(&row(participant), |db| db.participant(&id("p1"))).await
}

async fn written_team(world: &Hackathon) -> Team {
    let team = r#"{
        "PK": "TEAM#t1", "SK": "PROFILE", "GSI1PK": "PAYMENT_STATUS#pending", "GSI1SK": "TEAM#t1",
        "GSI2PK": "TRACK#ai-ml", "GSI2SK": "TEAM#t1", "GSI3PK": "LEADER#p1", "GSI3SK": "TEAM#t1",
        "entity_type": "team", "team_id": "t1", "name": "Code Warriors", "track": "ai-ml",
        "leader_participant_id": "p1", "payment_status": "pending", "payment_order_id": "o1",
        "payment_id": "pay_1", "amount": 99900, "currency": "INR", "member_count": 4,
        "max_members": 4, "registration_complete": false, "member_ids": ["p1"], COMMON }"#;
    world.written(&row(team), |db| db.team(&id("t1"))).await
}

async fn written_payment(world: &Hackathon) -> Payment {
    let payment = r#"{
        "PK": "PAYMENT#y1", "SK": "TRANSACTION", "GSI1PK": "TEAM#t1", "GSI1SK": "PAYMENT#y1",
        "GSI2PK": "STATUS#pending", "GSI2SK": "PAYMENT#y1", "GSI3PK": "DATE#2025-08-27",
        "GSI3SK": "PAYMENT#y1", "entity_type": "payment", "payment_id": "y1",
        "razorpay_order_id": "o1", "razorpay_payment_id": "pay_1", "team_id": "t1",
        "day": "2025-08-27", "amount": 99900, "currency": "INR", "status": "pending",
        "payment_method": "card", "razorpay_signature": "s", "webhook_verified": true,
        "metadata": { "ip_address": "192.168.1.1" }, COMMON }"#;
    world.written(&row(payment), |db| db.payment(&id("y1"))).await
}

#[tokio::test]
async fn participants_are_written_as_printed_and_found() {
    let world = Hackathon::new().await;
    let participant = written_participant(&world).await;
    written_team(&world).await;
    written_payment(&world).await;
    let account = r#"{
        "PK": "UID#f1", "SK": "UNIQUE", "entity_type": "account", "account_id": "f1",
        "participant_id": "p1", COMMON }"#;
    let _: Account = world.written(&row(account), |db| db.account(&id("f1"))).await;
    let check_in = r#"{
        "PK": "PARTICIPANT#p1", "SK": "CHECKIN", "entity_type": "checkin", "participant_id": "p1",
        COMMON }"#;
    let _: CheckIn = world.written(&row(check_in), |db| db.check_in(&id("p1"))).await;
    let second = world
        .create(&participant, |next| {
            (next.participant_id, next.email) = (id("p2"), Email("jane+x@example.com".to_owned()));
        })
        .await;
    let elsewhere = world
        .create(&participant, |next| {
            (next.participant_id, next.team_id) = (id("p3"), id("t2"));
            next.email = Email("50%#@example.com".to_owned());
            next.college = College("  EXAMPLE -- University!".to_owned());
        })
        .await;

    let db = &world.db;
    let found = db.participant_by_email(&Email(" JOHN.doe@example.com ".to_owned())).await;
    assert_eq!(found.unwrap(), Some(participant.clone()));
    let found = db.participant_by_email(&elsewhere.email).await;
    assert_eq!(found.unwrap(), Some(elsewhere.clone()));
    assert!(world.has("EMAIL#50%25%23@example.com", "UNIQUE"));
    let found = db.registered(&Email(" JOHN.doe@example.com ".to_owned())).await;
    assert_eq!(found.unwrap(), Some(participant.clone()));
    let found = db.registered(&Email("nobody@example.com".to_owned())).await;
    assert_eq!(found.unwrap(), None);
    assert_eq!(all(db.members(&id("t1"))).await, [participant.clone(), second.clone()]);
    let of_college = db.participants_by_college(&College("Example University".to_owned()));
    assert_eq!(all(of_college).await, [participant.clone(), second.clone(), elsewhere]);
    let keys = ["p2", "p9", "p1"].map(|participant| ParticipantKey::new(id(participant)));
    let found = db.participants(&keys).await.unwrap();
    assert_eq!(found, [Some(second), None, Some(participant)]);
}

#[tokio::test]
async fn teams_and_payments_are_written_as_printed_and_found() {
    let world = Hackathon::new().await;
    let (team, payment) = (written_team(&world).await, written_payment(&world).await);
    written_participant(&world).await;
    let submission = r#"{
        "PK": "TEAM#t1", "SK": "SUBMISSION", "entity_type": "submission", "team_id": "t1",
        "url": "https://x.org", COMMON }"#;
    let _: Submission = world.written(&row(submission), |db| db.submission(&id("t1"))).await;
    let score = r#"{
        "PK": "TEAM#t1", "SK": "SCORE#j1", "entity_type": "score", "team_id": "t1",
        "judge_id": "j1", "points": 40, COMMON }"#;
    let score: Score = world.written(&row(score), |db| db.scores(&id("t1"))).await;
    let score2 = world.create(&score, |next| next.judge_id = id("j2")).await;
    let order = r#"{
        "PK": "ORDER#o1", "SK": "LOOKUP", "entity_type": "order_lookup", "order_id": "o1",
        "payment_id": "y1", "team_id": "t1", COMMON }"#;
    let _: OrderLookup = world.written(&row(order), |db| db.order(&id("o1"))).await;
    let team2 = world
        .create(&team, |next| {
            (next.team_id, next.track) = (id("t2"), None);
            next.name = TeamName("Others".to_owned());
        })
        .await;
    let payment2 = world
        .create(&payment, |next| {
            (next.payment_id, next.status) = (id("y2"), PaymentStatus::Failed);
        })
        .await;

    let db = &world.db;
    let pending = PaymentStatus::Pending;
    assert_eq!(all(db.teams_by_status(pending)).await, [team.clone(), team2.clone()]);
    assert_eq!(all(db.status_facets(pending)).await, facets_of([&team, &team2]));
    assert_eq!(all(db.teams_by_track(&id("ai-ml"))).await, slice::from_ref(&team));
    assert_eq!(all(db.track_facets(&id("ai-ml"))).await, facets_of([&team]));
    assert!(!world.has("TEAM#t2", "IDX#TRACK"), "a team without track has no such facet");
    assert_eq!(all(db.teams_led_by(&id("p1"))).await, [team, team2]);
    assert_eq!(all(db.scores(&id("t1"))).await, [score, score2]);
    assert_eq!(all(db.payments_of(&id("t1"))).await, [payment.clone(), payment2.clone()]);
    assert_eq!(all(db.payments_by_status(pending)).await, slice::from_ref(&payment));
    assert_eq!(all(db.payments_on(id("2025-08-27"))).await, [payment, payment2]);
}

/// The facets of teams, made as the model makes them.
fn facets_of<'a, F: MirrorOf<Team>>(teams: impl IntoIterator<Item = &'a Team>) -> Vec<F> {
    teams.into_iter().filter_map(F::mirror_of).collect()
}

#[tokio::test]
async fn the_rows_of_the_event_are_written_as_printed_and_found() {
    let world = Hackathon::new().await;
    let config = r#"{
        "PK": "CONFIG", "SK": "HACKATHON", "entity_type": "config", "event_name": "CK",
        "registration_open": true, "registration_start": "NOW", "registration_end": "NOW",
        "event_start": "NOW", "event_end": "NOW", "team_fee": 99900, "max_team_size": 4,
        "min_team_size": 2, "max_teams": 500, "tracks": ["ai-ml"], "updated_at": "NOW",
        "ver": 1 }"#;
    let _: Config = world.written(config, |db| db.config()).await;
    let day = r#"{
        "PK": "STATS", "SK": "DAILY#2025-08-09", "entity_type": "daily_stats", "day": "2025-08-09",
        "registrations": 1, "payments_paid": 0, "revenue_minor": 0, "per_track": { "ai-ml": 1 } }"#;
    let (from, to) = (id("2025-08-09"), id("2025-08-11"));
    let day: DailyStats = world.written(day, |db| db.daily_stats(from, to)).await;
    let totals = r#"{
        "PK": "STATS", "SK": "TOTALS", "entity_type": "total_stats", "slots_used": 499,
        "teams_confirmed": 0 }"#;
    let totals: TotalStats = world.written(totals, |db| db.totals()).await;
    let webhook = r#"{
        "PK": "WEBHOOK#e1", "SK": "EVENT", "entity_type": "webhook", "event_id": "e1", COMMON }"#;
    let _: Webhook = world.written(&row(webhook), |db| db.webhook(&id("e1"))).await;
    let invite = r#"{
        "PK": "INVITE#i1", "SK": "METADATA", "entity_type": "invite", "invite_id": "i1",
        "team_id": "t1", "ttl": 1799999999, COMMON }"#;
    let _: Invite = world.written(&row(invite), |db| db.invite(&id("i1"))).await;
    let audit = r#"{
        "PK": "AUDIT#202508", "SK": "NOW#a1", "entity_type": "audit", "month": "202508",
        "at": "NOW", "id": "a1", "action": "refund", COMMON }"#;
    let audit: Audit = world.written(&row(audit), |db| db.audit(&id("202508"))).await;
    let newer = world.create(&audit, |next| next.id = id("a2")).await;
    assert_eq!(all(world.db.audit(&id("202508"))).await, [newer, audit]);
    let mail = r#"{
        "PK": "OUTBOX#2025-08-09", "SK": "o1", "entity_type": "outbox", "day": "2025-08-09",
        "id": "o1", "recipient": "j@x.org", COMMON }"#;
    let _: Outbox = world.written(&row(mail), |db| db.outbox(from)).await;
    let answer = r#"{
        "PK": "IDEM#h1", "SK": "k1", "entity_type": "idempotency", "scope_hash": "h1",
        "idempotency_key": "k1", "request_hash": "r", "ttl": 1799999999, COMMON }"#;
    let question = |db: &Store<CodeKurukshetra>| db.idempotency(&id("h1"), &id("k1"));
    let _: Idempotency = world.written(&row(answer), question).await;
    let rate = r#"{
        "PK": "RATE#127.0.0.1", "SK": "register#29356560", "entity_type": "rate",
        "subject": "127.0.0.1", "route": "register", "window": 29356560, "count": 1,
        "ttl": 1799999999 }"#;
    let question =
        |db: &Store<CodeKurukshetra>| db.rate(&id("127.0.0.1"), &id("register"), 29_356_560);
    let _: Rate = world.written(rate, question).await;

    // Figures are added to, whether the day has a row or not; slots end.
    let next = DailyStatsKey::new(id("2025-08-11"));
    let update = DailyStats::update(&next).add_registrations(2).or_create();
    let third = world.db.update(update).await.unwrap();
    world
        .db
        .update(
            DailyStats::update(&DailyStatsKey::new(id("2025-08-12")))
                .add_registrations(1)
                .or_create(),
        )
        .await
        .unwrap();
    assert_eq!(third.registrations, 2);
    assert_eq!(all(world.db.daily_stats(from, to)).await, [day, third]);
    let take = || {
        let update = TotalStats::update(&totals.key()).add_slots_used(1);
        world.db.update(update.when(total_stats::slots_used().lt(500_u64)))
    };
    assert_eq!(take().await.unwrap().slots_used, 500);
    let full = take().await.unwrap_err();
    assert!(matches!(full, Error::ConditionFailed { .. }), "{full}");
}

#[tokio::test]
async fn addresses_and_names_are_taken_once_however_they_are_spelled() {
    let world = Hackathon::new().await;
    let (participant, team) = (written_participant(&world).await, written_team(&world).await);
    let guard = item! {
        "PK" => "EMAIL#john.doe@example.com", "SK" => "UNIQUE", "entity_type" => "UNIQUE",
        "owner" => monotable::map! { "PK" => "PARTICIPANT#p1", "SK" => "PROFILE" },
        "ttl" => 1_799_999_999,
    };
    assert_eq!(world.row("EMAIL#john.doe@example.com", "UNIQUE"), Some(guard));
    let rival = Participant {
        participant_id: id("p2"),
        email: Email("JOHN.DOE@EXAMPLE.COM".to_owned()),
        ..participant.clone()
    };
    let taken = world.db.create(&rival).await.unwrap_err();
    assert!(matches!(taken, Error::UniqueTaken { constraint: "email", .. }), "{taken}");
    let rival_team =
        Team { team_id: id("t2"), name: TeamName("code  WARRIORS".to_owned()), ..team.clone() };
    let taken = world.db.create(&rival_team).await.unwrap_err();
    assert!(matches!(taken, Error::UniqueTaken { constraint: "name", .. }), "{taken}");

    // A registration is one transaction: with one address taken, nothing of it remains.
    let fine = Team { name: TeamName("Others".to_owned()), ..rival_team.clone() };
    let failed = world.db.transact().with(create(fine)).with(create(rival.clone())).await;
    assert!(failed.is_err());
    assert_eq!(world.rows().len(), 6, "two rows, their two guards, and two facets");
    // Whoever leaves gives the address back, and an expired registration holds nothing.
    let soon = Some(EpochSeconds::new(NOW_SECONDS + 60));
    world.db.edit(participant, |participant| participant.ttl = soon).await.unwrap();
    world.clock.advance_ms(60_000);
    world.db.create(&rival).await.unwrap();
    let renamed = TeamName("New".to_owned());
    world.db.edit(team, |team| team.name = renamed).await.unwrap();
    assert!(
        !world.has("TEAMNAME#code%20warriors", "UNIQUE") && world.has("TEAMNAME#new", "UNIQUE")
    );
}

#[tokio::test]
async fn a_capture_moves_team_facets_payment_and_participants_at_once() {
    let world = Hackathon::new().await;
    let (participant, team) = (written_participant(&world).await, written_team(&world).await);
    let payment = written_payment(&world).await;
    let paid = PaymentStatus::Paid;
    let capture = || {
        let mut tx = world.db.transact();
        tx.add(edit(&payment, |payment| payment.status = paid));
        let team = tx.add(edit(&team, |team| {
            (team.payment_status, team.registration_complete) = (paid, true);
        }));
        tx.add(edit(&participant, |participant| {
            (participant.payment_status, participant.ttl) = (paid, None);
        }));
        (tx, team)
    };
    let (tx, captured) = capture();
    let team = tx.commit().await.unwrap()[captured].clone();
    let db = &world.db;
    for status in [PaymentStatus::Pending, PaymentStatus::Failed] {
        assert_eq!(all(db.teams_by_status(status)).await, []);
        assert_eq!(all(db.status_facets(status)).await, []);
        assert_eq!(all(db.payments_by_status(status)).await, []);
    }
    assert_eq!(all(db.teams_by_status(paid)).await, slice::from_ref(&team));
    assert_eq!(all(db.status_facets(paid)).await, facets_of::<StatusFacet>([&team]));
    assert_eq!(all(db.track_facets(&id("ai-ml"))).await, facets_of([&team]));
    assert_eq!(all(db.payments_by_status(paid)).await.len(), 1);
    let facet = item! {
        "PK" => "TEAM#t1", "SK" => "IDX#PAYMENT_STATUS", "GSI3PK" => "PAYMENT_STATUS#paid",
        "GSI3SK" => "TEAM#t1", "entity_type" => "team_facet_status", "team_id" => "t1",
        "name" => "Code Warriors", "payment_status" => "paid", "track" => "ai-ml",
        "member_count" => 4,
    };
    assert_eq!(world.row("TEAM#t1", "IDX#PAYMENT_STATUS"), Some(facet));
    let facet = item! {
        "PK" => "TEAM#t1", "SK" => "IDX#TRACK", "GSI3PK" => "TRACK#ai-ml", "GSI3SK" => "TEAM#t1",
        "entity_type" => "team_facet_track", "team_id" => "t1", "name" => "Code Warriors",
        "payment_status" => "paid", "track" => "ai-ml", "member_count" => 4,
    };
    assert_eq!(world.row("TEAM#t1", "IDX#TRACK"), Some(facet));
    let guard = world.row("EMAIL#john.doe@example.com", "UNIQUE").unwrap();
    assert!(!guard.contains_key("ttl"), "the guard lives as long as the participant");
    // The webhook says it again, after the gateway's other answer did.
    assert!(capture().0.await.is_err());

    let moved = db.edit(team, |team| team.track = Some(id("iot"))).await.unwrap();
    assert_eq!(all(db.track_facets(&id("ai-ml"))).await, []);
    assert_eq!(all(db.track_facets(&id("iot"))).await, facets_of::<TrackFacet>([&moved]));
    let moved = db.edit(moved, |team| team.track = None).await.unwrap();
    assert!(!world.has("TEAM#t1", "IDX#TRACK"));
    assert_eq!(all(db.teams_by_track(&id("iot"))).await, []);
    db.delete(&moved).await.unwrap();
    assert!(!world.has("TEAM#t1", "IDX#PAYMENT_STATUS"));
}

/// The examples of the seed: no version, no sort key of any index, and a participant that expired
/// before it was registered.
#[tokio::test]
async fn the_printed_rows_are_read_and_complete_when_the_model_writes_them() {
    let world = Hackathon::new().await;
    let examples = [printed::PARTICIPANT, printed::TEAM, printed::PAYMENT, printed::CONFIG];
    for mut example in examples.map(literal::item) {
        example.insert("legacy".to_owned(), "kept".into());
        world.put(example);
    }
    let db = &world.db;
    let participant_id = id("01234567-89ab-cdef-0123-456789abcdef");
    assert_eq!(db.participant(&participant_id).await.unwrap(), None, "its ttl has passed");
    let participant = db.participant(&participant_id).including_expired().await.unwrap().unwrap();
    assert_eq!(participant.college, College("Example University".to_owned()));
    let team = db.team(&id("team-uuid-here")).await.unwrap().unwrap();
    let payment = db.payment(&id("payment-uuid")).await.unwrap().unwrap();
    assert_eq!((team.stamps.version, payment.day), (0, None));
    let metadata = BTreeMap::from(
        [
            ("user_agent", "Mozilla/5.0..."),
            ("ip_address", "192.168.1.1"),
            ("payment_timestamp", "2025-08-27T10:30:00Z"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned())),
    );
    assert_eq!(payment.metadata, metadata);
    let config = db.config().await.unwrap().unwrap();
    assert_eq!(config.tracks.len(), 6);
    let paid = PaymentStatus::Paid;
    assert_eq!(
        (all(db.teams_by_status(paid)).await, all(db.status_facets(paid)).await),
        (vec![], vec![])
    );

    db.edit(config, |config| config.registration_open = false).await.unwrap();
    db.edit(payment, |payment| payment.webhook_verified = false).await.unwrap();
    let team = db.edit(team, |team| team.member_count = 3).await.unwrap();
    assert!(
        world.rows().iter().filter(|row| row.get("legacy") == Some(&"kept".into())).count() == 4
    );
    // A team's rows are made anew from all of its fields, the keys of its indexes too.
    assert_eq!(all(db.teams_by_status(paid)).await, slice::from_ref(&team));
    assert_eq!(all(db.teams_led_by(&team.leader_participant_id)).await, slice::from_ref(&team));
    assert_eq!(all(db.status_facets(paid)).await, facets_of([&team]));
    assert_eq!(world.row("PAYMENT#payment-uuid", "TRANSACTION").unwrap()["updated_at"], NOW.into());
}

#[tokio::test]
async fn both_ways_to_the_teams_agree_with_the_rows_whatever_happens() {
    let world = Hackathon::new().await;
    let first = written_team(&world).await;
    let mut teams = BTreeMap::from([(first.team_id.clone(), first.clone())]);
    let mut random = Random::new(5);
    let statuses = [
        PaymentStatus::Pending,
        PaymentStatus::Paid,
        PaymentStatus::Failed,
        PaymentStatus::Refunded,
    ];
    for _ in 0..150 {
        let number = random.below(5);
        let team_id: TeamId = id(&format!("t{number}"));
        let (status, track) =
            (random.pick(&statuses), random.pick(&[None, Some("ai-ml"), Some("iot")]));
        let leader = random.pick(&["p1", "p2"]);
        let change = |team: &mut Team| {
            (team.payment_status, team.track) = (status, track.map(id));
            team.leader_participant_id = id(leader);
        };
        match teams.get(&team_id).cloned() {
            None => {
                let name = TeamName(format!("Team {number}"));
                let mut team = Team { team_id: team_id.clone(), name, ..first.clone() };
                change(&mut team);
                teams.insert(team_id, world.db.create(&team).await.unwrap());
            }
            Some(team) if random.below(4) == 0 => {
                world.db.delete(&team).await.unwrap();
                teams.remove(&team_id);
            }
            Some(team) => {
                teams.insert(team_id, world.db.edit(team, change).await.unwrap());
            }
        }
        let db = &world.db;
        let such = |is_such: &dyn Fn(&Team) -> bool| -> Vec<Team> {
            teams.values().filter(|team| is_such(team)).cloned().collect()
        };
        for status in statuses {
            let expected = such(&|team| team.payment_status == status);
            assert_eq!(all(db.status_facets(status)).await, facets_of(&expected));
            assert_eq!(all(db.teams_by_status(status)).await, expected);
        }
        for track in ["ai-ml", "iot"].map(id) {
            let expected = such(&|team| team.track.as_ref() == Some(&track));
            assert_eq!(all(db.track_facets(&track)).await, facets_of(&expected));
            assert_eq!(all(db.teams_by_track(&track)).await, expected);
        }
        let leader = id("p2");
        let led = such(&|team| team.leader_participant_id == leader);
        assert_eq!(all(db.teams_led_by(&leader)).await, led);
    }
}
