//! The operations of the service, one file each, in folders by chapter, and the list of them from which
//! routes and documentation are made.

pub(crate) mod admin;
pub(crate) mod certificates;
pub(crate) mod checkin;
pub(crate) mod codes;
pub(crate) mod config;
pub(crate) mod invites;
pub(crate) mod judging;
pub(crate) mod me;
pub(crate) mod members;
pub(crate) mod participants;
pub(crate) mod payment;
pub(crate) mod prelude;
pub(crate) mod register;
pub(crate) mod submissions;
pub(crate) mod teams;

use monotable_kit::{Service, operations, paths};

use crate::pages;
use crate::refusal;
use crate::table::{InviteId, ParticipantId, TeamId};

paths! {
    /// The team that a path names.
    TeamPath { team_id: TeamId }
    /// The participant that a path names.
    ParticipantPath { participant_id: ParticipantId }
    /// The member of a team that a path names.
    MemberPath { team_id: TeamId, participant_id: ParticipantId }
    /// The invitation to a team that a path names.
    InvitePath { team_id: TeamId, invite_id: InviteId }
}

/// Returns the service.
pub fn service() -> Service {
    let about = "Registration of hackathon teams, with payments.";
    Service::new("codekurukshetra", "CodeKurukshetra", about, refusal::form)
        .home("/event")
        .chapter("Event", operations![config::get, config::tracks, config::health])
        .chapter("Registration", operations![register::team])
        .chapter("Payment", operations![payment::create_order, payment::verify, payment::webhook])
        .chapter("Teams", operations![teams::get, teams::update, teams::delete, teams::transfer])
        .chapter("Members", operations![members::add, members::replace, members::remove])
        .chapter(
            "Invitations",
            operations![invites::create, invites::list, invites::revoke, invites::accept],
        )
        .chapter(
            "Participants",
            operations![participants::get, participants::update, participants::erase],
        )
        .chapter("Me", operations![me::get, me::export])
        .chapter(
            "Event day",
            operations![
                checkin::ticket,
                checkin::arrive,
                checkin::undo,
                checkin::list,
                checkin::follow,
                certificates::verify,
            ],
        )
        .chapter("Submissions", operations![submissions::put, submissions::get, submissions::list])
        .chapter(
            "Judging",
            operations![
                judging::criteria,
                judging::set_criteria,
                judging::assign,
                judging::unassign,
                judging::assigned,
                judging::mine,
                judging::score,
                judging::leaderboard,
            ],
        )
        .chapter("Organisers", admin::operations())
        .chapter("Pages", pages::operations())
        .envelop_responses()
}
