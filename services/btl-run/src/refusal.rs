//! The refusals of the service: one variant for each reason, with the code and the text that
//! clients get.

use monotable_kit::Refusal;

/// A refusal of the service. Texts that depend on the request are set where it is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Refusal)]
pub enum Refusal {
    /// The match does not exist.
    #[refusal(not_found)]
    MatchNotFound,
    /// The tribute does not exist in this match.
    #[refusal(not_found)]
    TributeNotFound,
    /// The code does not exist, or is no longer valid.
    #[refusal(not_found)]
    InviteNotFound,
    /// There is no story of this day yet.
    #[refusal(not_found)]
    SummaryNotFound,
    /// You have no profile yet; create one with PUT.
    #[refusal(not_found)]
    ProfileNotFound,
    /// The value does not exist.
    #[refusal(not_found, code = "NOT_FOUND")]
    ValueNotFound,

    /// The token is not valid for this match.
    #[refusal(unauthenticated)]
    InvalidToken,
    /// Send a token of this match.
    #[refusal(forbidden)]
    NotYourMatch,
    /// The token belongs to another match. Send one of this match, or none to watch.
    #[refusal(forbidden, code = "NOT_YOUR_MATCH")]
    TokenOfAnotherMatch,
    /// You do not have this role in this match.
    #[refusal(forbidden, code = "NOT_YOUR_MATCH")]
    RoleNotHeld,
    /// Only the host may do this.
    #[refusal(forbidden)]
    GmRequired,
    /// Only the player of a tribute may do this.
    #[refusal(forbidden)]
    NotYourTribute,
    /// Players can only remove their own tribute.
    #[refusal(forbidden, code = "NOT_YOUR_TRIBUTE")]
    TributeOfAnotherPlayer,
    /// Sign in as a user: a token of a match does not identify you.
    #[refusal(forbidden)]
    UserRequired,
    /// This requires a service token with another role.
    #[refusal(forbidden)]
    KvRoleRequired,

    /// Somebody else changed this at the same time; try again.
    #[refusal(conflict)]
    Conflict,
    /// The match has started.
    #[refusal(conflict)]
    MatchInProgress,
    /// The match is over.
    #[refusal(conflict)]
    MatchEnded,
    /// The match has not started.
    #[refusal(conflict, code = "INVALID_TRANSITION")]
    NotStarted,
    /// The match has not ended, so its seed is secret.
    #[refusal(conflict, code = "INVALID_TRANSITION")]
    NotEnded,
    /// The match was created by an older program and can't be continued.
    #[refusal(conflict, code = "INVALID_TRANSITION")]
    NotPlayable,
    /// Too much has happened in this lobby; end it and open another.
    #[refusal(conflict, code = "INVALID_TRANSITION")]
    LobbyExhausted,
    /// The turns of a long match end with its days, or when all players have chosen.
    #[refusal(conflict, code = "INVALID_TRANSITION")]
    TurnEndsWithDay,
    /// Some players have not chosen yet; wait for them, or force the turn.
    #[refusal(conflict, code = "INVALID_TRANSITION")]
    PlayersWaitedFor,
    /// Items and sponsors must be enabled.
    #[refusal(conflict, code = "INVALID_TRANSITION")]
    SponsorsOff,
    /// The tribute can't carry more items.
    #[refusal(conflict, code = "INVALID_TRANSITION")]
    InventoryFull,
    /// The match has 24 tributes.
    #[refusal(conflict)]
    LobbyFull,
    /// The name is taken.
    #[refusal(conflict)]
    NameTaken,
    /// The user plays in this match already.
    #[refusal(conflict, code = "CONFLICT")]
    AlreadyJoined,
    /// A match needs 4 tributes to start.
    #[refusal(conflict)]
    TooFewTributes,
    /// The tribute is dead.
    #[refusal(conflict)]
    TributeDead,
    /// The match does not collect actions.
    #[refusal(conflict)]
    NotCollecting,
    /// That turn has been resolved.
    #[refusal(conflict, code = "CONFLICT")]
    TurnResolved,
    /// The code has expired; its host gets a new one by POST /match/{id}/invite.
    #[refusal(conflict)]
    InviteExpired,
    /// You have five lobbies open; start or end one of them first.
    #[refusal(conflict)]
    TooManyLobbies,
    /// The tribute has no allies to write to.
    #[refusal(conflict)]
    NoAlliance,
    /// Your account is being erased; try again when that is done.
    #[refusal(conflict)]
    ErasurePending,
    /// The value already exists.
    #[refusal(conflict, code = "CONFLICT")]
    ValueExists,
    /// The value under this key is not an object, so fields can't be merged into it; replace it
    /// with PUT.
    #[refusal(conflict, code = "CONFLICT")]
    ValueIsNoObject,

