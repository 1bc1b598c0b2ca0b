//! Payments, and what the gateway says about them.

use monotable::prelude::*;
use monotable_kit::{EncryptedText, FieldLocation, Words};

use crate::table::{
    AccountId, EventId, GatewayPaymentId, OrderId, ParticipantId, PaymentId, RefundId, Stamps,
    Team, TeamId,
};

/// The status of a payment. It only advances: `pending`, `failed`, `paid`, `refunded`.
#[derive(
    KeyWord, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Words,
)]
#[serde(rename_all = "lowercase")]
pub enum PaymentStatus {
    /// There is no result yet.
    Pending,
    /// The last attempt failed; another one may succeed.
    Failed,
    /// The gateway has the money.
    Paid,
    /// The money was returned.
    Refunded,
}

/// How it became known that a payment was captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum SettledBy {
    /// The browser brought the gateway's signature.
    Verify,
    /// The gateway sent an event.
    Webhook,
    /// The service looked the order up.
    Reconcile,
}

/// An attempt to pay that the gateway has reported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "fields are the attributes of the design document")]
pub struct Attempt {
    pub razorpay_payment_id: GatewayPaymentId,
    /// `authorized`, `failed`, `captured` or `other_amount`.
    pub outcome: String,
    pub at: Timestamp,
}

/// The payer's client.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "fields are the attributes of the design document")]
pub struct PaymentMetadata {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ip_address: Option<EncryptedText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_timestamp: Option<Timestamp>,
    /// The payer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub participant_id: Option<ParticipantId>,
}

row! {
    /// A payment of a team, listed by the day of the event's time zone on which it was begun. The design
    /// document has that day in the key only, so rows of older programs may lack it.
    ///
    /// A team has one payment, however often its members try. Money that comes a second time is a payment of its own, whose
    /// id is that of the gateway's payment, and which is returned.
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
        pub day: Option<Date>,
        pub amount: u64,
        pub currency: String,
        pub payment_method: Option<String>,
        #[serde(default)]
        pub webhook_verified: bool,
        #[serde(default)]
        pub metadata: PaymentMetadata,
        pub refund_id: Option<RefundId>,
        /// Whether the money must be returned, although nobody asked for it.
        pub needs_refund: Option<bool>,
        pub failure_reason: Option<String>,
        /// The last attempts, at most ten.
        #[serde(default)]
        pub attempts: Vec<Attempt>,
        /// When the first attempt was reported, and when the first failed: their days count them.
        pub attempted_at: Option<Timestamp>,
        pub failed_at: Option<Timestamp>,
        pub paid_at: Option<Timestamp>,
        pub refunded_at: Option<Timestamp>,
        pub settled_by: Option<SettledBy>,
    }
}

impl Payment {
    /// Returns what a team owes, before anybody has tried to pay it.
    pub fn of(team: &Team, payment_id: PaymentId, day: Date) -> Self {
        Self {
            payment_id,
            team_id: team.team_id.clone(),
            razorpay_order_id: None,
            razorpay_payment_id: None,
            razorpay_signature: None,
            status: PaymentStatus::Pending,
            day: Some(day),
            amount: team.amount,
            currency: team.currency.clone(),
            payment_method: None,
            webhook_verified: false,
            metadata: PaymentMetadata::default(),
            refund_id: None,
            needs_refund: None,
            failure_reason: None,
            attempts: Vec::new(),
            attempted_at: None,
            failed_at: None,
            paid_at: None,
            refunded_at: None,
            settled_by: None,
            stamps: Stamps::default(),
        }
    }

    /// Returns the location of the encrypted address of the client in a row.
    pub fn ip_address(row: &str) -> FieldLocation<'_> {
        FieldLocation { row, field: "ip_address" }
    }

    /// Returns when something happened to the payment last.
    pub fn last_change(&self) -> Timestamp {
        let happened = [self.attempted_at, self.failed_at, self.paid_at, self.refunded_at];
        happened.into_iter().flatten().fold(self.stamps.created, Timestamp::max)
    }

    /// Returns the row as encrypted fields name it.
    pub fn row_name(payment_id: &PaymentId) -> String {
        format!("PAYMENT#{payment_id}")
    }
}

row! {
    /// The payment of an order of the gateway.
    #[entity(type = "order_lookup")]
    #[key(pk = "ORDER#{order_id}", sk = "LOOKUP")]
    pub struct OrderLookup {
        pub order_id: OrderId,
        pub payment_id: PaymentId,
        pub team_id: TeamId,
    }
}

row! {
    /// An event of the gateway that was processed.
    #[entity(type = "webhook")]
    #[key(pk = "WEBHOOK#{event_id}", sk = "EVENT")]
    pub struct SeenEvent {
        pub event_id: EventId,
        #[ttl]
        pub ttl: Option<EpochSeconds>,
    }
}

impl RefundIntent {
    /// Returns the key by which the gateway knows the refund: it makes one for each key, and remembers one that the bank has
    /// declined.
    pub fn gateway_key(&self) -> String {
        match self.repeats {
            0 => self.payment_id.to_string(),
            repeats => format!("{}-{repeats}", self.payment_id),
        }
    }
}

/// The status of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
#[serde(rename_all = "snake_case")]
pub enum RefundState {
    /// The gateway was not asked yet, or has not responded.
    RefundPending,
    /// The gateway has returned the money.
    Refunded,
    /// The gateway has refused, so that an administrator must decide.
    Refused,
}

row! {
    /// The decision to return a payment. It is written before the gateway is asked.
    #[entity(type = "refund_intent")]
    #[key(pk = "PAYMENT#{payment_id}", sk = "REFUND")]
    pub struct RefundIntent {
        pub payment_id: PaymentId,
        pub team_id: TeamId,
        pub state: RefundState,
        /// The administrator; nobody where the service decides by itself.
        pub requested_by: Option<AccountId>,
        pub reason: String,
        /// What the gateway said.
        pub last_error: Option<String>,
        /// How often it was asked for again after the gateway had refused.
        #[serde(default)]
        pub repeats: u32,
    }
}
