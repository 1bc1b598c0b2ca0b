//! Invitations: made by those who run a team, and a way in for whoever has the token.
//!
//! A token is `<inviteId>.<secret>`, and only the hash of the secret is kept.

mod accept;

use std::time::Duration;

use monotable::model::{self, Transact, delete_by_key, edit};
use monotable_kit::outbox::{
    DeadLetterKey, Lane, Letter, MessageId, OutboxMessage, OutboxMessageKey,
};
use monotable_kit::{PageRequest, Problem, Reply, Request, Secret};
use serde::Deserialize;

pub(crate) use self::accept::accept;
use super::counts::{OPEN_INVITES_MAX, close_invite, drop_expired, open_invite};
use super::links::already_linked;
use super::members::{role_ceiling, rules_over};
use super::{paging, players};
use crate::app::App;
use crate::entities::{Invite, InviteStatus, Role, Stamps, Team};
use crate::ids::{InviteId, PlayerId, TeamId};
use crate::patterns::{HackTracker, HackTrackerReads as _};
use crate::policy::{self, Action};
use crate::{audit, names, show};

/// How long an invitation can be accepted.
const LIFETIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);
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
pub(crate) async fn create(app: &App, call: &Request) -> Result<Reply, Problem> {
    let NewInvite { role, player_id, email } = call.read()?;
    let email = email.map(|email| names::email(&email)).transpose();
    let email = email.map_err(|error| Problem::field("email", error))?;
    let team_id: TeamId = call.id("teamId")?;
    let granted = policy::authorize(app, call, &team_id, Action::Invite).await?;
    if !rules_over(granted.membership.role, role) {
        return Err(role_ceiling());
    }
    if let Some(player_id) = &player_id {
        let player = app.db.player(&team_id, player_id).consistent().await?;
        let player = player.ok_or_else(players::not_found)?;
        if player.user_id.is_some() {
            return Err(already_linked(&player));
        }
    }
    let (secret, now) = (Secret::generate(&*app.randomness), app.db.now());
    let invite = Invite {
        invite_id: app.new_id()?,
        team_id: team_id.clone(),
        role,
        player_id,
        email,
        token_hash: secret.hash(),
        status: InviteStatus::Pending,
        expires_at: now + LIFETIME,
        created_by: granted.user_id().clone(),
        accepted_by: None,
        stamps: Stamps::default(),
    };
    let token = format!("{}.{}", invite.invite_id, secret.reveal());
    let entity = format!("INVITE#{}", invite.invite_id);
    let entry = audit::entry(app, call, &team_id, "invite", entity)?;
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(&team_id));
    let created = tx.add(model::create(invite.clone()));
    tx.add(model::create(entry.is("role", role.word())));
    if let Some(letter) = letter(&granted.team, &invite, &token) {
        let (id, sealer) = (invite.invite_id.as_str(), &app.letter_sealer);
        tx.add(model::create(OutboxMessage::new(LANE, id, letter, sealer, now)?));
    }
    let counting = open_invite(&app.db, &mut tx, &team_id).await?;
    let done = call
        .commit(tx)
        .refuse(active, policy::team_deleted())
        .refusing(|refusals| counting.refuse_full(refusals, too_many()))
        .or_retry()
        .reply(move |done| {
            let invite = &done[created];
            let reply = Reply::created(&show::invite(invite, now)).version(invite.stamps.version);
            reply.secret("token", token.clone())
        });
    match done.await {
        // Those that have expired make room, and the request is tried again.
        Err(problem) if problem.code == too_many().code => {
            match drop_expired(&app.db, &team_id, delete_letter).await? {
                0 => Err(problem),
                _ => Err(Problem::changed()),
            }
        }
        done => done,
    }
}

/// 409 for a team that has as many open invitations as it can have.
fn too_many() -> Problem {
    let text = format!("A team can have {OPEN_INVITES_MAX} open invitations.");
    Problem::conflict("LIMIT_REACHED", text).with("limit", OPEN_INVITES_MAX)
}

/// Deletes the letter of an invitation in a transaction: it contains the token, and the address.
pub(crate) fn delete_letter(
    tx: &mut Transact<HackTracker>,
    invite: &Invite,
) -> Result<(), Problem> {
    if invite.email.is_none() {
        return Ok(());
    }
    let internal = |error: model::key::KeyError| Problem::internal(error.to_string());
    let lane = Lane::new(LANE).map_err(internal)?;
    let message = MessageId::new(invite.invite_id.as_str()).map_err(internal)?;
    tx.add(delete_by_key(&OutboxMessageKey::new(lane.clone(), message.clone())));
    tx.add(delete_by_key(&DeadLetterKey::new(lane, message)));
    Ok(())
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
pub(crate) async fn list(app: &App, call: &Request) -> Result<Reply, Problem> {
    let team_id: TeamId = call.id("teamId")?;
    policy::authorize(app, call, &team_id, Action::Invite).await?;
    let PageRequest { limit, next_token } = call.page();
    let rows = app.db.invites(&team_id).take(limit);
    let invites = paging::from(next_token.as_ref(), rows).page().await?;
    let now = app.db.now();
    let shown = invites.rows.iter().map(|invite| show::invite(invite, now));
    Ok(Reply::page("invites", shown, invites.next.as_ref()))
}

/// `DELETE /teams/{teamId}/invites/{inviteId}`: takes an invitation back.
pub(crate) async fn revoke(app: &App, call: &Request) -> Result<Reply, Problem> {
    let team_id: TeamId = call.id("teamId")?;
    let granted = policy::authorize(app, call, &team_id, Action::Invite).await?;
    let invite_id: InviteId = call.id("inviteId")?;
    let invite = app.db.invite(&invite_id).consistent().await?;
    let invite = invite.filter(|invite| invite.team_id == team_id).ok_or_else(not_found)?;
    call.check_version(invite.stamps.version)?;
    let is_own = invite.created_by == *granted.user_id();
    if !is_own && !rules_over(granted.membership.role, invite.role) {
        return Err(role_ceiling());
    }
    if !invite.is_open() {
        return Err(not_pending(&invite));
    }
    let entity = format!("INVITE#{invite_id}");
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(&team_id));
    tx.add(edit(&invite, |invite| invite.status = InviteStatus::Revoked));
    tx.add(model::create(audit::entry(app, call, &team_id, "revokeInvite", entity)?));
    let counting = close_invite(&app.db, &mut tx, &team_id, 0).await?;
    delete_letter(&mut tx, &invite)?;
    call.commit(tx)
        .refuse(active, policy::team_deleted())
        .refusing(|refusals| counting.retry(refusals))
        .or_retry()
        .reply(|_| Reply::no_content())
        .await
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
