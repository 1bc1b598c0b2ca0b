//! CodeKurukshetra: registration of hackathon teams, with payments.

mod texts;

use std::collections::BTreeMap;

use monotable::prelude::*;

pub use self::texts::{College, Email, TeamName};

ids!(
    ParticipantId,
    TeamId,
    PaymentId,
    GatewayPaymentId,
    OrderId,
    EventId,
    AccountId,
    Track,
    InviteId,
    JudgeId,
    RowId,
    Month,
    ScopeHash,
    RequestKey,
    Subject,
    Route
);

/// How far a payment is.
#[derive(KeyWord, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PaymentStatus {
    Pending,
    Paid,
    Failed,
    Refunded,
}

row! {
    /// A person of a team. An address is registered once.
    #[entity(
        type = "participant",
        allow(L03, because = "the guard of the address has the expiry of its participant")
    )]
    #[key(pk = "PARTICIPANT#{participant_id}", sk = "PROFILE")]
    #[index(GSI1: pk = "EMAIL#{email}", sk = "PARTICIPANT#{participant_id}")]
    #[index(GSI2: pk = "TEAM#{team_id}", sk = "PARTICIPANT#{participant_id}")]
    #[index(GSI3: pk = "COLLEGE#{college}", sk = "PARTICIPANT#{participant_id}")]
    #[unique(email, pk = "EMAIL#{email}", sk = "UNIQUE")]
    pub struct Participant {
        pub participant_id: ParticipantId,
        pub first_name: String,
        pub last_name: String,
        pub email: Email,
        pub phone: Option<String>,
        pub college: College,
        pub year: Option<String>,
        pub github_username: Option<String>,
        pub linkedin: Option<String>,
        pub student_status: Option<bool>,
        pub registration_type: Option<String>,
        pub team_id: TeamId,
        #[copy(Team.payment_status)]
        pub payment_status: PaymentStatus,
        pub is_leader: bool,
        pub firebase_uid: Option<AccountId>,
        #[ttl]
        pub ttl: Option<EpochSeconds>,
    }
}

row! {
    /// A team, listed by payment status, by track and by leader. A name is taken once.
    #[entity(type = "team")]
    #[key(pk = "TEAM#{team_id}", sk = "PROFILE")]
    #[index(GSI1: pk = "PAYMENT_STATUS#{payment_status}", sk = "TEAM#{team_id}")]
    #[index(GSI2: sparse, pk = "TRACK#{track}", sk = "TEAM#{team_id}")]
    #[index(GSI3: pk = "LEADER#{leader_participant_id}", sk = "TEAM#{team_id}")]
    #[unique(name, pk = "TEAMNAME#{name}", sk = "UNIQUE")]
    #[mirror(StatusFacet)]
    #[mirror(TrackFacet)]
    pub struct Team {
        pub team_id: TeamId,
        pub name: TeamName,
        pub track: Option<Track>,
        pub leader_participant_id: ParticipantId,
        pub payment_status: PaymentStatus,
        pub payment_order_id: Option<OrderId>,
        pub payment_id: Option<GatewayPaymentId>,
        pub amount: u64,
        pub currency: String,
        pub member_count: u8,
        pub max_members: u8,
        pub registration_complete: bool,
        #[serde(default)]
        pub member_ids: Vec<ParticipantId>,
    }
}

/// Teams by payment status on the index where the seed looks for them.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(type = "team_facet_status")]
#[key(pk = "TEAM#{team_id}", sk = "IDX#PAYMENT_STATUS")]
#[index(GSI3: pk = "PAYMENT_STATUS#{payment_status}", sk = "TEAM#{team_id}")]
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

