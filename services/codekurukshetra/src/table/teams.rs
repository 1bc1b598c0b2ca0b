//! Teams, the rows by which they are found, the waiting list, and what judges think of them.

use std::collections::BTreeMap;

use monotable::prelude::*;
use monotable_kit::Words;

use crate::rules::judging::Criterion;
use crate::rules::registration::{self, HOLD_HOURS_DEFAULT};
use crate::table::{
    AccountId, GatewayPaymentId, JudgeId, OrderId, ParticipantId, PaymentId, PaymentStatus, Stamps,
    TeamId, TeamName, Track,
};

/// How far a registration is. It decides what the other fields of a team are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
#[serde(rename_all = "snake_case")]
pub enum RegistrationStatus {
    /// A slot is held until the payment comes.
    PendingPayment,
    /// It was paid, or is free.
    Confirmed,
    /// The payment did not come in time.
    Expired,
    /// It was withdrawn.
    Cancelled,
    /// It was paid, and the money was returned.
    Refunded,
    /// It waits for a slot.
    Waitlisted,
}

impl RegistrationStatus {
    /// Returns whether such a team has one of the event's slots.
    pub fn has_slot(self) -> bool {
        registration::has_slot(self)
    }

    /// Returns whether such a team keeps its name, addresses and account for itself.
    pub fn has_guards(self) -> bool {
        match self {
            Self::PendingPayment | Self::Confirmed | Self::Refunded | Self::Waitlisted => true,
            Self::Expired | Self::Cancelled => false,
        }
    }
}

row! {
    /// A team, listed by payment status, by track and by leader.
    #[entity(type = "team")]
    #[key(pk = "TEAM#{team_id}", sk = "PROFILE")]
    #[index(GSI1: pk = "PAYMENT_STATUS#{payment_status}", sk = "TEAM#{team_id}")]
    #[index(GSI2: sparse, pk = "TRACK#{track}", sk = "TEAM#{team_id}")]
    #[index(GSI3: pk = "LEADER#{leader_participant_id}", sk = "TEAM#{team_id}")]
    #[mirror(StatusFacet)]
    #[mirror(TrackFacet)]
    pub struct Team {
        pub team_id: TeamId,
        pub name: TeamName,
        pub track: Option<Track>,
        pub leader_participant_id: ParticipantId,
        pub payment_status: PaymentStatus,
        pub payment_order_id: Option<OrderId>,
        /// The gateway's payment. The payment of the service is `payment_uuid`.
        pub payment_id: Option<GatewayPaymentId>,
        pub amount: u64,
        pub currency: String,
        pub member_count: u8,
        pub max_members: u8,
        #[serde(default)]
        pub registration_complete: bool,
        /// Absent in rows of older programs: see [`Team::registration`].
        pub registration_status: Option<RegistrationStatus>,
        /// Absent in rows of older programs: see [`Team::held_until`].
        pub hold_until: Option<Timestamp>,
        pub payment_uuid: Option<PaymentId>,
        /// The members, in the order in which they came. Absent in rows of older programs.
        #[serde(default)]
        pub member_ids: Vec<ParticipantId>,
        /// The day on which it registered, in the zone of the event: its statistics are counted there. Absent in rows
        /// of older programs.
        pub day: Option<Date>,
    }
}

impl Team {
    /// Returns how far the registration is. Of a team of an older program the status of its payment decides.
    pub fn registration(&self) -> RegistrationStatus {
        self.registration_status.unwrap_or_else(|| registration::of_legacy(self.payment_status))
    }

    /// Returns until when its slot is held for the payment; `None` if it does not wait for one.
    pub fn held_until(&self) -> Option<Timestamp> {
        let is_held = self.registration() == RegistrationStatus::PendingPayment;
        let usual = || registration::hold_until(self.stamps.created, HOLD_HOURS_DEFAULT);
        is_held.then(|| self.hold_until.unwrap_or_else(usual))
    }

    /// Changes how far the registration is, with the field that must agree with it.
    pub fn set_registration(&mut self, status: RegistrationStatus) {
        self.registration_status = Some(status);
        self.registration_complete = status == RegistrationStatus::Confirmed;
        if status != RegistrationStatus::PendingPayment {
            self.hold_until = None;
        }
    }
}

