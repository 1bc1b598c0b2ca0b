//! Participants, and what belongs to one of them: guards, invitations, the check-in.

use monotable::prelude::*;
use monotable_kit::{EncryptedText, FieldLocation};

use crate::table::{
    AccountId, College, Email, InviteId, ParticipantId, PaymentStatus, Stamps, TeamId,
};

row! {
    /// A person of a team.
    #[entity(
        type = "participant",
        allow(L01, because = "a past expiry counts only when the team is gone, so that it is compared by the program")
    )]
    #[key(pk = "PARTICIPANT#{participant_id}", sk = "PROFILE")]
    #[index(GSI1: pk = "EMAIL#{email}", sk = "PARTICIPANT#{participant_id}")]
    #[index(GSI2: pk = "TEAM#{team_id}", sk = "PARTICIPANT#{participant_id}")]
    #[index(GSI3: sparse, pk = "COLLEGE#{college}", sk = "PARTICIPANT#{participant_id}")]
    pub struct Participant {
        pub participant_id: ParticipantId,
        pub first_name: String,
        pub last_name: String,
        pub email: Email,
        pub phone: Option<EncryptedText>,
        /// Absent once the participant is erased.
        pub college: Option<College>,
        pub year: Option<String>,
        pub github_username: Option<String>,
        pub linkedin: Option<EncryptedText>,
        pub student_status: Option<bool>,
        pub registration_type: Option<String>,
        pub team_id: TeamId,
        #[copy(Team.payment_status)]
        pub payment_status: PaymentStatus,
        #[serde(default)]
        pub is_leader: bool,
        pub firebase_uid: Option<AccountId>,
        /// When the row may be removed: some time after the event, or after the hold of the team has ended. Absent in rows of
        /// older programs.
        pub ttl: Option<EpochSeconds>,
        /// When personal data was removed.
        pub erased_at: Option<Timestamp>,
        /// The day on which it registered, in the zone of the event: its statistics are counted there. Absent in rows
        /// of older programs.
        #[immutable]
        pub day: Option<Date>,
    }
}

impl Participant {
    /// Returns the row as encrypted fields name it.
    pub fn row_name(participant_id: &ParticipantId) -> String {
        format!("PARTICIPANT#{participant_id}")
    }

    /// Returns the name for people.
    pub fn full_name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name).trim().to_owned()
    }
}

/// Returns the location of the encrypted phone number in a row.
pub fn phone(row: &str) -> FieldLocation<'_> {
    FieldLocation { row, field: "phone" }
}

/// Returns the location of the encrypted LinkedIn address in a row.
pub fn linkedin(row: &str) -> FieldLocation<'_> {
    FieldLocation { row, field: "linkedin" }
}

row! {
    /// The participant who has registered an address.
    #[entity(type = "email_guard")]
    #[key(pk = "EMAIL#{email}", sk = "UNIQUE")]
    pub struct EmailGuard {
        #[immutable]
        pub email: Email,
        pub participant_id: ParticipantId,
    }
}

row! {
    /// The participant of an account.
    #[entity(type = "account")]
    #[key(pk = "UID#{account_id}", sk = "UNIQUE")]
    pub struct Account {
        pub account_id: AccountId,
        pub participant_id: ParticipantId,
    }
}

row! {
    /// An invitation to a team. Of its code only the hash is stored.
    #[entity(type = "invite")]
    #[key(pk = "INVITE#{invite_id}", sk = "METADATA")]
    #[index(GSI1: pk = "TEAM#{team_id}", sk = "INVITE#{invite_id}")]
    pub struct Invite {
        pub invite_id: InviteId,
        #[immutable]
        pub team_id: TeamId,
        pub code_hash: String,
        /// The address that it was sent to, if it is for one person.
        pub email: Option<Email>,
        pub invited_by: ParticipantId,
        pub accepted_by: Option<ParticipantId>,
        pub expires_at: Timestamp,
        #[ttl]
        pub ttl: Option<EpochSeconds>,
    }
}

row! {
    /// The arrival of a participant, listed by its time.
    #[entity(type = "checkin")]
    #[key(pk = "PARTICIPANT#{participant_id}", sk = "CHECKIN")]
    #[index(GSI3: pk = "CHECKIN", sk = "{checked_in_at}#{participant_id}")]
    pub struct CheckIn {
        pub participant_id: ParticipantId,
        pub team_id: TeamId,
        pub checked_in_at: Timestamp,
        pub checked_in_by: AccountId,
    }
}