/// Teams by track on the index where the seed looks for them.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(type = "team_facet_track")]
#[key(pk = "TEAM#{team_id}", sk = "IDX#TRACK")]
#[index(GSI3: pk = "TRACK#{track}", sk = "TEAM#{team_id}")]
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
    /// A payment of a team, listed by the day of the event's time zone on which it was begun. The seed
    /// has that day in the key only, so rows that others wrote may lack it.
    #[entity(type = "payment")]
    #[key(pk = "PAYMENT#{payment_id}", sk = "TRANSACTION")]
    #[index(GSI1: pk = "TEAM#{team_id}", sk = "PAYMENT#{payment_id}")]
    #[index(GSI2: pk = "STATUS#{status}", sk = "PAYMENT#{payment_id}")]
    #[index(GSI3: sparse, pk = "DATE#{day}", sk = "PAYMENT#{payment_id}")]
    pub struct Payment {
        pub payment_id: PaymentId,
        #[immutable]
        pub team_id: TeamId,
        pub razorpay_order_id: Option<OrderId>,
        pub razorpay_payment_id: Option<GatewayPaymentId>,
        pub razorpay_signature: Option<String>,
        pub status: PaymentStatus,
        #[immutable]
        pub day: Option<Date>,
        pub amount: u64,
        pub currency: String,
        pub payment_method: Option<String>,
        #[serde(default)]
        pub webhook_verified: bool,
        #[serde(default)]
        pub metadata: BTreeMap<String, String>,
    }
}

/// The settings of the event.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(type = "config")]
#[key(pk = "CONFIG", sk = "HACKATHON")]
pub struct Config {
    pub event_name: String,
    pub registration_open: bool,
    pub registration_start: Timestamp,
    pub registration_end: Timestamp,
    pub event_start: Timestamp,
    pub event_end: Timestamp,
    pub team_fee: u64,
    pub max_team_size: u8,
    pub min_team_size: u8,
    pub max_teams: u32,
    pub tracks: Vec<Track>,
    #[stamps]
    #[serde(skip)]
    pub stamps: Changes,
}

/// The figures of a day.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(type = "daily_stats", allow(W02, because = "the first event of a day makes its row"))]
#[key(pk = "STATS", sk = "DAILY#{day}")]
pub struct DailyStats {
    #[immutable]
    pub day: Date,
    #[counter]
    #[serde(default)]
    pub registrations: u64,
    #[counter]
    #[serde(default)]
    pub payments_paid: u64,
    #[counter]
    #[serde(default)]
    pub revenue_minor: u64,
    #[serde(default)]
    pub per_track: BTreeMap<String, u64>,
}

/// The figures of the event.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(type = "total_stats", allow(W02, because = "the first registration makes the row"))]
#[key(pk = "STATS", sk = "TOTALS")]
pub struct TotalStats {
    #[counter]
    #[serde(default)]
    pub slots_used: u64,
    #[counter]
    #[serde(default)]
    pub teams_confirmed: u64,
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
    /// The payment of a gateway's order.
    #[entity(type = "order_lookup")]
    #[key(pk = "ORDER#{order_id}", sk = "LOOKUP")]
    pub struct OrderLookup {
        pub order_id: OrderId,
        pub payment_id: PaymentId,
        pub team_id: TeamId,
    }
}

row! {
    /// An event of the gateway that was worked on.
    #[entity(type = "webhook")]
    #[key(pk = "WEBHOOK#{event_id}", sk = "EVENT")]
    pub struct Webhook {
        pub event_id: EventId,
    }
}

row! {
    /// An invitation to a team.
    #[entity(type = "invite")]
    #[key(pk = "INVITE#{invite_id}", sk = "METADATA")]
    pub struct Invite {
        pub invite_id: InviteId,
        pub team_id: TeamId,
        #[ttl]
        pub ttl: Option<EpochSeconds>,
    }
}

row! {
    /// What a team built.
    #[entity(type = "submission")]
    #[key(pk = "TEAM#{team_id}", sk = "SUBMISSION")]
    pub struct Submission {
        pub team_id: TeamId,
        pub url: String,
    }
}

row! {
    /// What a judge thought of it.
    #[entity(type = "score")]
    #[key(pk = "TEAM#{team_id}", sk = "SCORE#{judge_id}")]
    pub struct Score {
        pub team_id: TeamId,
        pub judge_id: JudgeId,
        pub points: u16,
    }
}

