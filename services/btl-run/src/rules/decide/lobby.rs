//! Before the start: creating a match, joining and leaving.

use super::in_lobby;
use crate::refusal::Refusal;
use crate::rules::events::{
    Event, EventBody, LeaveReason, MatchCreated, Visibility, fold, numbered,
};
use crate::rules::resolve::opening;
use crate::rules::state::{
    CUTOFF_MINUTE_DEFAULT, MatchState, Mode, Persona, Playstyle, RNG_VERSION, ROSTER_MAX,
    ROSTER_MIN, RULES_VERSION, Rules, Stats, Theme, Tribute, TributeKind, tribute_name,
    tribute_of_ai,
};
use crate::table::{MatchId, TributeId, UserId};

/// A match to create.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are those of the state, and are described there")]
pub struct NewMatch {
    pub match_id: MatchId,
    pub host_user_id: Option<UserId>,
    pub mode: Mode,
    pub rules: Rules,
    pub theme: Theme,
    /// The number of days; the mode's default if absent.
    pub max_days: Option<u32>,
    /// The time zone; UTC if absent.
    pub timezone: Option<String>,
    /// The cut-off; 21:00 if absent.
    pub cutoff_minute_of_day: Option<u16>,
    pub max_real_days: Option<u32>,
    /// The number of AI tributes.
    pub ai_count: u32,
    pub seed_commit: String,
    pub shard_count: u32,
}

/// The tribute of a joining player.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are those of a tribute, and are described there")]
pub struct Newcomer {
    pub tribute_id: TributeId,
    pub user_id: Option<UserId>,
    /// A player, or a player whose choices the service makes.
    pub kind: TributeKind,
    pub name: String,
    pub stats: Stats,
    pub persona: Persona,
    pub playstyle: Option<Playstyle>,
}

/// Creates a match.
///
/// # Errors
/// Fails if a setting is invalid.
pub fn create(new: NewMatch, now: i64) -> Result<Event, Refusal> {
    if usize::try_from(new.ai_count).is_ok_and(|count| count > ROSTER_MAX) {
        return Err(Refusal::TooManyTributes);
    }
    let body = EventBody::MatchCreated(Box::new(MatchCreated {
        match_id: new.match_id,
        mode: new.mode,
        rules: new.rules,
        theme: new.theme,
        max_days: new.max_days.unwrap_or(new.mode.max_days_default()),
        roster: (1..=new.ai_count).map(tribute_of_ai).collect(),
        host_user_id: new.host_user_id,
        timezone: new.timezone.unwrap_or_else(|| "UTC".to_owned()),
        cutoff_minute_of_day: new.cutoff_minute_of_day.unwrap_or(CUTOFF_MINUTE_DEFAULT),
        max_real_days: new.max_real_days,
        seed_commit: new.seed_commit,
        rng_ver: RNG_VERSION,
        rules_ver: RULES_VERSION,
        shard_count: new.shard_count,
    }));
    let (seq, timestamp, visibility) = (1, now, Visibility::Public);
    let (turn_id, audit) = (None, None);
    let event = Event { seq, timestamp, body, turn_id, day: 1, turn: 0, visibility, audit };
    match fold(None, &event) {
        Ok(state) => state.check()?,
        Err(_) => return Err(Refusal::InvalidMatch),
    }
    if new.mode != Mode::Long && new.max_real_days.is_some() {
        return Err(Refusal::RealDaysOfShortMatch);
    }
    Ok(event)
}