    /// Name the turn to resolve: send its `turnId`, or the version of the match as `If-Match`.
    #[refusal(precondition_required)]
    TurnRequired,
    /// The value does not have the requested version. Fetch it again and retry.
    #[refusal(precondition)]
    PreconditionFailed,
    /// The value is larger than a row may be, even compressed.
    #[refusal(too_large)]
    ValueTooLarge,
    /// The row under this key is damaged and can't be read. Write a new value with PUT, or remove it with
    /// DELETE.
    #[refusal(internal)]
    ValueUnreadable,
    /// This can be done 20 times in 60 seconds; try again in 30 seconds.
    #[refusal(rate_limited)]
    RateLimit,

    /// Another turn is open.
    #[refusal(invalid)]
    StaleTurn,
    /// text: use other words, without links and hidden characters
    #[refusal(invalid)]
    ContentViolation,
    /// the tribute does not exist
    #[refusal(invalid, code = "VALIDATION")]
    UnknownTribute,
    /// targetId must be another living tribute
    #[refusal(invalid, code = "VALIDATION")]
    InvalidTarget,
    /// text must have 1 to 280 characters
    #[refusal(invalid, code = "VALIDATION")]
    InvalidAnnouncement,
    /// zone must be 1 to 4, and damage 1 or 2
    #[refusal(invalid, code = "VALIDATION")]
    InvalidHazard,
    /// weather must have 1 to 100 characters
    #[refusal(invalid, code = "VALIDATION")]
    InvalidWeather,
    /// type must be human or hybrid
    #[refusal(invalid, code = "VALIDATION")]
    InvalidType,
    /// the match can't be created
    #[refusal(invalid, code = "VALIDATION")]
    InvalidMatch,
    /// name must have 1 to 50 letters, digits, spaces, hyphens and apostrophes, and not contain "admin"
    #[refusal(invalid, code = "VALIDATION")]
    InvalidName,
    /// stats must be 0 to 10 each and add up to 25
    #[refusal(invalid, code = "VALIDATION")]
    InvalidStats,
    /// persona must have an archetype and 1 to 3 quirks of at most 100 characters
    #[refusal(invalid, code = "VALIDATION")]
    InvalidPersona,
    /// maxHp must be 10 + vitality, and hp at most maxHp
    #[refusal(invalid, code = "VALIDATION")]
    InvalidHitPoints,
    /// inventory must fit its slots, with durability 1 to 3
    #[refusal(invalid, code = "VALIDATION")]
    InvalidInventory,
    /// freeText must have at most 200 characters, without control characters
    #[refusal(invalid, code = "VALIDATION")]
    InvalidFreeText,
    /// arena must have 1 to 50 characters
    #[refusal(invalid, code = "VALIDATION")]
    InvalidArena,
    /// maxCraftingSlots must be 1 to 4, and only with crafting
    #[refusal(invalid, code = "VALIDATION")]
    InvalidCraftingSlots,
    /// maxDays must be 1 to 30
    #[refusal(invalid, code = "VALIDATION")]
    InvalidMaxDays,
    /// maxRealDays must be 7, 14 or 30
    #[refusal(invalid, code = "VALIDATION")]
    InvalidMaxRealDays,
    /// maxRealDays is only for long matches
    #[refusal(invalid, code = "VALIDATION")]
    RealDaysOfShortMatch,
    /// timezone must be the name of an IANA time zone
    #[refusal(invalid, code = "VALIDATION")]
    InvalidTimezone,
    /// cutoffMinuteOfDay must be 0 to 1439
    #[refusal(invalid, code = "VALIDATION")]
    InvalidCutoff,
    /// a match has at most 24 tributes
    #[refusal(invalid, code = "VALIDATION")]
    TooManyTributes,
    /// names must be distinct
    #[refusal(invalid, code = "VALIDATION")]
    NamesAlike,
}

/// The refusals for everyone but the host of a match.
pub(crate) const HOST_ONLY: &[Refusal] =
    &[Refusal::GmRequired, Refusal::NotYourMatch, Refusal::MatchNotFound];

/// The refusals for everyone but a player of a match.
pub(crate) const PLAYER_ONLY: &[Refusal] =
    &[Refusal::NotYourTribute, Refusal::NotYourMatch, Refusal::MatchNotFound];

/// The common refusals of changes of a match.
pub(crate) const CHANGING: &[Refusal] =
    &[Refusal::Conflict, Refusal::NotStarted, Refusal::MatchEnded];