row! {
    /// That a participant came.
    #[entity(type = "checkin")]
    #[key(pk = "PARTICIPANT#{participant_id}", sk = "CHECKIN")]
    pub struct CheckIn {
        pub participant_id: ParticipantId,
    }
}

row! {
    /// What was done, by whom.
    #[entity(type = "audit")]
    #[key(pk = "AUDIT#{month}", sk = "{at}#{id}")]
    pub struct Audit {
        pub month: Month,
        #[immutable]
        pub at: Timestamp,
        pub id: RowId,
        pub action: String,
    }
}

row! {
    /// A mail to be sent.
    #[entity(type = "outbox")]
    #[key(pk = "OUTBOX#{day}", sk = "{id}")]
    pub struct Outbox {
        #[immutable]
        pub day: Date,
        pub id: RowId,
        pub recipient: String,
    }
}

row! {
    /// The answer to a request that came with a key.
    #[entity(type = "idempotency")]
    #[key(pk = "IDEM#{scope_hash}", sk = "{idempotency_key}")]
    pub struct Idempotency {
        pub scope_hash: ScopeHash,
        pub idempotency_key: RequestKey,
        pub request_hash: String,
        #[ttl]
        pub ttl: Option<EpochSeconds>,
    }
}

/// How often somebody called a route in a window.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(
    type = "rate",
    allow(K04, because = "windows are counted, never read in order"),
    allow(L03, because = "the counter is the whole row, so nothing outlives it"),
    allow(W02, because = "the first call of a window makes its row")
)]
#[key(pk = "RATE#{subject}", sk = "{route}#{window}")]
pub struct Rate {
    pub subject: Subject,
    pub route: Route,
    #[immutable]
    pub window: u64,
    #[counter]
    pub count: u64,
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

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
            Participant, Team, StatusFacet, TrackFacet, Payment, Config, DailyStats, TotalStats, Account,
            OrderLookup, Webhook, Invite, Submission, Score, CheckIn, Audit, Outbox, Idempotency, Rate
        );
        patterns(CodeKurukshetraReads);
    }
}

