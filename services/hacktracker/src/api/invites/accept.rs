//! `POST /invites/accept`: makes anyone who has the token of an invitation a member of the team.

use super::{delete_letter, not_pending};
use crate::api::links::{already_linked, link_player};
use crate::api::members::rules_over;
use crate::api::prelude::*;
use crate::api::teams::TeamView;
use crate::api::{teams, users};

/// The invitation to accept.
#[derive(Debug, Body)]
pub(crate) struct Acceptance {
    /// The token of the invitation.
    #[body(length = 1..=300)]
    token: String,
}

/// Makes you a member of the team, with the roster slot that comes with the invitation.
#[operation(
    POST "/invites/accept", once,
    refuses(
        InviteNotFound, PlayerNotFound, InviteNotPending, AlreadyMember, PlayerAlreadyLinked, LimitReached,
        TeamDeleted
    )
)]
pub(crate) async fn accept_invite(
    app: &App,
    call: &Call<(), Acceptance>,
) -> Answer<Json<TeamView>> {
    let token = &call.body.token;
    let user = users::current(app, call).await?;
    let invite = invite_of(app, token).await?;
    if !invite.is_pending(app.db.now()) {
        return Err(not_pending(&invite));
    }
    let team = app.db.team(&invite.team_id).consistent().await?.filter(Team::is_active);
    let team = team.ok_or(Refusal::TeamDeleted)?;
    let inviter = inviter_of(app, &invite).await?;
    let before = app.db.membership(&user.user_id, &team.team_id).await?;
    if before.as_ref().is_some_and(Membership::is_active) {
        return Err(Refusal::AlreadyMember.into());
    }
    let player = claimed(app, &invite, token).await?;
    let invited_by = Some(invite.created_by.clone());
    let new = teams::membership(app, &user.user_id, &team.team_id, invite.role, invited_by);
    let entity = format!("MEMBER#{}", user.user_id);
    let entry = audit::entry(app, call, &team.team_id, "acceptInvite", entity)?;
    let mut tx = scope::change(app, call, &team.team_id);
    users::join(app, &mut tx, &user).await?;
    tx.add(edit(&invite, |invite| {
        invite.status = InviteStatus::Accepted;
        invite.accepted_by = Some(user.user_id.clone());
    }));
    let member = match &before {
        None => tx.expect(create(new)),
        Some(before) => tx.expect(edit(before, |member| {
            (member.role, member.status) = (new.role, MembershipStatus::Active);
            (member.joined_at, member.invited_by) = (new.joined_at, new.invited_by);
        })),
    };
    if let Some(player) = &player {
        link_player(&app.db, &mut tx, &team, player, &user.user_id).await?;
    }
    // The invitation is valid as long as the inviter is allowed to create it.
    tx.add(edit(&inviter, |_| {}));
    tx.add(create(entry.is("role", invite.role.word())));
    counts::count(&app.db, &mut tx, &invite.team_id, 1, -1).await?;
    delete_letter(&mut tx, &invite)?;
    tx.respond(move |done| Json(TeamView::of_member(&team, &done[member]))).await
}

/// Returns the membership of the inviter, who must still be allowed to invite.
async fn inviter_of(app: &App, invite: &Invite) -> Result<Membership, Problem> {
    let inviter = app.db.membership(&invite.created_by, &invite.team_id).await?;
    let inviter = inviter.filter(Membership::is_active);
    let inviter = inviter.filter(|inviter| rules_over(inviter.role, invite.role));
    inviter.ok_or_else(|| {
        let text = "The user who invited you can no longer do so.";
        Refusal::InviteNotPending.text(text).with("status", "revoked")
    })
}

/// Returns the invitation of a token.
async fn invite_of(app: &App, token: &str) -> Result<Invite, Problem> {
    let (id, secret) = token.split_once('.').ok_or(Refusal::InviteNotFound)?;
    let id = InviteId::new(id).map_err(|_| Refusal::InviteNotFound)?;
    let secret = Secret::parse(secret).ok_or(Refusal::InviteNotFound)?;
    let invite = app.db.invite(&id).consistent().await?;
    let invite = invite.filter(|invite| secret.has_hash(&invite.token_hash));
    invite.ok_or_else(|| Refusal::InviteNotFound.into())
}

/// Returns the roster slot that comes with an invitation.
async fn claimed(app: &App, invite: &Invite, token: &str) -> Result<Option<Player>, Problem> {
    let Some(player_id) = &invite.player_id else { return Ok(None) };
    let player = app.db.player(&invite.team_id, player_id).consistent().await?;
    let problem = match player {
        Some(player) if player.user_id.is_none() => return Ok(Some(player)),
        Some(player) => already_linked(&player),
        None => Refusal::PlayerNotFound.into(),
    };
    // Another request may have accepted the invitation just now and linked the player.
    let invite = invite_of(app, token).await?;
    Err(if invite.is_pending(app.db.now()) { problem } else { not_pending(&invite) })
}
