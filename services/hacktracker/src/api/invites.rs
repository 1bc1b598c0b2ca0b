//! Invitations: created by the owner and managers of a team, accepted by anyone who has the token.
//!
//! A token is `<inviteId>.<secret>`, and only the hash of the secret is kept.

pub(crate) mod accept;
pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod revoke;

use monotable::model::key::KeyError;
use monotable_kit::outbox::{DeadLetterKey, Lane, MessageId, OutboxMessageKey};

use crate::api::prelude::*;

/// The lane in which e-mails of invitations queue.
pub(crate) const LANE: &str = "mail";

/// An invitation.
#[derive(View)]
#[view(of = Invite, list = "invites")]
pub(crate) struct InviteView {
    invite_id: InviteId,
    team_id: TeamId,
    role: Role,
    #[view(example = "p1")]
    player_id: Option<PlayerId>,
    #[view(example = "bob@example.org")]
    email: Option<String>,
    #[view(from = end())]
    status: InviteState,
    expires_at: Timestamp,
    created_by: UserId,
    accepted_by: Option<UserId>,
    #[view(stamps)]
    stamps: Stamps,
}

/// The state of an invitation, as clients see it.
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
        let status = if invite.is_pending(now) { InviteState::Pending } else { invite.end() };
        Self { status, ..Self::of(invite) }
    }
}

impl Invite {
    /// Returns the state of an invitation that is not pending.
    fn end(&self) -> InviteState {
        match self.status {
            InviteStatus::Pending => InviteState::Expired,
            InviteStatus::Accepted => InviteState::Accepted,
            InviteStatus::Revoked => InviteState::Revoked,
        }
    }
}

/// Creates the 409 for an invitation that was accepted or revoked, or has expired.
fn not_pending(invite: &Invite) -> Problem {
    let status = json!(invite.end());
    let text = format!("The invitation is {}.", status.as_str().unwrap_or_default());
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
