//! `PUT /hackathon/team/{teamId}/members/{participantId}`: replaces a member of a team.

use super::{changing, join, leave, one};
use crate::api::admin::merges;
use crate::api::members;
use crate::api::participants::{NewMember, ParticipantView, must_be_free};
use crate::api::prelude::*;

/// Replaces a member by somebody else, so that the team keeps its size.
#[operation(
    PUT "/hackathon/team/{teamId}/members/{participantId}", once,
    refuses(members::CHANGING, DuplicateEmail)
)]
pub(crate) async fn replace_member(
    app: &App,
    call: &Call<MemberPath, NewMember>,
) -> Answer<Created<ParticipantView>> {
    let MemberPath { team_id, participant_id } = &call.path;
    let roster = changing(app, call, team_id).await?;
    let NewMember { email, profile } = &call.body;
    let (email, before) = (Email(email.clone()), roster.member(participant_id)?);
    if email.normal() == before.email.normal() {
        return Err(Problem::field("email", "is that of the member who is to be replaced"));
    }
    must_be_free(app, &email).await?;
    let today = roster.config.day_of(app.db.now())?;
    let mut member =
        profile.participant(app, app.new_id()?, email, &roster.team, &roster.config, today)?;
    merges::apply(app, &mut member).await?;
    let view = ParticipantView::to_confidant(app, &member)?;
    let mut ids = roster.ids();
    ids.iter_mut()
        .filter(|id| *id == participant_id)
        .for_each(|id| id.clone_from(&member.participant_id));
    let mut tx = call.transact(&app.db).or_retry();
    leave(app, &mut tx, &roster.team, before).await?;
    roster.list(&mut tx, ids);
    // The totals stay as they are.
    let came_on = roster.came_on(before)?;
    if came_on != today {
        one(true).add_day(&mut tx, came_on);
        one(false).add_day(&mut tx, today);
    }
    roster.note(app, call, &mut tx, "replaceMember", participant_id)?;
    let member = join(&mut tx, member);
    tx.respond(move |done| Created(view.after(&done[member]))).await
}
