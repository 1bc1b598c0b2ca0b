//! Typed ids. They are opaque: no code depends on their contents.

monotable_kit::ids!(
    /// A match.
    MatchId,
    /// A fighter of a match.
    TributeId,
    /// A user: the identity provider's subject.
    UserId,
    /// An alliance of a match.
    AllianceId,
    /// A turn of a match.
    TurnId,
    /// A code to join a match with.
    InviteCode,
    /// Whose calls are counted: a user, a token, an address.
    RateSubject,
    /// A route whose calls are counted.
    RateRoute,
    /// What an idempotency key is unique within.
    RequestScope,
    /// An idempotency key.
    RequestKey,
    /// A reservation of tokens.
    ReservationId,
    /// An hour, `yyyymmddHH` in UTC.
    DueHour,
    /// A kind of work in steps.
    TaskKind,
    /// What the work is for.
    TaskId,
);

impl TurnId {
    /// Returns the turn of a day. Days and turns never repeat within a match, so neither does this.
    #[must_use]
    pub fn of(day: u32, turn: u32) -> Self {
        Self(format!("d{day}t{turn}"))
    }
}

impl AllianceId {
    /// Returns the alliance that was formed as the `ordinal`th of a turn.
    #[must_use]
    pub fn of(turn: &TurnId, ordinal: u32) -> Self {
        Self(format!("a-{turn}-{ordinal}"))
    }
}

impl RateRoute {
    /// Returns the route with a name of ours.
    pub(crate) fn of(name: &'static str) -> Self {
        Self(name.to_owned())
    }
}

impl TributeId {
    /// Returns the `ordinal`th AI tribute.
    #[must_use]
    pub fn of_ai(ordinal: u32) -> Self {
        Self(format!("ai-{ordinal}"))
    }
}
