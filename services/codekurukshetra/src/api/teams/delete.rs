//! `DELETE /hackathon/team/{teamId}`: deletes a team.

use crate::api::prelude::*;
use crate::jobs::forget_scores;
use crate::money::tally::Tally;
use crate::rules::statistics::Happening;
use crate::table::{ArrivalStats, ArrivalStatsKey};

/// Steps of the work behind a deletion that are done at once: they are enough for all but a large jury.
const STEPS_AT_ONCE: usize = 2;

/// Deletes a team that has not paid, or has its money back, with its members and whatever else is theirs. Its
/// payments stay.
#[operation(
    DELETE "/hackathon/team/{teamId}", once, if_match,
    refuses(NotFound, Forbidden, InvalidState, NotConfigured)
)]
pub(crate) async fn delete_team(app: &App, call: &Call<TeamPath>) -> Answer<NoContent> {
    policy::administer(call)?;
    let team = app.db.team(&call.path.team_id).await?.ok_or(Refusal::NotFound)?;
    call.check_version(team.stamps.version)?;
    if team.payment_status == PaymentStatus::Paid && team.amount > 0 {
        let text = "The team has paid. Return its money first.";
        return Err(Refusal::InvalidState.text(text));
    }
    let members = app.cashier.members(&team).await?;
    let mut tx = call.transact(&app.db).or_retry();
    app.cashier.held_guards(&team, &members).await?.release(&mut tx);
    app.cashier.stop_waiting(&mut tx, &team).await?;
    members.iter().for_each(|member| _ = tx.add(delete(member)));
    uncount_arrivals(app, &mut tx, &members).await?;
    of_event(app, &mut tx, &team.team_id).await?;
    uncount(app, &mut tx, &team, &members).await?;
    let entry = app.audit(call, "deleteTeam", format!("TEAM#{}", team.team_id))?;
    tx.add(create(entry.was("members", members.len().to_string())));
    tx.add(delete(&team));
    let team_id = team.team_id;
    let begin = async move {
        app.background.begin(forget_scores::KIND, team_id.as_str(), STEPS_AT_ONCE).await;
    };
    tx.afterwards(begin).respond(|_| NoContent).await
}

/// Deletes the arrivals of members.
async fn uncount_arrivals(
    app: &App,
    tx: &mut Commit<'_, CodeKurukshetra>,
    members: &[Participant],
) -> Result<(), Problem> {
    let mut arrived = 0;
    for member in members {
        let Some(check_in) = app.db.check_in(&member.participant_id).await? else { continue };
        tx.add(delete(&check_in));
        arrived += 1;
    }
    if arrived > 0 {
        tx.add(ArrivalStats::update(&ArrivalStatsKey::new()).or_create().add_arrived(-arrived));
    }
    Ok(())
}

/// Deletes what a team has of the event: its work and its invitations, and promises to delete the scores of it.
async fn of_event(
    app: &App,
    tx: &mut Commit<'_, CodeKurukshetra>,
    team_id: &TeamId,
) -> Result<(), Problem> {
    let submission = app.db.submission(team_id).await?;
    submission.iter().for_each(|it| _ = tx.add(delete(it)));
    for invite in app.db.invites_of(team_id).all().await? {
        tx.add(delete_by_key(&invite.key()));
    }
    tx.add(create(forget_scores::ticket(team_id, app.db.now())?));
    Ok(())
}

/// Takes the team and its members back from the counters.
async fn uncount(
    app: &App,
    tx: &mut Commit<'_, CodeKurukshetra>,
    team: &Team,
    members: &[Participant],
) -> Result<(), Problem> {
    let config = app.config().await?;
    let registered_on = match team.day {
        Some(day) => day,
        None => config.day_of(team.stamps.created)?,
    };
    let undone = || Tally { is_undone: true, ..Tally::default() };
    let (mut totals, mut days) = (undone(), std::collections::BTreeMap::new());
    let track = team.track.as_ref().map(Track::as_str);
    // Rows of members may have expired: nobody knows any more on which day these came.
    let gone = u64::from(team.member_count).saturating_sub(members.len() as u64);
    let registered = Happening::Registered { members: gone, track };
    days.entry(registered_on).or_insert_with(undone).count(registered);
    for member in members {
        let came_on = member.day.map_or_else(|| config.day_of(member.stamps.created), Ok)?;
        days.entry(came_on).or_insert_with(undone).figures.participants += 1;
    }
    for (day, tally) in days {
        tally.add_day(tx, day);
        totals.figures.add(&tally.figures);
    }
    totals.slots = -i64::from(team.registration().has_slot());
    totals.confirmed = -i64::from(team.registration() == RegistrationStatus::Confirmed);
    tx.add(totals.totals(config.max_teams));
    Ok(())
}
