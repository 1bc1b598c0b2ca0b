//! Personal data that is kept no longer: addresses and programs of payers' clients half a year after the payment, and
//! participants some time after the event.
//!
//! An expiry time alone would leave guards behind, and teams whose members have vanished. So people are forgotten as
//! if they had asked for it, and only then may the storage remove their rows.

use std::time::Duration;

use monotable::model::{Entity as _, delete_by_key, edit};
use monotable_kit::backfill::LostRace as _;
use monotable_kit::outbox::Lane;
use monotable_kit::{Problem, SignInStore as _};

use crate::api::participants::erase::anonymise;
use crate::app::{App, LANE};
use crate::rules::registration::{checked_ttl, ttl_after_event};
use crate::table::{CodeKurukshetraReads as _, Config, Participant};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// How long it is kept from where a payment was made.
const CLIENT_KEPT: Duration = Duration::from_secs(180 * 24 * 60 * 60);

/// Removes personal data whose time is over. Returns from how many rows.
///
/// # Errors
/// What the table reports. A row that somebody changes meanwhile has its turn the next time.
pub(super) async fn forget(app: &App, config: &Config) -> Result<usize, Problem> {
    Ok(forget_clients(app).await? + forget_participants(app, config).await?)
}

async fn forget_clients(app: &App) -> Result<usize, Problem> {
    let (mut forgotten, now) = (0, app.db.now());
    let mut payments = app.db.every_payment().skip_unreadable().stream();
    while let Some(payment) = payments.next().await {
        let payment = payment?;
        let is_over = payment.stamps.created + CLIENT_KEPT <= now;
        let metadata = &payment.metadata;
        if !is_over || metadata.ip_address.is_none() && metadata.user_agent.is_none() {
            continue;
        }
        let edited = app.db.edit(payment, |payment| {
            payment.metadata.ip_address = None;
            payment.metadata.user_agent = None;
        });
        forgotten += done(edited.await.map(drop))?;
    }
    Ok(forgotten)
}

async fn forget_participants(app: &App, config: &Config) -> Result<usize, Problem> {
    let now = app.db.now();
    if now.epoch_seconds() < ttl_after_event(config.event_end, config.retention_days) {
        return Ok(0);
    }
    let mut forgotten = 0;
    let mut people = app.db.every_participant().skip_unreadable().stream();
    while let Some(person) = people.next().await {
        let person = person?;
        if person.ttl.is_none() || person.erased_at.is_none() {
            forgotten += forget_participant(app, &person).await?;
        }
    }
    Ok(forgotten + forget_letters(app).await?)
}

/// Deletes the e-mails that could not be delivered: they name their recipients.
async fn forget_letters(app: &App) -> Result<usize, Problem> {
    let lane = Lane::new(LANE).map_err(Problem::internal)?;
    let letters = app.db.dead_letters(&lane).consistent().all().await?;
    for letter in &letters {
        app.db.run(delete_by_key(&letter.key())).await?;
    }
    Ok(letters.len())
}

async fn forget_participant(app: &App, person: &Participant) -> Result<usize, Problem> {
    let now = app.db.now();
    let ttl = checked_ttl((now + DAY).epoch_seconds(), now).map_err(Problem::internal)?;
    if let Some(account_id) = &person.firebase_uid {
        app.db.forget(account_id.as_str()).await?;
    }
    let mut tx = app.db.transact();
    app.cashier.member_guards(person).await?.release(&mut tx);
    tx.add(edit(person, |person| {
        if person.erased_at.is_none() {
            anonymise(person, now);
        }
        person.ttl = Some(ttl);
    }));
    done(tx.commit().await.map(drop))
}

/// Counts a change, unless somebody else has changed the row.
fn done(changed: monotable::model::Result<()>) -> Result<usize, Problem> {
    match changed {
        Ok(()) => Ok(1),
        Err(error) if error.is_lost_race() => Ok(0),
        Err(error) => Err(error.into()),
    }
}
