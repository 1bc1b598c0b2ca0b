//! What is kept no longer: addresses and programs of payers' clients half a year after the payment, participants some time
//! after the event, and payments after the years for which books are kept.
//!
//! An expiry time alone would leave guards behind, and teams whose members have vanished. So people are forgotten as
//! if they had asked for it, and only then may the storage remove their rows.

use std::time::Duration;

use monotable::model::time::EpochSeconds;
use monotable::model::{Entity as _, delete, delete_by_key, edit};
use monotable_kit::backfill::LostRace as _;
use monotable_kit::outbox::Lane;
use monotable_kit::{Problem, SignInStore as _};

use crate::api::participants::erase::anonymise;
use crate::app::{App, LANE};
use crate::rules::registration::{PAYMENTS_KEPT, checked_ttl};
use crate::table::{
    CheckedRow, CodeKurukshetraReads as _, Config, Participant, Payment, RegistrationStatus,
};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// How long it is kept from where a payment was made.
const CLIENT_KEPT: Duration = Duration::from_secs(180 * 24 * 60 * 60);

/// Removes personal data whose time is over. Returns from how many rows.
///
/// # Errors
/// Returns the errors of the table. A row with a concurrent change is processed the next time.
pub(super) async fn forget(app: &App, config: &Config) -> Result<usize, Problem> {
    Ok(forget_payments(app).await? + forget_participants(app, config).await?)
}

/// Forgets the clients of payments, and payments.
async fn forget_payments(app: &App) -> Result<usize, Problem> {
    let (mut forgotten, now) = (0, app.db.now());
    let mut payments = app.db.every_payment().skip_unreadable().stream();
    while let Some(payment) = payments.next().await {
        let payment = payment?;
        let metadata = &payment.metadata;
        let has_client = metadata.ip_address.is_some() || metadata.user_agent.is_some();
        if payment.last_change() + PAYMENTS_KEPT <= now {
            forgotten += forget_payment(app, &payment).await?;
        } else if has_client && payment.stamps.created + CLIENT_KEPT <= now {
            let edited = app.db.edit(payment, |payment| {
                payment.metadata.ip_address = None;
                payment.metadata.user_agent = None;
            });
            forgotten += done(edited.await.map(drop))?;
        }
    }
    Ok(forgotten)
}

/// Deletes a payment with its refund and the lookup of its order. The figures stay.
async fn forget_payment(app: &App, payment: &Payment) -> Result<usize, Problem> {
    let mut tx = app.db.transact().with(delete(payment));
    let refund = app.db.refund_intent(&payment.payment_id).await?;
    refund.iter().for_each(|refund| _ = tx.add(delete(refund)));
    if let Some(order_id) = &payment.razorpay_order_id {
        let lookup = app.db.order(order_id).await?;
        let lookup = lookup.filter(|lookup| lookup.payment_id == payment.payment_id);
        lookup.iter().for_each(|lookup| _ = tx.add(delete(lookup)));
    }
    done(tx.commit().await.map(drop))
}

async fn forget_participants(app: &App, config: &Config) -> Result<usize, Problem> {
    let kept_until = config.people_kept_until();
    let is_over = app.db.now().epoch_seconds() >= kept_until;
    let mut forgotten = 0;
    let mut people = app.db.every_participant().skip_unreadable().stream();
    while let Some(person) = people.next().await {
        let person = person?;
        if is_over && (person.ttl.is_none() || person.erased_at.is_none()) {
            forgotten += forget_participant(app, &person).await?;
        } else if !is_over && person.ttl != Some(kept_until) {
            keep(app, person, kept_until).await?;
        }
    }
    if is_over {
        forgotten += forget_guards(app).await? + forget_letters(app).await?;
    }
    Ok(forgotten)
}

/// Lets a participant expire when others do, unless the hold of the team has ended: the event was moved, or another program
/// has written the row.
async fn keep(app: &App, person: Participant, kept_until: EpochSeconds) -> Result<(), Problem> {
    let team = app.db.team(&person.team_id).await?;
    if team.is_some_and(|team| team.registration() != RegistrationStatus::Expired) {
        let kept = app.db.edit(person, |person| person.ttl = Some(kept_until));
        done(kept.await.map(drop))?;
    }
    Ok(())
}

/// Deletes the guards of participants whom the storage has removed before.
async fn forget_guards(app: &App) -> Result<usize, Problem> {
    let (db, mut forgotten) = (&app.db, 0);
    let mut rows = db.checked_rows().skip_unreadable().stream();
    while let Some(row) = rows.next().await {
        let (participant_id, guard) = match row? {
            CheckedRow::EmailGuard(row) => {
                (row.participant_id.clone(), db.transact().with(delete(&row)))
            }
            CheckedRow::Account(row) => {
                (row.participant_id.clone(), db.transact().with(delete(&row)))
            }
            _ => continue,
        };
        if db.participant(&participant_id).await?.is_none() {
            forgotten += done(guard.commit().await.map(drop))?;
        }
    }
    Ok(forgotten)
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
