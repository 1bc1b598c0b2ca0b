//! What people see: registration, payment and the team; the organisers' board and the desk at the entrance;
//! judging and certificates.

pub(crate) mod certificate;
pub(crate) mod check_in;
pub(crate) mod home;
pub(crate) mod invite;
pub(crate) mod join;
pub(crate) mod judge;
pub(crate) mod judge_team;
pub(crate) mod organise;
pub(crate) mod pay;
pub(crate) mod payment;
pub(crate) mod profile;
pub(crate) mod receipt;
pub(crate) mod register;
pub(crate) mod submit;
pub(crate) mod team;
pub(crate) mod tickets;

use monotable_kit::{Form, Route, Zone, operations};

use crate::api::prelude::*;

/// Returns the pages.
pub(crate) fn operations() -> Vec<Route> {
    operations![
        home,
        register,
        join,
        team,
        invite,
        profile,
        pay,
        payment::callback,
        payment::pay,
        payment::simulated,
        receipt,
        tickets,
        submit,
        certificate,
        judge,
        judge_team,
        check_in,
        organise::board,
        organise::team,
        organise::settings,
        organise::judging,
        organise::log,
    ]
}

/// The caller's registration.
struct Mine {
    participant: Participant,
    team: Team,
    config: Config,
}

impl Mine {
    /// Returns whether the caller leads the team.
    fn leads(&self) -> bool {
        policy::is_leader(&self.team, &self.participant.participant_id)
    }

    /// Makes a form about the team.
    fn form(&self, call: &Request, route: &Route) -> Form {
        Form::of(call, route).path("teamId", &self.team.team_id)
    }
}

/// Returns the caller's registration, if there is one.
///
/// # Errors
/// Returns 401 if the caller is not signed in.
async fn registration(app: &App, call: &Request) -> Result<Option<Mine>, Problem> {
    let Some(participant) = policy::own_participant(app, call).await? else { return Ok(None) };
    let Some(team) = app.db.team(&participant.team_id).await? else { return Ok(None) };
    Ok(Some(Mine { participant, team, config: app.config().await? }))
}

/// Returns the caller's registration.
///
/// # Errors
/// Returns 404 if there is none.
async fn my_team(app: &App, call: &Request) -> Result<Mine, Problem> {
    registration(app, call).await?.ok_or_else(no_team)
}

fn no_team() -> Problem {
    Refusal::NotFound
        .text("You are in no team yet. Register one, or join one with a code from its leader.")
}

/// Returns an amount as people write it.
fn money(amount_minor: u64, currency: &str) -> String {
    let (whole, rest) = (amount_minor / 100, amount_minor % 100);
    let amount = if rest == 0 { whole.to_string() } else { format!("{whole}.{rest:02}") };
    match currency {
        "INR" => format!("₹{amount}"),
        other => format!("{other} {amount}"),
    }
}

/// Returns a time as people write it in the zone of the event.
fn time(config: &Config, at: Timestamp) -> String {
    Zone::named(&config.timezone).unwrap_or_default().text(at)
}

/// Returns how far a registration is, in words.
fn status(status: RegistrationStatus) -> &'static str {
    match status {
        RegistrationStatus::PendingPayment => "Waiting for the payment",
        RegistrationStatus::Confirmed => "Confirmed",
        RegistrationStatus::Expired => "Expired",
        RegistrationStatus::Cancelled => "Withdrawn",
        RegistrationStatus::Refunded => "Refunded",
        RegistrationStatus::Waitlisted => "On the waiting list",
    }
}

/// Returns the tracks as options of a field.
fn tracks(config: &Config) -> impl Iterator<Item = (String, String)> {
    config.tracks.iter().map(|track| (track.to_string(), track.to_string()))
}

#[cfg(test)]
mod tests {
    use super::money;

    #[test]
    fn amounts_are_written_in_whole_units_where_they_are() {
        assert_eq!(money(99_900, "INR"), "₹999");
        assert_eq!(money(99_905, "INR"), "₹999.05");
        assert_eq!(money(1_000, "EUR"), "EUR 10");
    }
}