/// The questions of the application.
#[access_patterns(CodeKurukshetra)]
pub trait CodeKurukshetraReads {
    /// Whether an address is registered, and to whom.
    #[get(unique = email)]
    fn registered(&self, email: &Email) -> One<Participant>;
    /// Participant by address.
    #[query(index = GSI1, pk = "EMAIL#{email}")]
    fn participant_by_email(&self, email: &Email) -> One<Participant>;
    /// Participant by id.
    #[get(pk = "PARTICIPANT#{participant_id}", sk = "PROFILE")]
    fn participant(&self, participant_id: &ParticipantId) -> One<Participant>;
    /// Team by id.
    #[get(pk = "TEAM#{team_id}", sk = "PROFILE")]
    fn team(&self, team_id: &TeamId) -> One<Team>;
    /// Payment by id.
    #[get(pk = "PAYMENT#{payment_id}", sk = "TRANSACTION")]
    fn payment(&self, payment_id: &PaymentId) -> One<Payment>;
    /// The settings of the event.
    #[get(pk = "CONFIG", sk = "HACKATHON", consistent)]
    fn config(&self) -> One<Config>;
    /// Members of a team.
    #[query(index = GSI2, pk = "TEAM#{team_id}", sk = begins_with("PARTICIPANT#"))]
    fn members(&self, team_id: &TeamId) -> Rows<Participant>;
    /// Several participants by their keys, after a write.
    #[batch_get(consistent)]
    fn participants(&self, keys: &[ParticipantKey]) -> Many<Participant>;
    /// Teams by payment status.
    #[query(index = GSI1, pk = "PAYMENT_STATUS#{status}")]
    fn teams_by_status(&self, status: PaymentStatus) -> Rows<Team>;
    /// Teams by payment status, where the seed looks for them.
    #[query(index = GSI3, pk = "PAYMENT_STATUS#{status}")]
    fn status_facets(&self, status: PaymentStatus) -> Rows<StatusFacet>;
    /// Teams by track.
    #[query(index = GSI2, pk = "TRACK#{track}")]
    fn teams_by_track(&self, track: &Track) -> Rows<Team>;
    /// Teams by track, where the seed looks for them.
    #[query(index = GSI3, pk = "TRACK#{track}")]
    fn track_facets(&self, track: &Track) -> Rows<TrackFacet>;
    /// Participants by college.
    #[query(index = GSI3, pk = "COLLEGE#{college}")]
    fn participants_by_college(&self, college: &College) -> Rows<Participant>;
    /// Teams led by a participant.
    #[query(index = GSI3, pk = "LEADER#{participant_id}")]
    fn teams_led_by(&self, participant_id: &ParticipantId) -> Rows<Team>;
    /// Payments of a team.
    #[query(index = GSI1, pk = "TEAM#{team_id}", sk = begins_with("PAYMENT#"))]
    fn payments_of(&self, team_id: &TeamId) -> Rows<Payment>;
    /// Payments by status.
    #[query(index = GSI2, pk = "STATUS#{status}")]
    fn payments_by_status(&self, status: PaymentStatus) -> Rows<Payment>;
    /// Payments of a day.
    #[query(index = GSI3, pk = "DATE#{day}")]
    fn payments_on(&self, day: Date) -> Rows<Payment>;
    /// Payment of a gateway's order.
    #[get(pk = "ORDER#{order_id}", sk = "LOOKUP")]
    fn order(&self, order_id: &OrderId) -> One<OrderLookup>;
    /// Figures of a range of days.
    #[query(pk = "STATS", sk = "DAILY#{from}"..="DAILY#{to}")]
    fn daily_stats(&self, from: Date, to: Date) -> Rows<DailyStats>;
    /// Figures of the event.
    #[get(pk = "STATS", sk = "TOTALS")]
    fn totals(&self) -> One<TotalStats>;
    /// Participant of an account.
    #[get(pk = "UID#{account_id}", sk = "UNIQUE")]
    fn account(&self, account_id: &AccountId) -> One<Account>;
    /// Whether an event of the gateway was worked on.
    #[get(pk = "WEBHOOK#{event_id}", sk = "EVENT", consistent)]
    fn webhook(&self, event_id: &EventId) -> One<Webhook>;
    /// Invite by id.
    #[get(pk = "INVITE#{invite_id}", sk = "METADATA")]
    fn invite(&self, invite_id: &InviteId) -> One<Invite>;
    /// What a team built.
    #[get(pk = "TEAM#{team_id}", sk = "SUBMISSION")]
    fn submission(&self, team_id: &TeamId) -> One<Submission>;
    /// What the judges thought of it.
    #[query(pk = "TEAM#{team_id}", sk = begins_with("SCORE#"))]
    fn scores(&self, team_id: &TeamId) -> Rows<Score>;
    /// Whether a participant came.
    #[get(pk = "PARTICIPANT#{participant_id}", sk = "CHECKIN")]
    fn check_in(&self, participant_id: &ParticipantId) -> One<CheckIn>;
    /// What was done in a month, newest first.
    #[query(pk = "AUDIT#{month}", descending)]
    fn audit(&self, month: &Month) -> Rows<Audit>;
    /// Mails of a day.
    #[query(pk = "OUTBOX#{day}")]
    fn outbox(&self, day: Date) -> Rows<Outbox>;
    /// The answer to a request that came with a key.
    #[get(pk = "IDEM#{scope}", sk = "{key}", consistent)]
    fn idempotency(&self, scope: &ScopeHash, key: &RequestKey) -> One<Idempotency>;
    /// A rate counter.
    #[get(pk = "RATE#{subject}", sk = "{route}#{window}")]
    fn rate(&self, subject: &Subject, route: &Route, window: u64) -> One<Rate>;
}
