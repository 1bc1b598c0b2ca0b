//! `PUT /hackathon/team/{teamId}`: changes the name or the track of a team.

use super::{Sight, TeamView, is_foreign};
use crate::api::participants::{is_live, note_read};
use crate::api::prelude::*;
use crate::money::{guards, tally};
use crate::rules::teams;

/// What changes of a team.
#[derive(Debug, Body)]
#[body(case = "snake", not_empty, read_only_of = TeamView)]
pub(crate) struct TeamChanges {
    #[body(length = 3..=60, check = teams::name, example = "Code Warriors")]
    name: Option<String>,
    #[body(example = "ai-ml")]
    track: Option<Track>,
}

/// Changes the name or the track of a team. Once it is confirmed, only the track can change, until the event starts. An
/// administrator can give a track to a team that has none also afterwards.
#[operation(
    PUT "/hackathon/team/{teamId}", once, if_match,
    refuses(NotFound, Forbidden, InvalidState, TeamNameTaken, NotConfigured)
)]
pub(crate) async fn update_team(
    app: &App,
    call: &Call<TeamPath, TeamChanges>,
) -> Answer<Json<TeamView>> {
    let granted = policy::team(app, call, &call.path.team_id, Action::Edit).await?;
    let before = &granted.team;
    call.check_version(before.stamps.version)?;
    let (config, members) = (app.config().await?, app.cashier.members(before).await?);
    Refusal::InvalidState.unless(is_live(before))?;
    if before.registration() == RegistrationStatus::Confirmed {
        let has_started = app.db.now() >= config.event_start;
        check_confirmed(&granted, &call.body, has_started)?;
    }
    let mut after = before.clone();
    let mut tx = call.transact(&app.db).or_retry();
    if let Some(name) = &call.body.name {
        after.name = TeamName(name.clone());
        move_name(app, &mut tx, before, &after).await?;
    }
    if let Some(track) = &call.body.track {
        if !config.tracks.contains(track) {
            return Err(Problem::field("track", "is not a track of the event"));
        }
        after.track = Some(track.clone());
        move_track(&mut tx, before, &after);
        // A track in use can't be removed, and this one is about to be used.
        tx.expect(check(&config.key(), config.unchanged()));
    }
    if is_foreign(&granted) {
        note_read(app, call, format!("TEAM#{}", before.team_id)).await?;
        let entry = app.audit(call, "updateTeam", format!("TEAM#{}", before.team_id))?;
        tx.add(create(entry.changes(before, &after, |_| true)));
    }
    let team = tx.add(edit(before, |team| *team = after));
    let sight = Sight::of(&granted);
    tx.respond(move |done| Json(TeamView::to(&sight, &done[team], &members))).await
}

/// Requires that a confirmed team can change so.
fn check_confirmed(
    granted: &Granted,
    changes: &TeamChanges,
    has_started: bool,
) -> Result<(), Problem> {
    if changes.name.is_some() {
        let text = "The team is confirmed. Only its track can change.";
        return Err(Refusal::InvalidState.text(text));
    }
    let is_late = granted.team.track.is_none() && granted.roles.contains(&Role::Admin);
    let text = "The event has started. The track can't change any more.";
    (is_late || !has_started).then_some(()).ok_or_else(|| Refusal::InvalidState.text(text))
}

/// Moves the guard of the name.
async fn move_name(
    app: &App,
    tx: &mut Commit<'_, CodeKurukshetra>,
    before: &Team,
    after: &Team,
) -> Result<(), Problem> {
    if teams::name_guard(&before.name.0) == teams::name_guard(&after.name.0) {
        return Ok(());
    }
    let guard = app.db.name_guard(&before.name).await?;
    let guard = guard.filter(|guard| guard.team_id == before.team_id);
    guard.iter().for_each(|guard| _ = tx.add(delete(guard)));
    tx.require(create(guards::of_name(after)), Refusal::TeamNameTaken);
    Ok(())
}

/// Counts the team for its new track, on the day on which it registered.
fn move_track(tx: &mut Commit<'_, CodeKurukshetra>, before: &Team, after: &Team) {
    let Some(day) = before.day.filter(|_| before.track != after.track) else { return };
    for (track, teams) in [(&before.track, -1), (&after.track, 1)] {
        if let Some(track) = track {
            tally::add_track(tx, track.clone(), day, teams);
        }
    }
}
