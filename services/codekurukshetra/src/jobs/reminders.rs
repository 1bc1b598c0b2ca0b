//! Reminders before the event, one to each participant and of each kind.
//!
//! A row is written with the promise, so that a reminder is promised once, whichever process is the first; another start
//! of the event is reminded of again.

use monotable::model::time::Timestamp;
use monotable::model::{Cursor, create};
use monotable_kit::Problem;
use monotable_kit::backfill::LostRace as _;
use monotable_kit::jobs::{JobStep, JobTicket};
use monotable_kit::outbox::Letter;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::money::Cashier;
use crate::rules::reminders::Reminder;
use crate::table::{
    CodeKurukshetra, CodeKurukshetraReads as _, Config, Participant, PaymentStatus,
    RegistrationStatus, SentReminder, Stamps, Team,
};

/// The kind of the work.
pub(super) const KIND: &str = "reminders";
/// Teams of a step: a team has ten members at most, and a transaction a hundred rows.
const TEAMS_MAX: usize = 9;

/// What the work is about.
#[derive(Serialize, Deserialize)]
pub(super) struct Reminders {
    event_start: Timestamp,
    hours: u32,
}

/// Promises the reminder that is due, unless it was promised.
///
/// # Errors
/// Returns the errors of the table.
pub(super) async fn promise_due(app: &App, config: &Config) -> Result<(), Problem> {
    let (now, event_start) = (app.db.now(), config.event_start);
    let Some(reminder) = Reminder::due(event_start, now) else { return Ok(()) };
    let hours = reminder.hours();
    if app.db.reminder(event_start, hours).await?.is_some() {
        return Ok(());
    }
    let sent = SentReminder { event_start, hours, stamps: Stamps::default() };
    let id = format!("{}.{hours}", event_start.as_ms());
    let ticket = JobTicket::new(KIND, &id, &Reminders { event_start, hours }, now)?;
    match app.db.transact().with(create(sent)).with(create(ticket)).await {
        Ok(_) => Ok(()),
        // Another process was first.
        Err(error) if error.is_lost_race() => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Writes the e-mails to the members of some confirmed teams.
pub(super) async fn step(
    cashier: Cashier,
    job: Reminders,
    from: Option<String>,
) -> Result<JobStep<CodeKurukshetra, String>, Problem> {
    let mut tx = cashier.db.transact();
    let config = cashier.config().await?;
    if config.event_start != job.event_start || cashier.db.now() >= job.event_start {
        return Ok(JobStep::done(tx));
    }
    let mut teams =
        cashier.db.teams_by_status(PaymentStatus::Paid).skip_unreadable().take(TEAMS_MAX);
    if let Some(cursor) = from.and_then(|text| text.parse::<Cursor>().ok()) {
        teams = teams.after(&cursor);
    }
    let page = teams.page().await?;
    let is_confirmed = |team: &&Team| team.registration() == RegistrationStatus::Confirmed;
    for team in page.rows.iter().filter(is_confirmed) {
        for member in cashier.members(team).await? {
            if member.erased_at.is_none() {
                let letter = letter(&cashier, &config, &job, team, &member);
                cashier.promise(&mut tx, &letter.deduplication_key.clone(), letter)?;
            }
        }
    }
    Ok(match page.next {
        Some(next) => JobStep::next(tx, next.to_string()),
        None => JobStep::done(tx),
    })
}

fn letter(
    cashier: &Cashier,
    config: &Config,
    job: &Reminders,
    team: &Team,
    member: &Participant,
) -> Letter {
    let (event, hours) = (&config.event_name, job.hours);
    let track = match team.track {
        Some(_) => "",
        None => "It has no track yet: its leader must choose one before the event begins.\n",
    };
    Letter {
        recipient: member.email.0.clone(),
        subject: format!("{event} begins in {hours} hours"),
        text: format!(
            "Hello {},\n\n{event} begins on {}. Your team {} is registered:\n\n{}/team\n{track}",
            member.full_name(),
            job.event_start,
            team.name.0,
            cashier.url,
        ),
        deduplication_key: format!(
            "reminder.{}.{hours}.{}",
            job.event_start.as_ms(),
            member.participant_id
        ),
    }
}
