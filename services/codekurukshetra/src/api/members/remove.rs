//! `DELETE /hackathon/team/{teamId}/members/{participantId}`: removes a member from a team.

use super::{changing, leave, one};
use crate::api::members;
use crate::api::prelude::*;

/// Removes a member from a team, which must stay large enough. The leader transfers the lead first.
#[operation(
    DELETE "/hackathon/team/{teamId}/members/{participantId}", once,
    refuses(members::CHANGING, InvalidTeamSize)
)]
pub(crate) async fn remove_member(app: &App, call: &Call<MemberPath>) -> Answer<NoContent> {
    let MemberPath { team_id, participant_id } = &call.path;
    let roster = changing(app, call, team_id).await?;
    let member = roster.member(participant_id)?;
    let mut tx = call.transact(&app.db).or_retry();
    leave(app, &mut tx, &roster.team, member).await?;
    one(true).add_to(&mut tx, roster.came_on(member)?, roster.config.max_teams);
    roster.check_size(roster.members.len() - 1)?;
    let mut rest = roster.ids();
    rest.retain(|id| id != participant_id);
    roster.list(&mut tx, rest);
    roster.note(app, call, &mut tx, "removeMember", participant_id)?;
    tx.respond(|_| NoContent).await
}
