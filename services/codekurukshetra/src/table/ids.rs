//! Ids. Those of the gateway are declared with it.

pub use monotable_kit::payment_gateway::{EventId, GatewayPaymentId, OrderId, RefundId};

monotable_kit::ids!(
    /// A participant.
    ParticipantId,
    /// A team.
    TeamId,
    /// A payment of the service. It keeps its id through all attempts to pay.
    PaymentId,
    /// An account of the identity provider.
    AccountId,
    /// A track of the event, such as `ai-ml`.
    Track,
    /// An invitation to a team.
    InviteId,
    /// The account of a judge.
    JudgeId,
    /// A line of the audit, or an alert.
    EntryId,
    /// A month, `yyyymm` in UTC.
    Month,
    /// A hash, or another word in the key of a record.
    ScopeId,
);

impl ScopeId {
    /// Takes a hash in hexadecimal digits or a name in the program, which can always be part of a key.
    pub(crate) fn of_word(word: String) -> Self {
        Self(word)
    }
}

impl Month {
    /// Returns the month of a time.
    pub fn of(time: monotable::model::time::Timestamp) -> Self {
        let day = time.date();
        Self(format!("{:04}{:02}", day.year(), day.month()))
    }
}
