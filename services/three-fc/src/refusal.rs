//! How the service refuses: one variant for each code, with the text that clients get. Codes are written in
//! lower case: see `code`.

use monotable_kit::{ProblemKind, Refusal};

/// A refusal of the service. Texts that depend on the request are given where it is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Refusal)]
pub enum Refusal {
    /// The link was used already, or has expired. Request a new one.
    #[refusal(invalid)]
    InvalidOrExpiredMagicLink,
    /// The address is not an e-mail address.
    #[refusal(invalid)]
    InvalidEmail,
    /// Assists are at most three other players of the game, and an own goal has none.
    #[refusal(invalid)]
    InvalidAssists,
    /// The scoring and the conceding team must be two teams of the game; an own goal has no scoring team.
    #[refusal(invalid)]
    InvalidGoalTeams,
    /// The player is not in the team's line-up of this game.
    #[refusal(invalid)]
    NotRostered,
    /// The file is no JPEG, PNG, GIF or WebP picture.
    #[refusal(invalid)]
    BadImage,
    /// The picture has more than 2 MB. Send a smaller one.
    #[refusal(too_large)]
    AvatarTooLarge,
    /// Only admins of the league can do this.
    #[refusal(forbidden)]
    AdminRequired,
    /// You need a role in the league that allows this.
    #[refusal(forbidden)]
    LeagueAccessRequired,
    /// The game is finished. Only admins of the league can change it.
    #[refusal(forbidden)]
    GameLocked,
    /// Only the user who claimed the player can do this.
    #[refusal(forbidden)]
    NotClaimOwner,
    /// The league, season, session or game does not exist.
    #[refusal(not_found)]
    AclScopeNotFound,
    /// There is no such resource.
    #[refusal(not_found)]
    NotFound,
    /// The state of the resource does not allow this.
    #[refusal(conflict)]
    Conflict,
    /// Another resource has this id. Choose another one, or leave it out.
    #[refusal(conflict)]
    IdTaken,
    /// Another resource has this slug. Choose another one.
    #[refusal(conflict)]
    SlugTaken,
    /// The status of the game does not allow this.
    #[refusal(conflict)]
    InvalidTransition,
    /// The third is not running.
    #[refusal(conflict)]
    ThirdNotRunning,
    /// Thirds are played in order, one at a time.
    #[refusal(conflict)]
    ThirdOrder,
    /// Another user has claimed the player.
    #[refusal(conflict)]
    AlreadyClaimed,
    /// The player is in the line-up of another team of this game.
    #[refusal(conflict)]
    PlayerInOtherTeam,
    /// The player has goals or assists in this game.
    #[refusal(conflict)]
    PlayerHasEvents,
    /// The league has seasons. Delete them first.
    #[refusal(conflict)]
    HasSeasons,
    /// The season has sessions. Delete their games first.
    #[refusal(conflict)]
    HasSessions,
    /// A league keeps at least one admin. Make somebody else an admin first.
    #[refusal(conflict)]
    LastAdmin,
    /// The code has expired, or the game is finished.
    #[refusal(conflict)]
    JoinClosed,
}

/// The refusals for callers who read something of a league.
pub(crate) const VIEWING: &[Refusal] = &[Refusal::AclScopeNotFound, Refusal::LeagueAccessRequired];

/// The refusals for callers who change something as an admin.
pub(crate) const ADMINISTERING: &[Refusal] =
    &[Refusal::AclScopeNotFound, Refusal::LeagueAccessRequired, Refusal::AdminRequired];

/// The refusals for callers who run games.
pub(crate) const SCORING: &[Refusal] =
    &[Refusal::AclScopeNotFound, Refusal::LeagueAccessRequired, Refusal::GameLocked];

/// Returns a code as clients get it: the ones that the kit shares among services have the names that clients
/// of this service know.
pub(crate) fn code(code: &str) -> String {
    match code {
        "UNAUTHENTICATED" => "unauthorized".to_owned(),
        "CSRF_TOKEN_WRONG" => "forbidden_origin".to_owned(),
        "VERSION_CONFLICT" => "conflict".to_owned(),
        "UNKNOWN_FIELD" | "READ_ONLY_FIELD" | "EMPTY_BODY" => "validation".to_owned(),
        "IDEMPOTENCY_KEY_REUSED" => "idempotency_conflict".to_owned(),
        code => code.to_lowercase(),
    }
}

/// Returns the word for a sort of problems.
pub(crate) fn kind(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::Invalid => "bad_request",
        ProblemKind::Unauthenticated => "unauthorized",
        ProblemKind::Payment => "payment_required",
        ProblemKind::Forbidden => "forbidden",
        ProblemKind::NotFound => "not_found",
        ProblemKind::Method => "method_not_allowed",
        ProblemKind::Conflict => "conflict",
        ProblemKind::Precondition => "precondition_failed",
        ProblemKind::TooLarge => "payload_too_large",
        ProblemKind::MediaType => "unsupported_media_type",
        ProblemKind::PreconditionRequired => "precondition_required",
        ProblemKind::RateLimited => "too_many_requests",
        ProblemKind::Internal => "internal",
        ProblemKind::Unavailable => "unavailable",
    }
}
