//! The way into a team.

use monotable::model::{create, edit};
use monotable_kit::{Problem, Reply, Request, Secret};
use serde::Deserialize;

use super::{delete_letter, not_found, not_pending};
use crate::app::App;
use crate::commands::counts::close_invite;
use crate::commands::links::{already_linked, link_player};
use crate::commands::members::rules_over;
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
pub(crate) async fn accept(app: &App, call: &Request) -> Result<Reply, Problem> {
    let Acceptance { token } = call.read()?;
    let user = users::current(app, call).await?;
    let invite = invite_of(app, &token).await?;
    if !invite.is_pending(app.db.now()) {
        return Err(not_pending(&invite));
    }
    let team = app.db.team(&invite.team_id).consistent().await?.filter(Team::is_active);
    let team = team.ok_or_else(policy::team_deleted)?;
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
            let is_open = invite.is_pending(app.db.now());
            return Err(if is_open { problem } else { not_pending(&invite) });
        }
    };
    let invited_by = Some(invite.created_by.clone());
    let new = teams::membership(app, &user.user_id, &team.team_id, invite.role, invited_by);
    let entity = format!("MEMBER#{}", user.user_id);
    let entry = audit::entry(app, call, &team.team_id, "acceptInvite", entity)?;
    let mut tx = app.db.transact();
    let joined = users::join(app, &mut tx, &user).await?;
    let active = tx.add(policy::check_active(&team.team_id));
    tx.add(edit(&invite, |invite| {
        invite.status = InviteStatus::Accepted;
        invite.accepted_by = Some(user.user_id.clone());
    }));
    let member = match &before {
        None => tx.add(create(new)),
        Some(before) => tx.add(edit(before, |member| {
            (member.role, member.status) = (new.role, MembershipStatus::Active);
            (member.joined_at, member.invited_by) = (new.joined_at, new.invited_by);
        })),
    };
    if let Some(player) = &player {
        link_player(&app.db, &mut tx, &team, player, &user.user_id).await?;
    }
    // The invitation is good for as long as its maker may make it.
    tx.add(edit(&inviter, |_| {}));
    tx.add(create(entry.is("role", invite.role.word())));
    let counting = close_invite(&app.db, &mut tx, &invite.team_id, 1).await?;
    delete_letter(&mut tx, &invite)?;
    call.commit(tx)
        .refuse(active, policy::team_deleted())
        .retry(joined)
        .retry(member)
        .refusing(|refusals| counting.retry(refusals))
        .or_retry()
        .reply(move |done| Reply::ok(&show::team_of(&team, &done[member])))
        .await
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
