//! The refusals of the service: one variant for each code, with the text that clients get.

use monotable_kit::Refusal;

/// A refusal of the service. Texts that depend on the request are set where it is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Refusal)]
pub enum Refusal {
    /// You are no longer in the team.
    #[refusal(forbidden)]
    NotAMember,
    /// Your role in the team does not allow it.
    #[refusal(forbidden)]
    InsufficientRole,
    /// It can't be done to a personal team.
    #[refusal(forbidden)]
    PersonalTeamRestricted,
    /// Only the user can do that.
    #[refusal(forbidden)]
    NotSelf,
    /// Only the owner can grant or revoke the role of manager, and ownership can only be
    /// transferred.
    #[refusal(forbidden)]
    RoleCeiling,
    /// The team does not exist.
    #[refusal(not_found)]
    TeamNotFound,
    /// The user does not exist.
    #[refusal(not_found)]
    UserNotFound,
    /// The player does not exist.
    #[refusal(not_found)]
    PlayerNotFound,
    /// The invitation does not exist.
    #[refusal(not_found)]
    InviteNotFound,
    /// The game does not exist.
    #[refusal(not_found)]
    GameNotFound,
    /// The link does not exist, or was revoked.
    #[refusal(not_found)]
    ShareNotFound,
    /// The team is deleted.
    #[refusal(conflict)]
    TeamDeleted,
    /// The limit is reached.
    #[refusal(conflict)]
    LimitReached,
    /// Set teamId; you have no personal team named Default.
    #[refusal(invalid)]
    NoDefaultTeam,
    /// The team is playing another game.
    #[refusal(conflict)]
    GameAlreadyInProgress,
    /// The game is not in progress: start it, or reopen it if it is over.
    #[refusal(conflict)]
    GameNotInProgress,
    /// The status of the game does not allow it.
    #[refusal(conflict)]
    InvalidTransition,
    /// Set the lineup first.
    #[refusal(conflict)]
    LineupRequired,
    /// Only active players and substitutes of the team can play for it.
    #[refusal(invalid)]
    PlayerNotOnTeam,
    /// Only players in the lineup can bat and score.
    #[refusal(invalid)]
    PlayerNotInLineup,
    /// The at-bat does not exist.
    #[refusal(not_found, code = "ATBAT_NOT_FOUND")]
    AtBatNotFound,
    /// Another at-bat is the last one. Fetch the game again and retry.
    #[refusal(precondition, code = "PRECONDITION_FAILED")]
    NotTheLastAtBat,
    /// No other at-bat fits between these two; delete one of them and record it again.
    #[refusal(conflict)]
    NoRoom,
    /// Nobody has batted in the inning yet, so it can't end.
    #[refusal(conflict)]
    InningNotBegun,
    /// Nobody is credited with runs for a strikeout or an error.
    #[refusal(invalid)]
    RbiNotAllowed,
    /// Another player of the team has the number.
    #[refusal(conflict)]
    NumberTaken,
    /// The player is linked to a user; unlink it first.
    #[refusal(conflict)]
    PlayerLinked,
    /// The player has statistics or is in a lineup; make the player inactive instead.
    #[refusal(conflict)]
    PlayerHasStats,
    /// Teams that you own have other members; transfer their ownership first.
    #[refusal(conflict)]
    OwnsTeams,
    /// The owner can't leave; transfer the ownership first.
    #[refusal(conflict)]
    OwnerCannotLeave,
    /// You are in the team already.
    #[refusal(conflict)]
    AlreadyMember,
    /// The invitation is no longer pending.
    #[refusal(conflict)]
    InviteNotPending,
    /// A player has one user, and a user one player: unlink the one that is linked first.
    #[refusal(conflict)]
    PlayerAlreadyLinked,
}

/// The refusals of requests that only read a team.
pub(crate) const VIEWING: &[Refusal] = &[Refusal::NotAMember, Refusal::TeamNotFound];

/// The common refusals of changes of a team.
pub(crate) const MANAGING: &[Refusal] = &[
    Refusal::NotAMember,
    Refusal::InsufficientRole,
    Refusal::PersonalTeamRestricted,
    Refusal::TeamNotFound,
    Refusal::TeamDeleted,
];

/// The refusals of requests that only read a game.
pub(crate) const VIEWING_GAME: &[Refusal] = &[Refusal::NotAMember, Refusal::GameNotFound];

/// The refusals of requests that only read a player.
pub(crate) const VIEWING_PLAYER: &[Refusal] =
    &[Refusal::NotAMember, Refusal::TeamNotFound, Refusal::PlayerNotFound];

/// The common refusals of changes of a game.
pub(crate) const CHANGING_GAME: &[Refusal] = &[
    Refusal::PlayerNotOnTeam,
    Refusal::InsufficientRole,
    Refusal::NotAMember,
    Refusal::GameNotFound,
    Refusal::GameAlreadyInProgress,
    Refusal::InvalidTransition,
    Refusal::LineupRequired,
    Refusal::TeamDeleted,
];

/// The common refusals of changes of at-bats.
pub(crate) const SCORING: &[Refusal] = &[
    Refusal::PlayerNotInLineup,
    Refusal::RbiNotAllowed,
    Refusal::InsufficientRole,
    Refusal::NotAMember,
    Refusal::GameNotFound,
    Refusal::GameNotInProgress,
    Refusal::TeamDeleted,
];

/// The common refusals of changes of share links.
pub(crate) const SHARING: &[Refusal] =
    &[Refusal::NotAMember, Refusal::InsufficientRole, Refusal::GameNotFound, Refusal::TeamDeleted];
