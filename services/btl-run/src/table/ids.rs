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
    /// A code to join a match.
    InviteCode,
    /// The subject of a rate limit: a user, a token or an address.
    RateSubject,
    /// A route with a rate limit.
    RateRoute,
    /// The scope in which an idempotency key is unique.
    RequestScope,
    /// An idempotency key.
    RequestKey,
    /// A reservation of tokens.
    ReservationId,
    /// An hour, `yyyymmddHH` in UTC.
    DueHour,
    /// A kind of work in steps.
    TaskKind,
    /// The subject of the work.
    TaskId,
);

impl TurnId {
    /// Returns the turn of a day. Days and turns never repeat within a match, so the id is unique.
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
    /// Returns the route with one of the service's names.
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
