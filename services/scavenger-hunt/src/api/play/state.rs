//! What a player sees. No level id, no code, no position, no clue that was not given, and nothing of other teams is in it.

use crate::api::dashboard::ClockView;
use crate::api::prelude::*;
use crate::api::routes;
use crate::legacy;
use crate::rules::clock;
use crate::rules::hints::{HintKind, HintTimes};
use crate::rules::progress::{EndScreen, end_screen};

/// The state of the hunt for a player.
#[derive(View)]
pub(crate) struct StateView {
    #[view(example = "Ducks of the old town")]
    pub(crate) game_name: String,
    #[view(example = "Mallards")]
    pub(crate) team_name: String,
    #[view(example = "Ada")]
    pub(crate) display_name: Option<String>,
    pub(crate) clock: ClockView,
    /// The place in the team's route where it is going; null at the end.
    #[view(null)]
    pub(crate) current_team_level: Option<RowId>,
    /// The character that gives clues to that place.
    #[view(example = "Sir Quackalot")]
    pub(crate) character: Option<String>,
    #[view(example = 2)]
    pub(crate) completed: usize,
    #[view(example = 5)]
    pub(crate) total: usize,
    /// Milliseconds that the team has been looking for the place, without pauses.
    pub(crate) on_level_ms: Option<u64>,
    /// Milliseconds after which the team gets easy clues, and the map.
    pub(crate) clue_after_ms: u64,
    pub(crate) map_after_ms: u64,
    /// The talk of the player with the character.
    pub(crate) message_history: Vec<TalkView>,
    /// The map, once the team has looked for long enough; null before.
    #[view(null, example = "https://maps.example/abc")]
    pub(crate) map_link: Option<String>,
    /// Whether the level that was cleared last must be photographed.
    pub(crate) requires_photo: bool,
    #[view(null)]
    pub(crate) end_screen: Option<EndScreen>,
    /// What the character says to a team that arrives.
    #[view(example = "Quack! I am Sir Quackalot.")]
    pub(crate) message: Option<String>,
    /// Whether players see the leaderboard.
    pub(crate) has_leaderboard: bool,
}

/// A message of a talk.
#[derive(Clone, View)]
#[view(of = Message)]
pub(crate) struct TalkView {
    pub(crate) id: RowId,
    pub(crate) role: Speaker,
    #[view(example = "Where should we look?")]
    pub(crate) text: String,
    #[view(from = stamps.created)]
    pub(crate) created_at: Timestamp,
}

/// Returns what a player sees, and notes that the team has arrived where it is going, if it was not noted yet.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn arrive(app: &App, call: &Request, playing: &Playing) -> Result<(), Problem> {
    match playing.state {
        GameState::Live | GameState::Paused => stamp(app, call, playing).await,
        _ => Ok(()),
    }
}

/// Notes that the team looks for its current level. Time before the start of the clock does not count.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn stamp(app: &App, call: &Request, playing: &Playing) -> Result<(), Problem> {
    let route = routes::route(app, playing.team_id()).await?;
    let Some(current) = route.current() else { return Ok(()) };
    let control = playing.control.as_ref();
    let now = app.db.now();
    let arrived_at = legacy::arrival(&app.db, current).await?.unwrap_or(now);
    let mut level = routes::started(current, control, arrived_at);
    let team = playing.team(app).await?;
    let times = HintTimes::of(&playing.game, team.difficulty_level.unwrap_or_default());
    let on_level_ms = clock::on_level_ms(&level, control, now).unwrap_or(0);
    if times.kind(on_level_ms) == HintKind::Map && level.map_at.is_none() {
        level.map_at = Some(now);
    }
    if level == *current {
        return Ok(());
    }
    let mut tx = call.transact(&app.db).or_retry();
    routes::change(&mut tx, &team, &route, [(current.clone(), level)]);
    tx.reply(|_| Reply::no_content()).await.map(drop)
}

/// Returns what a player sees.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn state(
    app: &App,
    playing: &Playing,
    message: Option<String>,
) -> Result<StateView, Problem> {
    let (now, control) = (app.db.now(), playing.control.as_ref());
    let (route, team) = (routes::route(app, playing.team_id()).await?, playing.team(app).await?);
    let game = &playing.game;
    let current = route.current();
    let level = match current {
        Some(current) => app.db.level_of(&game.id, &current.level_id).await?,
        None => None,
    };
    let times = HintTimes::of(game, team.difficulty_level.unwrap_or_default());
    let on_level_ms = current.and_then(|current| clock::on_level_ms(current, control, now));
    let has_map = on_level_ms.is_some_and(|ms| times.kind(ms) == HintKind::Map);
    let map_link = level.as_ref().filter(|_| has_map).map(|level| level.map_link.clone());
    let photo_required = game.photo_required.unwrap_or(true);
    Ok(StateView {
        game_name: game.name.clone().unwrap_or_default(),
        team_name: team.name.clone(),
        display_name: playing.user.display_name.clone(),
        clock: ClockView::of(game, control, now),
        current_team_level: current.map(|current| current.id.clone()),
        character: level.map(|level| level.character.name),
        completed: route.completed(),
        total: route.levels().len(),
        on_level_ms,
        clue_after_ms: times.clue_ms,
        map_after_ms: times.map_ms,
        message_history: match current.or(route.levels().last()) {
            Some(level) => talk(app, playing, &level.level_id).await?,
            None => Vec::new(),
        },
        map_link: map_link.filter(|link| !link.is_empty()),
        requires_photo: photo_required && route.awaiting_photo().is_some(),
        end_screen: end_screen(game, &team.id, &route),
        message,
        has_leaderboard: game.leaderboard_public.unwrap_or(true),
    })
}

/// Returns the player's own messages at a level, in their order.
async fn talk(app: &App, playing: &Playing, level_id: &LevelId) -> Result<Vec<TalkView>, Problem> {
    Ok(messages(app, &playing.user.id, level_id).await?.iter().map(TalkView::of).collect())
}

/// Returns the messages of a user at a level, in their order: by second, then by time, then by id.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn messages(
    app: &App,
    user_id: &UserId,
    level_id: &LevelId,
) -> Result<Vec<Message>, Problem> {
    let now = app.db.now();
    let mut messages = app.db.chat(user_id, level_id).skip_unreadable().all().await?;
    messages.retain(|message| message.ttl.as_ref().is_none_or(|end| !end.is_past(now)));
    messages.sort_by(|one, other| {
        let order = |message: &Message| (message.ts, message.stamps.created);
        order(one).cmp(&order(other)).then_with(|| one.id.cmp(&other.id))
    });
    Ok(messages)
}
