//! Invitations: made by the owner and managers of a team, accepted by anyone who has the token.
//!
//! A token is `<inviteId>.<secret>`, and only the hash of the secret is kept.

pub(crate) mod accept;
pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod revoke;

use monotable::model::key::KeyError;
use monotable::model::time::Timestamp;
use monotable::model::{Transact, delete_by_key};
use monotable_kit::outbox::{DeadLetterKey, Lane, MessageId, OutboxMessageKey};
use monotable_kit::{Problem, Refuse as _, View, Words};
use serde::Serialize;

use crate::refusal::Refusal;
use crate::table::{HackTracker, Invite, InviteId, InviteStatus, PlayerId, Role, TeamId, UserId};

/// The lane in which e-mails of invitations queue.
pub(crate) const LANE: &str = "mail";

/// An invitation.
#[derive(View)]
#[view(list = "invites")]
pub(crate) struct InviteView {
    #[view(example = "i1")]
    invite_id: InviteId,
    #[view(example = "t1")]
    team_id: TeamId,
    #[view(example = "player")]
    role: Role,
    #[view(example = "p1")]
    player_id: Option<PlayerId>,
    #[view(example = "bob@example.org")]
    email: Option<String>,
    #[view(example = "pending")]
    status: InviteState,
    #[view(example = "2026-06-08T09:30:00.000Z")]
    expires_at: Timestamp,
    #[view(example = "u1")]
    created_by: UserId,
    accepted_by: Option<UserId>,
    #[view(example = "2026-06-01T09:30:00.000Z")]
    created_at: Timestamp,
    #[view(example = "2026-06-01T09:30:00.000Z")]
    updated_at: Timestamp,
    #[view(version, example = 1)]
    ver: u64,
}

/// What became of an invitation, as clients see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Words)]
#[serde(rename_all = "lowercase")]
pub(crate) enum InviteState {
    Pending,
    Accepted,
    Revoked,
    Expired,
}

impl InviteView {
    /// Shows an invitation at a time.
    pub(crate) fn at(invite: &Invite, now: Timestamp) -> Self {
        let status = match invite.status {
            InviteStatus::Pending if invite.is_pending(now) => InviteState::Pending,
            InviteStatus::Pending => InviteState::Expired,
            InviteStatus::Accepted => InviteState::Accepted,
            InviteStatus::Revoked => InviteState::Revoked,
        };
        Self {
            invite_id: invite.invite_id.clone(),
            team_id: invite.team_id.clone(),
            role: invite.role,
            player_id: invite.player_id.clone(),
            email: invite.email.clone(),
            status,
            expires_at: invite.expires_at,
            created_by: invite.created_by.clone(),
            accepted_by: invite.accepted_by.clone(),
            created_at: invite.stamps.created,
            updated_at: invite.stamps.updated,
            ver: invite.stamps.version,
        }
    }
}

/// 409 for an invitation that was accepted or revoked, or has expired.
fn not_pending(invite: &Invite) -> Problem {
    let status = match invite.status {
        InviteStatus::Pending => "expired",
        InviteStatus::Accepted => "accepted",
        InviteStatus::Revoked => "revoked",
    };
    let text = format!("The invitation is {status}.");
    Refusal::InviteNotPending.text(text).with("status", status)
}

/// Deletes the e-mail of an invitation in a transaction: it contains the token, and the address.
pub(crate) fn delete_letter(
    tx: &mut Transact<HackTracker>,
    invite: &Invite,
) -> Result<(), Problem> {
    if invite.email.is_none() {
        return Ok(());
    }
    let internal = |error: KeyError| Problem::internal(error.to_string());
    let lane = Lane::new(LANE).map_err(internal)?;
    let message = MessageId::new(invite.invite_id.as_str()).map_err(internal)?;
    tx.add(delete_by_key(&OutboxMessageKey::new(lane.clone(), message.clone())));
    tx.add(delete_by_key(&DeadLetterKey::new(lane, message)));
    Ok(())
}
