//! The table: its entities, its keys and its access patterns, as the design document has them.
//!
//! Rows have plain attributes with the names of the design document. Attributes that it lacks are optional, because rows
//! of older programs do not have them.

/// Declares an entity whose row has times and a version.
macro_rules! row {
    ($(#[$attribute:meta])* pub struct $name:ident { $($fields:tt)* }) => {
        #[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
        $(#[$attribute])*
        #[allow(missing_docs, reason = "fields are the attributes of the design document")]
        pub struct $name {
            $($fields)*
            #[stamps]
            #[serde(skip)]
            pub stamps: Stamps,
        }
    };
}

mod event;
mod ids;
mod payments;
mod people;
mod requests;
mod statistics;
mod teams;
mod texts;

use monotable::prelude::*;
use monotable_kit::jobs::JobTicket;
use monotable_kit::outbox::{DeadLetter, Delivered, Lane, OutboxMessage};
use monotable_kit::{AuthKey, CountsCalls, KeepsRequests};

pub use self::event::*;
pub use self::ids::*;
pub use self::payments::*;
pub use self::people::*;
pub use self::requests::*;
pub use self::statistics::*;
pub use self::teams::*;
pub use self::texts::*;

table! {
    /// Registration of hackathon teams, with payments.
    pub CodeKurukshetra {
        name = "codekurukshetra_main";
        key(PK, SK);
        type_attribute = entity_type;
        index GSI1(GSI1PK, GSI1SK);
        index GSI2(GSI2PK, GSI2SK);
        index GSI3(GSI3PK, GSI3SK);
        ttl = ttl;
        stamps Stamps(created = created_at, updated = updated_at, version = ver);
        stamps Changes(updated = updated_at, version = ver);
        entities(
            Participant, Team, StatusFacet, TrackFacet, Payment, Config, DailyStats, TotalStats, TrackStats,
            ArrivalStats, EmailGuard, NameGuard, Account, OrderLookup, SeenEvent, RefundIntent, SentReminder,
            WaitlistEntry, Invite,
            Submission, Score, Assignment, JudgingRules, CheckIn, CollegeMerge, Audit, Alert, JobTicket, OutboxMessage,
            DeadLetter, Delivered
        );
        rules(RequestKey, Calls, AuthKey);
        patterns(CodeKurukshetraReads);
    }
}

impl KeepsRequests for CodeKurukshetra {
    type Key = RequestKey;
}

impl CountsCalls for CodeKurukshetra {
    type Key = Calls;

    fn calls(subject: &str, name: &'static str) -> Calls {
        Calls::new(subject, name)
    }
}

/// The queries of the application.
#[access_patterns(CodeKurukshetra)]
pub trait CodeKurukshetraReads {
    /// Participant that has registered an address.
    #[get(pk = "EMAIL#{email}", sk = "UNIQUE", consistent)]
    fn email_guard(&self, email: &Email) -> One<EmailGuard>;
    /// Participant by address.
    #[query(index = GSI1, pk = "EMAIL#{email}", sk = begins_with("PARTICIPANT#"))]
    fn participants_by_email(&self, email: &Email) -> Rows<Participant>;
    /// Participant by id.
    #[get(pk = "PARTICIPANT#{participant_id}", sk = "PROFILE", consistent)]
    fn participant(&self, participant_id: &ParticipantId) -> One<Participant>;
    /// Team by id.
    #[get(pk = "TEAM#{team_id}", sk = "PROFILE", consistent)]
    fn team(&self, team_id: &TeamId) -> One<Team>;
    /// Teams by id.
    #[batch_get(consistent)]
    fn teams_by_key(&self, keys: &[TeamKey]) -> Many<Team>;
    /// Payment by id.
    #[get(pk = "PAYMENT#{payment_id}", sk = "TRANSACTION", consistent)]
    fn payment(&self, payment_id: &PaymentId) -> One<Payment>;
    /// Refund of a payment that was asked for.
    #[get(pk = "PAYMENT#{payment_id}", sk = "REFUND", consistent)]
    fn refund_intent(&self, payment_id: &PaymentId) -> One<RefundIntent>;
    /// The settings of the event.
    #[get(pk = "CONFIG", sk = "HACKATHON", consistent)]
    fn config(&self) -> One<Config>;
    /// Members of a team.
    #[query(index = GSI2, pk = "TEAM#{team_id}", sk = begins_with("PARTICIPANT#"))]
    fn members(&self, team_id: &TeamId) -> Rows<Participant>;
    /// Several participants by their keys.
    #[batch_get(consistent)]
    fn participants_by_key(&self, keys: &[ParticipantKey]) -> Many<Participant>;
    /// Teams by payment status.
    #[query(index = GSI1, pk = "PAYMENT_STATUS#{status}", sk = begins_with("TEAM#"))]
    fn teams_by_status(&self, status: PaymentStatus) -> Rows<Team>;
    /// Teams by payment status, on the index of the design's own query.
    #[query(index = GSI3, pk = "PAYMENT_STATUS#{status}", sk = begins_with("TEAM#"))]
    fn status_facets(&self, status: PaymentStatus) -> Rows<StatusFacet>;
    /// Teams by track.
    #[query(index = GSI2, pk = "TRACK#{track}", sk = begins_with("TEAM#"))]
    fn teams_by_track(&self, track: &Track) -> Rows<Team>;
    /// Teams by track, on the index of the design's own query.
    #[query(index = GSI3, pk = "TRACK#{track}", sk = begins_with("TEAM#"))]
    fn track_facets(&self, track: &Track) -> Rows<TrackFacet>;
    /// Participants by college.
    #[query(index = GSI3, pk = "COLLEGE#{college}", sk = begins_with("PARTICIPANT#"))]
    fn participants_by_college(&self, college: &College) -> Rows<Participant>;
    /// Teams led by a participant.
    #[query(index = GSI3, pk = "LEADER#{participant_id}", sk = begins_with("TEAM#"))]
    fn teams_led_by(&self, participant_id: &ParticipantId) -> Rows<Team>;
    /// Payments of a team.
    #[query(index = GSI1, pk = "TEAM#{team_id}", sk = begins_with("PAYMENT#"))]
    fn payments_of(&self, team_id: &TeamId) -> Rows<Payment>;
    /// Payments by status.
    #[query(index = GSI2, pk = "STATUS#{status}", sk = begins_with("PAYMENT#"))]
    fn payments_by_status(&self, status: PaymentStatus) -> Rows<Payment>;
    /// Payments of a day.
    #[query(index = GSI3, pk = "DATE#{day}", sk = begins_with("PAYMENT#"))]
    fn payments_on(&self, day: Date) -> Rows<Payment>;
    /// Payment of an order of the gateway.
    #[get(pk = "ORDER#{order_id}", sk = "LOOKUP", consistent)]
    fn order(&self, order_id: &OrderId) -> One<OrderLookup>;
    /// Counters of a range of days.
    #[query(pk = "STATS", sk = "DAILY#{from}"..="DAILY#{to}")]
    fn daily_stats(&self, from: Date, to: Date) -> Rows<DailyStats>;
    /// Counters of a day.
    #[get(pk = "STATS", sk = "DAILY#{day}", consistent)]
    fn stats_of_day(&self, day: Date) -> One<DailyStats>;
    /// Counters of tracks, by day.
    #[query(pk = "STATS", sk = begins_with("TRACK#"))]
    fn track_stats(&self) -> Rows<TrackStats>;
    /// Counters of the event.
    #[get(pk = "STATS", sk = "TOTALS", consistent)]
    fn totals(&self) -> One<TotalStats>;
    /// Participant of an account.
    #[get(pk = "UID#{account_id}", sk = "UNIQUE", consistent)]
    fn account(&self, account_id: &AccountId) -> One<Account>;
    /// Team that has a name.
    #[get(pk = "TEAMNAME#{name}", sk = "UNIQUE", consistent)]
    fn name_guard(&self, name: &TeamName) -> One<NameGuard>;
    /// Event of the gateway that was processed.
    #[get(pk = "WEBHOOK#{event_id}", sk = "EVENT", consistent)]
    fn seen_event(&self, event_id: &EventId) -> One<SeenEvent>;
    /// Teams that wait for a slot, the first one first.
    #[query(pk = "WAITLIST", consistent)]
    fn waitlist(&self) -> Rows<WaitlistEntry>;
    /// Invitation by id.
    #[get(pk = "INVITE#{invite_id}", sk = "METADATA", consistent)]
    fn invite(&self, invite_id: &InviteId) -> One<Invite>;
    /// Invitations of a team.
    #[query(index = GSI1, pk = "TEAM#{team_id}", sk = begins_with("INVITE#"))]
    fn invites_of(&self, team_id: &TeamId) -> Rows<Invite>;
    /// What a team has built.
    #[get(pk = "TEAM#{team_id}", sk = "SUBMISSION", consistent)]
    fn submission(&self, team_id: &TeamId) -> One<Submission>;
    /// The judges' scores of a submission.
    #[query(pk = "TEAM#{team_id}", sk = begins_with("SCORE#"))]
    fn scores(&self, team_id: &TeamId) -> Rows<Score>;
    /// A judge's score of a submission.
    #[get(pk = "TEAM#{team_id}", sk = "SCORE#{judge_id}", consistent)]
    fn score(&self, team_id: &TeamId, judge_id: &JudgeId) -> One<Score>;
    /// Teams that a judge scores.
    #[query(pk = "JUDGE#{judge_id}", sk = begins_with("TEAM#"), consistent)]
    fn assignments(&self, judge_id: &JudgeId) -> Rows<Assignment>;
    /// Assignment of a judge to a team.
    #[get(pk = "JUDGE#{judge_id}", sk = "TEAM#{team_id}", consistent)]
    fn assignment(&self, judge_id: &JudgeId, team_id: &TeamId) -> One<Assignment>;
    /// What judges look at.
    #[get(pk = "CONFIG", sk = "JUDGING", consistent)]
    fn judging_rules(&self) -> One<JudgingRules>;
    /// Every submission, for organisers.
    #[scan(admin, consistent)]
    fn every_submission(&self) -> Rows<Submission>;
    /// Every score, for the leaderboard.
    #[scan(admin, consistent)]
    fn every_score(&self) -> Rows<Score>;
    /// How many participants have arrived.
    #[get(pk = "STATS", sk = "ARRIVALS", consistent)]
    fn arrivals(&self) -> One<ArrivalStats>;
    /// Check-ins, the latest first.
    #[query(index = GSI3, pk = "CHECKIN", descending)]
    fn latest_check_ins(&self) -> Rows<CheckIn>;
    /// Every assignment of a judge, for organisers.
    #[scan(admin, consistent)]
    fn every_assignment(&self) -> Rows<Assignment>;
    /// Check-ins of participants.
    #[batch_get(consistent)]
    fn check_ins(&self, keys: &[CheckInKey]) -> Many<CheckIn>;
    /// Check-in of a participant.
    #[get(pk = "PARTICIPANT#{participant_id}", sk = "CHECKIN", consistent)]
    fn check_in(&self, participant_id: &ParticipantId) -> One<CheckIn>;
    /// The college that a spelling is merged into.
    #[get(pk = "COLLEGES", sk = "MERGE#{college}", consistent)]
    fn college_merge(&self, college: &College) -> One<CollegeMerge>;
    /// All merged spellings of colleges.
    #[query(pk = "COLLEGES")]
    fn college_merges(&self) -> Rows<CollegeMerge>;
    /// Audit of a month, newest first.
    #[query(pk = "AUDIT#{month}", descending)]
    fn audit(&self, month: &Month) -> Rows<Audit>;
    /// What organisers must look at, newest first.
    #[query(pk = "ALERT#{month}", descending)]
    fn alerts(&self, month: &Month) -> Rows<Alert>;
    /// Scheduled work, for the worker.
    #[query(pk = "JOBS", consistent)]
    fn job_tickets(&self) -> Rows<JobTicket>;
    /// E-mails that are promised.
    #[query(pk = "OUTBOX#{lane}")]
    fn outbox(&self, lane: &Lane) -> Rows<OutboxMessage>;
    /// E-mails that were delivered.
    #[query(pk = "DELIVERED#{lane}")]
    fn delivered(&self, lane: &Lane) -> Rows<Delivered>;
    /// E-mails that were given up.
    #[query(pk = "DEADLETTER#{lane}")]
    fn dead_letters(&self, lane: &Lane) -> Rows<DeadLetter>;
    /// Every team, for audits and reports.
    #[scan(admin, consistent)]
    fn every_team(&self) -> Rows<Team>;
    /// Every participant, for audits and exports.
    #[scan(admin, consistent)]
    fn every_participant(&self) -> Rows<Participant>;
    /// Every payment, for audits and reports.
    #[scan(admin, consistent)]
    fn every_payment(&self) -> Rows<Payment>;
    /// Rows that older programs wrote, for the backfill.
    #[scan(admin, consistent, rows = LegacyRow)]
    fn legacy_rows(&self) -> Rows<(Team, Participant, Payment)>;
    /// Rows that must agree with each other, for the nightly check.
    #[scan(admin, consistent, rows = CheckedRow)]
    fn checked_rows(
        &self,
    ) -> Rows<(
        Team,
        Participant,
        Payment,
        EmailGuard,
        Account,
        NameGuard,
        OrderLookup,
        StatusFacet,
        TrackFacet,
    )>;
    /// A reminder that was promised.
    #[get(pk = "REMINDERS", sk = "{event_start}#{hours:010}", consistent)]
    fn reminder(&self, event_start: Timestamp, hours: u32) -> One<SentReminder>;
}

monotable_kit::background!(CodeKurukshetra, CodeKurukshetraReads);
