//! Invitations: people join a team by themselves with a code, which its leader makes.
//!
//! A code is `<invite_id>.<secret>`, and only the hash of the secret is kept. One that is sent to an address is for
//! its owner, and good once; others are good for everybody who has them, until the team is full.

pub(crate) mod accept;
pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod revoke;

use monotable_kit::outbox::{DeadLetterKey, Lane, MessageId, OutboxMessageKey};

use crate::api::prelude::*;
use crate::app::LANE;

/// An invitation to a team, without its code.
#[derive(View)]
#[view(of = Invite, list = "invites", case = "snake")]
pub(crate) struct InviteView {
    pub(crate) invite_id: InviteId,
    pub(crate) team_id: TeamId,
    /// The address that it was sent to, if it is for one person.
    #[view(from = address(), example = "ananya@example.org")]
    pub(crate) email: Option<String>,
    #[view(absent)]
    pub(crate) status: InviteStatus,
    pub(crate) expires_at: Timestamp,
    pub(crate) invited_by: ParticipantId,
    pub(crate) accepted_by: Option<ParticipantId>,
    #[view(stamps)]
    pub(crate) stamps: Stamps,
}

/// The status of an invitation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Words)]
#[serde(rename_all = "lowercase")]
pub(crate) enum InviteStatus {
    /// It can be accepted.
    #[default]
    Open,
    /// The person to whom it was sent has joined.
    Accepted,
    /// Its time is over.
    Expired,
}

impl Invite {
    fn address(&self) -> Option<String> {
        self.email.as_ref().map(|email| email.0.clone())
    }

    /// Returns its status.
    fn status(&self, now: Timestamp) -> InviteStatus {
        match self.accepted_by {
            Some(_) => InviteStatus::Accepted,
            None if self.expires_at <= now => InviteStatus::Expired,
            None => InviteStatus::Open,
        }
    }
}

impl InviteView {
    /// Shows an invitation at a time.
    pub(crate) fn at(invite: &Invite, now: Timestamp) -> Self {
        Self { status: invite.status(now), ..Self::of(invite) }
    }
}

/// Deletes the e-mail of an invitation in a transaction: it contains the code, and the address.
pub(crate) fn delete_letter(
    tx: &mut Commit<'_, CodeKurukshetra>,
    invite: &Invite,
) -> Result<(), Problem> {
    if invite.email.is_some() {
        let lane = Lane::new(LANE).map_err(Problem::internal)?;
        let message = MessageId::new(invite.invite_id.as_str()).map_err(Problem::internal)?;
        tx.add(delete_by_key(&OutboxMessageKey::new(lane.clone(), message.clone())));
        tx.add(delete_by_key(&DeadLetterKey::new(lane, message)));
    }
    Ok(())
}
