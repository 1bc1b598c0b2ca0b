//! Invitations: made by those who run a team, and a way in for whoever has the token.
//!
//! A token is `<inviteId>.<secret>`, and only the hash of the secret is kept.

mod accept;

use std::time::Duration;

use monotable::model::Entity as _;
use monotable_kit::outbox::{Letter, OutboxMessage};
use monotable_kit::{Call, PageRequest, Problem, Reply, Secret};
use serde::Deserialize;

pub(crate) use self::accept::accept;
use super::links::already_linked;
use super::members::{role_ceiling, rules_over};
use super::receipt::{outrun, revealing, shown};
use super::scope::{all, overtaken};
use super::{paging, players};
use crate::app::App;
use crate::entities::{Invite, InviteStatus, Role, Team};
use crate::ids::{InviteId, PlayerId, TeamId};
use crate::patterns::HackTrackerReads as _;
use crate::policy::{self, Action};
use crate::{names, show};

/// How long an invitation can be accepted.
const LIFETIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// Invitations of a team that can be accepted at the same time.
const PENDING_MAX: usize = 50;
/// Where letters of invitations queue.
pub(crate) const LANE: &str = "mail";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewInvite {
    role: Role,
    player_id: Option<PlayerId>,
    email: Option<String>,
}

/// `POST /teams/{teamId}/invites`. The answer has the token; with an address it is sent there as well.
pub(crate) async fn create(app: &App, call: &Call) -> Result<Reply, Problem> {
    let NewInvite { role, player_id, email } = call.read()?;
    let email = email.map(|email| names::email(&email)).transpose();
    let email = email.map_err(|error| Problem::field("email", error))?;
    let team_id: TeamId = call.id("teamId")?;
    let granted = policy::authorize(app, call, &team_id, Action::Invite).await?;
    if !rules_over(&granted, role) {
        return Err(role_ceiling());
    }
    if let Some(player_id) = &player_id {
        let player = app.db.player(&team_id, player_id).consistent().await?;
        let player = player.ok_or_else(players::not_found)?;
        if player.user_id.is_some() {
            return Err(already_linked(&player));
        }
    }
    check_room(app, &team_id).await?;
    let (secret, now) = (Secret::generate(&*app.randomness), app.db.now());
    let invite = Invite {
        invite_id: app.new_id()?,
        team_id,
        role,
        player_id,
        email,
        token_hash: secret.hash(),
        status: InviteStatus::Pending,
        expires_at: now + LIFETIME,
        created_by: granted.user_id().clone(),
        accepted_by: None,
        created_at: now,
        updated_at: now,
        ver: 0,
    };
    let token = format!("{}.{}", invite.invite_id, secret.reveal());
    // The team is changed, so that of two invitations which both have room one is tried again.
    let touched = Team::update(&granted.team.key()).when(policy::is_active_still(&granted.team));
    let mut created = app.db.transact().update(touched).create(&invite);
    if let Some(letter) = letter(&granted.team, &invite, &token) {
        let message = OutboxMessage::new(LANE, &app.new_id::<String>()?, letter, now)?;
        created = created.create(&message);
    }
    let reply = |invite: &Invite| Reply::created(&show::invite(invite)).version(invite.ver);
    let told =
        call.commit(&app.db, created, move |receipt| shown(receipt, 1, reply), outrun).await?;
    Ok(revealing(told, "token", token))
}

/// That the team may have one more invitation.
async fn check_room(app: &App, team_id: &TeamId) -> Result<(), Problem> {
    let now = app.db.now();
    let invites = all(app.db.invites(team_id)).await?;
    match invites.iter().filter(|invite| is_pending(invite, now)).count() < PENDING_MAX {
        true => Ok(()),
        false => {
            let text = format!("A team can have {PENDING_MAX} open invitations.");
            Err(Problem::conflict("LIMIT_REACHED", text))
        }
    }
}

/// Whether an invitation can still be accepted.
fn is_pending(invite: &Invite, now: monotable::model::time::Timestamp) -> bool {
    invite.status == InviteStatus::Pending && invite.expires_at > now
}

fn letter(team: &Team, invite: &Invite, token: &str) -> Option<Letter> {
    Some(Letter {
        recipient: invite.email.clone()?,
        subject: format!("You are invited to the team {}", team.name),
        text: format!(
            "You are invited to the team {} on HackTracker. Accept within a week with this token:\n\n{token}\n",
            team.name
        ),
        deduplication_key: format!("invite-{}", invite.invite_id),
    })
}

/// `GET /teams/{teamId}/invites`.
pub(crate) async fn list(app: &App, call: &Call) -> Result<Reply, Problem> {
    let team_id: TeamId = call.id("teamId")?;
    policy::authorize(app, call, &team_id, Action::Invite).await?;
    let PageRequest { limit, next_token } = call.page();
    let rows = app.db.invites(&team_id).take(limit);
    let invites = paging::from(next_token.as_ref(), rows).page().await?;
    Ok(Reply::page("invites", invites.rows.iter().map(show::invite), invites.next.as_ref()))
}

/// `DELETE /teams/{teamId}/invites/{inviteId}`: takes an invitation back.
pub(crate) async fn revoke(app: &App, call: &Call) -> Result<Reply, Problem> {
    let team_id: TeamId = call.id("teamId")?;
    let granted = policy::authorize(app, call, &team_id, Action::Invite).await?;
    let invite_id: InviteId = call.id("inviteId")?;
    let invite = app.db.invite(&invite_id).consistent().await?;
    let invite = invite.filter(|invite| invite.team_id == team_id).ok_or_else(not_found)?;
    call.check_version(invite.ver)?;
    if !rules_over(&granted, invite.role) {
        return Err(role_ceiling());
    }
    if invite.status != InviteStatus::Pending {
        return Err(not_pending(&invite));
    }
    let revoked = app
        .db
        .transact()
        .check(&granted.team.key(), policy::is_active())
        .edit(&invite, |invite| invite.status = InviteStatus::Revoked);
    call.commit(&app.db, revoked, |_| Reply::no_content(), overtaken).await
}

/// 404 for an invitation that is not there, and for a secret that is not its own.
fn not_found() -> Problem {
    Problem::not_found("INVITE_NOT_FOUND", "There is no such invitation.")
}

/// 409 for an invitation that was accepted, taken back, or has expired.
fn not_pending(invite: &Invite) -> Problem {
    let status = match invite.status {
        InviteStatus::Pending => "expired",
        InviteStatus::Accepted => "accepted",
        InviteStatus::Revoked => "revoked",
    };
    Problem::conflict("INVITE_NOT_PENDING", format!("The invitation is {status}."))
        .with("status", status)
}
