//! The operations of the service, one file each, in folders by chapter, and the list of them from which
//! routes and documentation are made.

pub(crate) mod config;
pub(crate) mod prelude;

use monotable_kit::{Service, operations, paths};

use crate::refusal;
use crate::table::{ParticipantId, TeamId};

paths! {
    /// The team that a path names.
    TeamPath { team_id: TeamId }
    /// The participant that a path names.
    ParticipantPath { participant_id: ParticipantId }
    /// The member of a team that a path names.
    MemberPath { team_id: TeamId, participant_id: ParticipantId }
}

/// The service.
pub fn service() -> Service {
    let about = "Registration of hackathon teams, with payments.";
    Service::new("codekurukshetra", "CodeKurukshetra", about, refusal::form)
        .chapter("Event", operations![config::get, config::tracks, config::health])
        .envelop_responses()
}