/// Teams by payment status, on the index of the design's own query.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(type = "team_facet")]
#[key(pk = "TEAM#{team_id}", sk = "IDX#PAYMENT_STATUS")]
#[index(GSI3: pk = "PAYMENT_STATUS#{payment_status}", sk = "TEAM#{team_id}")]
#[allow(missing_docs, reason = "fields are the attributes of the design document")]
pub struct StatusFacet {
    pub team_id: TeamId,
    #[copy(Team.name)]
    pub name: TeamName,
    #[copy(Team.payment_status)]
    pub payment_status: PaymentStatus,
    #[copy(Team.track)]
    pub track: Option<Track>,
    #[copy(Team.member_count)]
    pub member_count: u8,
}

impl MirrorOf<Team> for StatusFacet {
    fn mirror_of(team: &Team) -> Option<Self> {
        Some(Self {
            team_id: team.team_id.clone(),
            name: team.name.clone(),
            payment_status: team.payment_status,
            track: team.track.clone(),
            member_count: team.member_count,
        })
    }
}

/// Teams by track, on the index of the design's own query.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(type = "team_facet", allow(D02, because = "the sort keys tell the facets apart"))]
#[key(pk = "TEAM#{team_id}", sk = "IDX#TRACK")]
#[index(GSI3: pk = "TRACK#{track}", sk = "TEAM#{team_id}")]
#[allow(missing_docs, reason = "fields are the attributes of the design document")]
pub struct TrackFacet {
    pub team_id: TeamId,
    #[copy(Team.name)]
    pub name: TeamName,
    #[copy(Team.payment_status)]
    pub payment_status: PaymentStatus,
    pub track: Track,
    #[copy(Team.member_count)]
    pub member_count: u8,
}

impl MirrorOf<Team> for TrackFacet {
    fn mirror_of(team: &Team) -> Option<Self> {
        Some(Self {
            team_id: team.team_id.clone(),
            name: team.name.clone(),
            payment_status: team.payment_status,
            track: team.track.clone()?,
            member_count: team.member_count,
        })
    }
}

row! {
    /// The team that has a name.
    #[entity(type = "name_guard")]
    #[key(pk = "TEAMNAME#{name}", sk = "UNIQUE")]
    pub struct NameGuard {
        #[immutable]
        pub name: TeamName,
        pub team_id: TeamId,
    }
}

row! {
    /// A team that waits for a slot.
    #[entity(type = "waitlist")]
    #[key(pk = "WAITLIST", sk = "{waiting_since}#{team_id}")]
    pub struct WaitlistEntry {
        #[immutable]
        pub waiting_since: Timestamp,
        pub team_id: TeamId,
    }
}

row! {
    /// What a team has built.
    #[entity(type = "submission")]
    #[key(pk = "TEAM#{team_id}", sk = "SUBMISSION")]
    pub struct Submission {
        pub team_id: TeamId,
        pub title: String,
        pub description: String,
        /// Where the work is, such as a repository.
        pub url: String,
        pub demo_url: Option<String>,
        pub submitted_at: Timestamp,
        pub submitted_by: ParticipantId,
    }
}

row! {
    /// A judge's score of a submission.
    #[entity(type = "score")]
    #[key(pk = "TEAM#{team_id}", sk = "SCORE#{judge_id}")]
    pub struct Score {
        pub team_id: TeamId,
        pub judge_id: JudgeId,
        /// Points by criterion.
        pub criteria: BTreeMap<String, u8>,
        pub comment: Option<String>,
    }
}

row! {
    /// A team that a judge scores.
    #[entity(type = "assignment")]
    #[key(pk = "JUDGE#{judge_id}", sk = "TEAM#{team_id}")]
    pub struct Assignment {
        pub judge_id: JudgeId,
        pub team_id: TeamId,
        pub assigned_by: AccountId,
    }
}

row! {
    /// What judges look at.
    #[entity(type = "judging")]
    #[key(pk = "CONFIG", sk = "JUDGING")]
    pub struct JudgingRules {
        pub criteria: Vec<Criterion>,
        /// Whether somebody has scored a team by them: then they stay.
        #[serde(default)]
        pub is_used: bool,
    }
}