/// Adds a player's tribute; in a full roster it replaces an AI tribute.
///
/// # Errors
///
/// Fails if the tribute is invalid, or the match is full.
pub fn join(state: &MatchState, newcomer: Newcomer, now: i64) -> Result<Vec<Event>, Refusal> {
    in_lobby(state)?;
    if newcomer.kind == TributeKind::Ai {
        return Err(Refusal::InvalidType);
    }
    let name = tribute_name(&newcomer.name)?;
    let mut tribute = Tribute::new(newcomer.tribute_id, newcomer.kind, name, newcomer.stats);
    tribute.persona = newcomer.persona;
    tribute.playstyle = newcomer.playstyle;
    tribute.user_id = newcomer.user_id;
    tribute.check()?;
    let is_in = |user: &UserId| state.roster.iter().any(|one| one.user_id.as_ref() == Some(user));
    if state.tribute(&tribute.id).is_some() || tribute.user_id.as_ref().is_some_and(is_in) {
        return Err(Refusal::AlreadyJoined);
    }
    if is_name_taken(state, &tribute.name) {
        return Err(Refusal::NameTaken);
    }
    let replaces = if state.roster.len() < ROSTER_MAX {
        None
    } else {
        let ai = state.roster.iter().rfind(|one| one.kind == TributeKind::Ai);
        Some(ai.ok_or(Refusal::LobbyFull)?.id.clone())
    };
    let joined = EventBody::TributeJoined { tribute: Box::new(tribute), replaces };
    Ok(numbered(state, vec![joined], now))
}

fn is_name_taken(state: &MatchState, name: &str) -> bool {
    let name = name.to_lowercase();
    state.roster.iter().any(|tribute| tribute.name.to_lowercase() == name)
}

/// Adds an AI tribute.
///
/// # Errors
/// Fails if the match has started or is full.
pub fn add_ai(state: &MatchState, now: i64) -> Result<Vec<Event>, Refusal> {
    in_lobby(state)?;
    if state.roster.len() >= ROSTER_MAX {
        return Err(Refusal::LobbyFull);
    }
    let is_new = |tribute: &Tribute| {
        state.tribute(&tribute.id).is_none() && !is_name_taken(state, &tribute.name)
    };
    let tribute = (1..).map(tribute_of_ai).find(is_new).ok_or(Refusal::LobbyFull)?;
    let joined = EventBody::TributeJoined { tribute: Box::new(tribute), replaces: None };
    Ok(numbered(state, vec![joined], now))
}

/// Replaces the persona of an AI tribute.
///
/// # Errors
///
/// Fails if the match has started, or the tribute does not exist.
pub fn give_persona(
    state: &MatchState,
    tribute_id: &TributeId,
    persona: &Persona,
    now: i64,
) -> Result<Vec<Event>, Refusal> {
    in_lobby(state)?;
    let tribute = state.tribute(tribute_id).filter(|one| one.kind == TributeKind::Ai);
    let mut tribute = tribute.ok_or(Refusal::UnknownTribute)?.clone();
    tribute.persona = persona.clone();
    tribute.check()?;
    let replaces = Some(tribute_id.clone());
    let joined = EventBody::TributeJoined { tribute: Box::new(tribute), replaces };
    Ok(numbered(state, vec![joined], now))
}

/// Removes a tribute from the lobby.
///
/// # Errors
///
/// Fails if the match has started, or the tribute does not exist.
pub fn remove(
    state: &MatchState,
    tribute_id: &TributeId,
    reason: LeaveReason,
    now: i64,
) -> Result<Vec<Event>, Refusal> {
    in_lobby(state)?;
    state.tribute(tribute_id).ok_or(Refusal::TributeNotFound)?;
    let left = EventBody::TributeLeft { tribute_id: tribute_id.clone(), reason };
    Ok(numbered(state, vec![left], now))
}

/// Opens the first turn.
///
/// # Errors
/// Fails if the match has started, or has too few tributes.
pub fn start(state: &MatchState, now: i64) -> Result<Vec<Event>, Refusal> {
    in_lobby(state)?;
    if state.roster.len() < ROSTER_MIN {
        return Err(Refusal::TooFewTributes);
    }
    state.check()?;
    let started = EventBody::MatchStarted(opening(state, 1, 1, now)?);
    Ok(numbered(state, vec![started], now))
}
