//! Typed ids. They are opaque: no code depends on their contents.

monotable_kit::ids!(
    /// A user: the identity provider's subject.
    UserId,
    /// A team.
    TeamId,
    /// A roster slot of a team.
    PlayerId,
    /// A game of a team.
    GameId,
    /// A plate appearance.
    AtBatId,
    /// An invitation to a team.
    InviteId,
    /// A season of a team.
    SeasonId,
    /// A share link of a game.
    ShareId,
    /// A line of a team's audit.
    AuditId,
    /// A hash in the key of a repeated request.
    ScopeId,
);

impl SeasonId {
    /// Returns the season of games without one.
    #[must_use]
    pub fn none() -> Self {
        Self("-".to_owned())
    }
}
