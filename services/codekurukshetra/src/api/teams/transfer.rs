//! `POST /hackathon/team/{teamId}/leader`: makes another member the leader of a team.

use super::{Sight, TeamView, is_foreign};
use crate::api::members::{self, open};
use crate::api::participants::note_read;
use crate::api::prelude::*;

/// The new leader of a team.
#[derive(Debug, Body)]
#[body(case = "snake")]
pub(crate) struct NewLeader {
    /// A member of the team.
    participant_id: ParticipantId,
}

/// Makes another member the leader of a team.
#[operation(
    POST "/hackathon/team/{teamId}/leader", once, if_match, refuses(members::CHANGING)
)]
pub(crate) async fn transfer_lead(
    app: &App,
    call: &Call<TeamPath, NewLeader>,
) -> Answer<Json<TeamView>> {
    let (team_id, heir_id) = (&call.path.team_id, &call.body.participant_id);
    let granted = policy::team(app, call, team_id, Action::Edit).await?;
    if is_foreign(&granted) {
        note_read(app, call, format!("TEAM#{team_id}")).await?;
    }
    let sight = Sight::of(&granted);
    let by_admin = granted.roles.contains(&policy::Role::Admin);
    let roster = open(app, granted.team, by_admin).await?;
    call.check_version(roster.team.stamps.version)?;
    let heir = roster.member(heir_id)?;
    if policy::is_leader(&roster.team, heir_id) {
        return Err(Problem::field("participant_id", "is the leader already"));
    }
    if heir.erased_at.is_some() {
        return Err(Problem::field("participant_id", "has left the event"));
    }
    let mut members = roster.members.clone();
    members.iter_mut().for_each(|it| it.is_leader = it.participant_id == *heir_id);
    let mut tx = call.transact(&app.db).or_retry();
    for (before, after) in roster.members.iter().zip(&members) {
        if before.is_leader != after.is_leader {
            tx.add(edit(before, |it| it.is_leader = after.is_leader));
        }
    }
    let ids = roster.ids();
    let team = tx.add(edit(&roster.team, |team| {
        (team.leader_participant_id, team.member_ids) = (heir_id.clone(), ids);
    }));
    roster.note(app, call, &mut tx, "transferLead", heir_id)?;
    tx.respond(move |done| Json(TeamView::to(&sight, &done[team], &members))).await
}
