//! `PUT /hackathon/admin/config`: sets the settings of the event.
//!
//! Every change moves the version of the row, which registrations check: one that was on its way when the event was
//! closed is not committed.

use std::collections::BTreeSet;

use monotable::model::{check, check_absent};
use monotable_kit::FieldProblem;

use super::config_get::SettingsView;
use crate::api::prelude::*;
use crate::rules::{people, settings};

/// The settings of the event. Those that are left out have their usual values.
#[derive(Body, Clone, Debug)]
#[body(case = "snake", read_only("updated_at", "ver"))]
pub(crate) struct NewSettings {
    #[body(length = 1..=120, example = "CodeKurukshetra")]
    event_name: String,
    /// Without it, registration is closed between its dates as well.
    registration_open: bool,
    registration_start: Timestamp,
    registration_end: Timestamp,
    event_start: Timestamp,
    event_end: Timestamp,
    /// The fee of a team, in the smallest unit of the currency; 0 for none.
    #[body(range = 0..=1_000_000_000, example = 99_900)]
    team_fee: u64,
    #[body(range = 1..=10, example = 4)]
    max_team_size: u8,
    #[body(range = 1..=10, example = 2)]
    min_team_size: u8,
    #[body(range = 1..=100_000, example = 500)]
    max_teams: u32,
    #[body(items = 1..=30, unique)]
    tracks: Vec<Track>,
    #[body(length = 3..=3, example = "INR")]
    currency: Option<String>,
    /// An IANA name, by which days begin.
    #[body(length = 1..=60, example = "Asia/Kolkata")]
    timezone: Option<String>,
    /// How long a place is held for the payment.
    #[body(range = 1..=720, example = 24)]
    hold_hours: Option<u16>,
    /// How long personal data is kept after the event.
    #[body(range = 1..=3_650, example = 180)]
    retention_days: Option<u32>,
    /// Where notices for organisers go.
    #[body(check = people::email, example = "desk@example.org")]
    contact_email: Option<String>,
}

impl NewSettings {
    fn config(&self) -> Config {
        let new = self.clone();
        Config {
            event_name: new.event_name,
            registration_open: new.registration_open,
            registration_start: new.registration_start,
            registration_end: new.registration_end,
            event_start: new.event_start,
            event_end: new.event_end,
            team_fee: new.team_fee,
            max_team_size: new.max_team_size,
            min_team_size: new.min_team_size,
            max_teams: new.max_teams,
            tracks: new.tracks,
            currency: new.currency.unwrap_or_else(Config::usual_currency),
            timezone: new.timezone.unwrap_or_else(Config::usual_timezone),
            hold_hours: new.hold_hours.unwrap_or_else(Config::usual_hold_hours),
            retention_days: new.retention_days.unwrap_or_else(Config::usual_retention_days),
            contact_email: new.contact_email,
            stamps: Changes::default(),
        }
    }
}

/// Sets the settings of the event. A track that teams have can't be removed, and currency and time zone stay after the first
/// registration.
#[operation(PUT "/hackathon/admin/config", if_match, refuses(InvalidRequest, Forbidden, InvalidState, TrackInUse))]
pub(crate) async fn put_settings(
    app: &App,
    call: &Call<(), NewSettings>,
) -> Answer<Json<SettingsView>> {
    policy::administer(call)?;
    let new = call.body.config();
    refuse_wrong(&new)?;
    let before = app.db.config().await?;
    let entry = app.audit(call, "putConfig", "CONFIG")?;
    let mut tx = call.transact(&app.db).or_retry();
    let (config, entry) = match before {
        None => {
            call.check_absent()?;
            (tx.add(create(new)), entry)
        }
        Some(before) => {
            call.check_version(before.stamps.version)?;
            let removed = before.tracks.iter().filter(|track| !new.tracks.contains(track));
            let removed: BTreeSet<&Track> = removed.collect();
            let counts_otherwise =
                (&before.currency, &before.timezone) != (&new.currency, &new.timezone);
            if counts_otherwise || !removed.is_empty() {
                let totals = app.db.totals().await?;
                if counts_otherwise && totals.is_some() {
                    let text = "Teams have registered: what is counted by day and in the currency of the event can't be \
                                counted in another way any more.";
                    return Err(Refusal::InvalidState.text(text));
                }
                refuse_used(app, &removed).await?;
                // A team that has registered meanwhile is counted, and may have the track.
                match totals {
                    Some(totals) => tx.add(check(
                        &TotalStatsKey::new(),
                        total_stats::registrations().eq(totals.registrations),
                    )),
                    None => tx.add(check_absent(&TotalStatsKey::new())),
                };
            }
            let entry = entry.changes(&before, &new, |_| true);
            let change = |config: &mut Config| {
                let stamps = config.stamps;
                *config = Config { stamps, ..new };
            };
            (tx.add(edit(&before, change)), entry)
        }
    };
    tx.add(create(entry));
    tx.respond(move |done| Json(SettingsView::of(&done[config]))).await
}

fn refuse_wrong(config: &Config) -> Result<(), Problem> {
    let wrong: Vec<FieldProblem> = settings::problems(config);
    if wrong.is_empty() { Ok(()) } else { Err(Problem::fields("VALIDATION", &wrong)) }
}

/// Refuses to remove tracks that teams have. Which ones do is read from the rows of the teams, because an index may lag.
async fn refuse_used(app: &App, removed: &BTreeSet<&Track>) -> Result<(), Problem> {
    let mut teams = app.db.every_team().skip_unreadable().stream();
    while let Some(team) = teams.next().await {
        let team = team?;
        let is_used = team.track.as_ref().is_some_and(|track| removed.contains(track));
        if is_used && team.registration().has_guards() {
            return Err(Refusal::TrackInUse.into());
        }
    }
    Ok(())
}
