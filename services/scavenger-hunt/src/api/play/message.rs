//! `POST /api/message`: writes to the character.

use monotable_kit::CallLimit;
use monotable_kit::moderation::is_violation;

use super::talk::{self, Question, Said};
use super::{join, state};
use crate::api::prelude::*;
use crate::api::{announce, routes};
use crate::legacy;
use crate::rules::clock;
use crate::rules::hints::{self, HintKind, HintTimes};

const MESSAGES: CallLimit = CallLimit::per_minute("message", 10).counting_attempts();

/// A message to the character.
#[derive(Debug, Body)]
pub(crate) struct NewMessage {
    message: MessageText,
}

/// The text of a message.
#[derive(Debug, Body)]
pub(crate) struct MessageText {
    #[body(alias("content"), length = 1..=1000, example = "Where should we look?", label = "Your message")]
    text: String,
}

/// What an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AnswerKind {
    /// What the character says.
    Chat,
    /// An easy clue.
    Clue,
    /// The map.
    Map,
    /// The character can't say anything now. It is not kept.
    Fallback,
    /// What the player says, or what the character would answer, must not be said. That is not kept.
    Blocked,
}

/// What the character answers.
#[derive(View)]
pub(crate) struct AnswerView {
    role: Speaker,
    kind: AnswerKind,
    #[view(example = "Listen: it is older than the town.")]
    text: String,
    /// The map, if that is the answer.
    #[view(null, example = "https://maps.example/abc")]
    map_link: Option<String>,
    /// The place in the team's route where it is going.
    current_team_level: RowId,
}

/// What is answered, before it is kept.
struct Response {
    kind: AnswerKind,
    text: String,
    map_link: Option<String>,
    /// Whether the character has heard what the player says.
    is_heard: bool,
}

/// Writes to the character of the place where the team is going. After some time there it answers with an easy clue, and later
/// with the map.
#[operation(
    POST "/api/message", once, limit(MESSAGES, player),
    refuses(refusal::ACTING, LevelCompleted, LevelNotFound, TeamNotFound)
)]
pub(crate) async fn send_message(
    app: &App,
    call: &Call<(), NewMessage>,
) -> Answer<Json<AnswerView>> {
    let playing = policy::player(app, call).await?;
    playing.require_not_over()?;
    Refusal::GameNotLive.unless(playing.state != GameState::Ready)?;
    let route = routes::route(app, playing.team_id()).await?;
    let current = route.current().ok_or(Refusal::LevelCompleted)?;
    let level = app.db.level_of(&playing.game.id, &current.level_id).await?;
    let level = level.ok_or(Refusal::LevelNotFound)?;
    let team = playing.team(app).await?;
    let (now, text) = (app.db.now(), call.body.message.text.as_str());
    let arrived_at = legacy::arrival(&app.db, current).await?.unwrap_or(now);
    let mut after = routes::started(current, playing.control.as_ref(), arrived_at);
    let on_level_ms = clock::on_level_ms(&after, playing.control.as_ref(), now).unwrap_or(0);
    let times = HintTimes::of(&playing.game, team.difficulty_level.unwrap_or_default());
    let response = match times.kind(on_level_ms) {
        _ if is_violation(text) => blocked(false),
        HintKind::Chat => chat(app, &playing, &level, text).await?,
        HintKind::Clue => clue(&playing.game, &team, &level, &mut after),
        HintKind::Map => {
            after.map_at = after.map_at.or(Some(now));
            let text = "Enough riddles: this map leads you there.".to_owned();
            let map_link = Some(level.map_link.clone());
            Response { kind: AnswerKind::Map, text, map_link, is_heard: true }
        }
    };
    let mut tx = call.transact(&app.db).or_retry();
    tx.require(check(&playing.game.key(), join::not_over()), Refusal::GameEnded);
    playing.require_there(&mut tx);
    let said = |role, text: &str| message(app, &playing, &level.id, role, text);
    if response.is_heard {
        tx.add(create(said(Speaker::User, text)?));
    }
    if !matches!(response.kind, AnswerKind::Blocked | AnswerKind::Fallback) {
        tx.add(create(said(Speaker::Assistant, &response.text)?));
    }
    if after != *current {
        routes::change(&mut tx, &team, &route, [(current.clone(), after)]);
    }
    let current_team_level = current.id.clone();
    tx.afterwards(announce::changed(app, &playing.game.id, playing.team_id()))
        .respond(move |_| {
            Json(AnswerView {
                role: Speaker::Assistant,
                kind: response.kind,
                text: response.text.clone(),
                map_link: response.map_link.clone(),
                current_team_level: current_team_level.clone(),
            })
        })
        .await
}

/// Returns what the character says. The program has words of its own where there is no model, or none that can be used; those
/// instead of a model's are not kept.
async fn chat(
    app: &App,
    playing: &Playing,
    level: &Level,
    text: &str,
) -> Result<Response, Problem> {
    let history = state::messages(app, &playing.user.id, &level.id).await?;
    let question = Question { level, history: &history, text };
    let (kind, text) = match talk::answer(app, playing.team_id(), &question).await {
        Said::ByModel(text) => (AnswerKind::Chat, text),
        Said::ByProgram(text) if app.narrator.is_none() => (AnswerKind::Chat, text),
        Said::ByProgram(text) => (AnswerKind::Fallback, text),
        Said::Nothing => return Ok(blocked(false)),
    };
    Ok(if talk::keeps_secrets(level, &text) {
        Response { kind, text, map_link: None, is_heard: true }
    } else {
        blocked(true)
    })
}

fn blocked(is_heard: bool) -> Response {
    let text = talk::BLOCKED.to_owned();
    Response { kind: AnswerKind::Blocked, text, map_link: None, is_heard }
}

/// Returns the next easy clue, and counts it.
fn clue(game: &Game, team: &Team, level: &Level, after: &mut TeamLevel) -> Response {
    let seed = game.route_seed.unwrap_or(0);
    let found = hints::clue(level, seed, team.position.unwrap_or(0), after.hints_used);
    after.hints_used += u32::from(found.is_some());
    let (kind, text) = match found {
        Some(clue) => (AnswerKind::Clue, clue),
        None => (AnswerKind::Fallback, talk::BLOCKED),
    };
    Response { kind, text: text.to_owned(), map_link: None, is_heard: true }
}

/// Returns the row of a message.
///
/// # Errors
/// Returns 500 if no new id can be created, which never happens.
pub(crate) fn message(
    app: &App,
    playing: &Playing,
    level_id: &LevelId,
    role: Speaker,
    text: &str,
) -> Result<Message, Problem> {
    Ok(Message {
        id: app.new_id()?,
        ts: app.db.now().epoch_seconds(),
        user_id: playing.user.id.clone(),
        team_id: playing.team_id().clone(),
        game_id: playing.game.id.clone(),
        level_id: level_id.clone(),
        role,
        text: text.to_owned(),
        ttl: None,
        stamps: Stamps::default(),
    })
}

/// Returns whose messages are counted.
fn player(call: &Call<(), NewMessage>) -> Result<String, Problem> {
    Ok(call.principal()?.id.clone())
}
