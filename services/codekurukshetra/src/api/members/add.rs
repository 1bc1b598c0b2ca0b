//! `POST /hackathon/team/{teamId}/members`: adds a member to a team.

use super::{changing, join, one};
use crate::api::admin::merges;
use crate::api::members;
use crate::api::participants::{NewMember, ParticipantView, must_be_free};
use crate::api::prelude::*;

/// Adds a member to a team: as its leader until registration ends, or as an administrator.
#[operation(
    POST "/hackathon/team/{teamId}/members", once,
    refuses(members::CHANGING, InvalidTeamSize, DuplicateEmail)
)]
pub(crate) async fn add_member(
    app: &App,
    call: &Call<TeamPath, NewMember>,
) -> Answer<Created<ParticipantView>> {
    let roster = changing(app, call, &call.path.team_id).await?;
    roster.check_size(roster.members.len() + 1)?;
    let NewMember { email, profile } = &call.body;
    let email = Email(email.clone());
    must_be_free(app, &email).await?;
    let today = roster.config.day_of(app.db.now())?;
    let mut member =
        profile.participant(app, app.new_id()?, email, &roster.team, &roster.config, today)?;
    merges::apply(app, &mut member).await?;
    let view = ParticipantView::to_confidant(app, &member)?;
    let member_id = member.participant_id.clone();
    let mut tx = call.transact(&app.db).or_retry();
    roster.list(&mut tx, [roster.ids(), vec![member_id.clone()]].concat());
    one(false).add_to(&mut tx, today, roster.config.max_teams);
    roster.note(app, call, &mut tx, "addMember", &member_id)?;
    let member = join(&mut tx, member);
    tx.respond(move |done| Created(view.after(&done[member]))).await
}
