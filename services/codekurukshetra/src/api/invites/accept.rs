//! `POST /hackathon/invites/accept`: joins a team with the code of an invitation.

use monotable_kit::CallLimit;

use super::InviteStatus;
use crate::api::admin::merges;
use crate::api::members::{self, join, one, open};
use crate::api::participants::{ParticipantView, Profile, must_be_free};
use crate::api::prelude::*;

/// Codes can't be guessed; this keeps people from trying.
const ATTEMPTS: CallLimit = CallLimit::per_hour("accept-invite", 30).counting_attempts();

/// The person who joins. The e-mail address is the verified one of the account.
#[derive(Debug, Body)]
#[body(case = "snake")]
pub(crate) struct Acceptance {
    /// The code of the invitation.
    #[body(length = 1..=200)]
    code: String,
    #[body(flatten)]
    profile: Profile,
}

/// Joins a team with the code of an invitation, as the owner of your verified e-mail address.
#[operation(
    POST "/hackathon/invites/accept", once, limit(ATTEMPTS, caller),
    refuses(
        members::CHANGING, InvalidTeamSize, DuplicateEmail, AlreadyRegistered, EmailNotVerified, InviteClosed
    )
)]
pub(crate) async fn accept_invite(
    app: &App,
    call: &Call<(), Acceptance>,
) -> Answer<Created<ParticipantView>> {
    let Acceptance { code, profile } = &call.body;
    let (account_id, email) = (policy::account(call)?, policy::verified_email(call)?);
    let invite = invite_of(app, code).await?;
    Refusal::AlreadyRegistered.unless(policy::own_participant(app, call).await?.is_none())?;
    Refusal::InviteClosed.unless(invite.status(app.db.now()) == InviteStatus::Open)?;
    let is_for_caller = invite.email.as_ref().is_none_or(|it| it.normal() == email.normal());
    let text = "The invitation is for another e-mail address.";
    is_for_caller.then_some(()).ok_or_else(|| Refusal::Forbidden.text(text))?;
    let team = app.db.team(&invite.team_id).await?.ok_or(Refusal::InviteClosed)?;
    let roster = open(app, team, false).await?;
    roster.check_size(roster.members.len() + 1)?;
    must_be_free(app, &email).await?;
    let today = roster.config.day_of(app.db.now())?;
    let mut member =
        profile.participant(app, app.new_id()?, email, &roster.team, &roster.config, today)?;
    merges::apply(app, &mut member).await?;
    member.firebase_uid = Some(account_id);
    let view = ParticipantView::to_confidant(app, &member)?;
    let member_id = member.participant_id.clone();
    let mut tx = call.transact(&app.db).or_retry();
    if invite.email.is_some() {
        tx.add(edit(&invite, |invite| invite.accepted_by = Some(member_id.clone())));
    } else {
        tx.add(check(&invite.key(), invite.unchanged()));
    }
    roster.list(&mut tx, [roster.ids(), vec![member_id.clone()]].concat());
    one(false).add_to(&mut tx, today, roster.config.max_teams);
    roster.note(app, call, &mut tx, "acceptInvite", &member_id)?;
    let member = join(&mut tx, member);
    tx.respond(move |done| Created(view.after(&done[member]))).await
}

/// Returns the id of the caller.
fn caller(call: &Call<(), Acceptance>) -> Result<String, Problem> {
    Ok(call.principal()?.id.clone())
}

/// Returns the invitation of a code.
async fn invite_of(app: &App, code: &str) -> Result<Invite, Problem> {
    let (id, secret) = code.trim().split_once('.').ok_or(Refusal::NotFound)?;
    let id = InviteId::new(id).map_err(|_| Refusal::NotFound)?;
    let secret = Secret::parse(secret).ok_or(Refusal::NotFound)?;
    let invite = app.db.invite(&id).await?;
    let invite = invite.filter(|invite| secret.has_hash(&invite.code_hash));
    invite.ok_or_else(|| Refusal::NotFound.into())
}
