//! The way into a team.

use monotable::model::Entity as _;
use monotable_kit::{Call, Problem, Reply, Secret};
use serde::Deserialize;

use super::{forget, is_pending, not_found, not_pending};
use crate::app::App;
use crate::commands::counts::{close_invite, outcounted};
use crate::commands::links::{already_linked, linking};
use crate::commands::members::rules_over;
use crate::commands::receipt::shown;
use crate::commands::{players, teams, users};
use crate::entities::{Invite, InviteStatus, Membership, MembershipStatus, Player, Team};
use crate::ids::InviteId;
use crate::patterns::HackTrackerReads as _;
use crate::{audit, policy, show};

#[derive(Deserialize)]
struct Acceptance {
    token: String,
}

/// `POST /invites/accept`: whoever has the token becomes a member, and gets the roster slot that comes
/// with it.
pub(crate) async fn accept(app: &App, call: &Call) -> Result<Reply, Problem> {
    let Acceptance { token } = call.read()?;
    let user = users::current(app, call).await?;
    let invite = invite_of(app, &token).await?;
    if !is_pending(&invite, app.db.now()) {
        return Err(not_pending(&invite));
    }
    let team = app.db.team(&invite.team_id).consistent().await?.filter(Team::is_active);
    let team = team.ok_or_else(|| Problem::conflict("TEAM_DELETED", "The team is deleted."))?;
    let inviter = inviter_of(app, &invite).await?;
    let before = app.db.membership(&user.user_id, &team.team_id).await?;
    if before.as_ref().is_some_and(Membership::is_active) {
        return Err(Problem::conflict("ALREADY_MEMBER", "You are in the team already."));
    }
    let player = match claimed(app, &invite).await {
        Ok(player) => player,
        Err(problem) => {
            // Somebody may have accepted it a moment ago, and have the player by it.
            let invite = invite_of(app, &token).await?;
            let is_open = is_pending(&invite, app.db.now());
            return Err(if is_open { problem } else { not_pending(&invite) });
        }
    };
    let invited_by = Some(invite.created_by.clone());
    let new = teams::membership(app, &user.user_id, &team.team_id, invite.role, invited_by);
    let entity = format!("MEMBER#{}", user.user_id);
    let entry = audit::entry(app, call, &team.team_id, "acceptInvite", entity)?;
    let accepted = app
        .db
        .transact()
        .update(users::joining(app, &user).await?)
        .check(&team.key(), policy::is_active())
        .edit(&invite, |invite| {
            invite.status = InviteStatus::Accepted;
            invite.accepted_by = Some(user.user_id.clone());
        });
    let accepted = match &before {
        None => accepted.create(&new),
        Some(before) => accepted.edit(before, |member| {
            (member.role, member.status) = (new.role, MembershipStatus::Active);
            (member.joined_at, member.invited_by) = (new.joined_at, new.invited_by);
        }),
    };
    let accepted = match &player {
        Some(player) => linking(&app.db, accepted, &team, player, &user.user_id).await?,
        None => accepted,
    };
    // The invitation is good for as long as whoever made it may make it.
    let accepted = accepted.edit(&inviter, |_| {}).create(&entry.is("role", invite.role.word()));
    let accepted = close_invite(&app.db, accepted, &invite.team_id, 1).await?;
    let accepted = forget(accepted, &invite)?;
    let reply = move |member: &Membership| Reply::ok(&show::team_of(&team, member));
    call.commit(&app.db, accepted, move |receipt| shown(receipt, 3, &reply), outcounted).await
}

/// Whoever made an invitation, who must still be able to.
async fn inviter_of(app: &App, invite: &Invite) -> Result<Membership, Problem> {
    let inviter = app.db.membership(&invite.created_by, &invite.team_id).await?;
    let inviter = inviter.filter(Membership::is_active);
    let inviter = inviter.filter(|inviter| rules_over(inviter.role, invite.role));
    inviter.ok_or_else(|| {
        Problem::conflict("INVITE_NOT_PENDING", "Whoever invited you can't do so any more.")
            .with("status", "revoked")
    })
}

/// The invitation of a token.
async fn invite_of(app: &App, token: &str) -> Result<Invite, Problem> {
    let (id, secret) = token.split_once('.').ok_or_else(not_found)?;
    let id = InviteId::new(id).map_err(|_| not_found())?;
    let secret = Secret::parse(secret).ok_or_else(not_found)?;
    let invite = app.db.invite(&id).consistent().await?;
    invite.filter(|invite| secret.has_hash(&invite.token_hash)).ok_or_else(not_found)
}

/// The roster slot that comes with an invitation.
async fn claimed(app: &App, invite: &Invite) -> Result<Option<Player>, Problem> {
    let Some(player_id) = &invite.player_id else { return Ok(None) };
    let player = app.db.player(&invite.team_id, player_id).consistent().await?;
    let player = player.ok_or_else(players::not_found)?;
    match player.user_id.is_some() {
        true => Err(already_linked(&player)),
        false => Ok(Some(player)),
    }
}
