//! Changes of a game: its fields and its status, in one transaction.

use std::collections::BTreeSet;

use monotable::model::{Error, Transact};
use monotable_kit::{Call, Problem, Reply, repeat};
use serde_json::Value;

use super::active::{BUSY, busy, give_up_place, place, running};
use super::fields::GameFields;
use super::{lineup, scoring, season_places};
use crate::app::App;
use crate::commands::receipt::shown;
use crate::commands::scope::{self, ids, overtaken};
use crate::commands::transitions::{Place, Transition};
use crate::entities::{Audit, Game, GameStatus, SeasonKey, TeamKey, TeamType, season};
use crate::ids::GameId;
use crate::patterns::HackTracker;
use crate::policy::{self, Action};
use crate::{announce, audit, show};

/// `PUT /games/{gameId}`, and the routes that are named after transitions: the fields of the body, and
/// the transition that is asked for by name or by the status in the body.
pub(crate) async fn change(
    app: &App,
    call: &Call,
    asked: Option<Transition>,
) -> Result<Reply, Problem> {
    let fields: GameFields = call.read()?;
    let game_id: GameId = call.id("gameId")?;
    let turn = app.turn(&game_id).await;
    let reply = repeat(|| attempt(app, call, &fields, asked)).await?;
    drop(turn);
    announce::game(app, &game_id).await;
    Ok(reply)
}

async fn attempt(
    app: &App,
    call: &Call,
    fields: &GameFields,
    asked: Option<Transition>,
) -> Result<Reply, Problem> {
    let (old, granted) = scope::game(app, call, Action::ManageGames).await?;
    if old.status == GameStatus::Final {
        granted.allow(Action::CorrectFinal)?;
    }
    call.check_version(old.ver)?;
    let transition = match (asked, fields.status) {
        (Some(asked), _) => asked.check(old.status).map(|()| Some(asked))?,
        (None, Some(status)) => Transition::between(old.status, status)?,
        (None, None) => None,
    };
    let new = changed(app, &old, fields, transition).await?;
    // Whoever is to bat must be able to, and somebody must be while a team with a roster plays.
    let is_named = fields.names_lineup();
    if is_named {
        lineup::check(app, &new.team_id, &new.lineup).await?;
    }
    let must_play = is_named || transition == Some(Transition::Start);
    if must_play && new.status == GameStatus::InProgress {
        ready(app, granted.team.kind(), &new).await?;
    }
    let change = lineup::Change {
        before: lineup::counted(&old),
        after: lineup::counted(&new),
        playing: if must_play { &new.lineup } else { &[] },
    };
    let transaction = transaction(app, call, &old, &new, transition).await?;
    let transaction = change.add_to(transaction, &new.team_id);
    let reply = |receipt: &_| shown(receipt, 1, told);
    match call.commit(&app.db, transaction, reply, known).await {
        Err(problem) if problem.code == BUSY => Err(running(app, &old, problem).await?),
        done => done,
    }
}

/// The game as it shall be.
async fn changed(
    app: &App,
    old: &Game,
    fields: &GameFields,
    transition: Option<Transition>,
) -> Result<Game, Problem> {
    let mut new = old.clone();
    fields.apply(&mut new)?;
    if transition == Some(Transition::Reschedule) && fields.scheduled_start.value().is_none() {
        return Err(Problem::field("scheduledStart", "must say when the game is now"));
    }
    if let Some(transition) = transition {
        transition.apply(&mut new, app.db.now());
    }
    if transition == Some(Transition::Reopen) && !fields.names_lineup() {
        // Who was removed since never batted, and can't any more.
        let gone = lineup::gone(app, &old.team_id, &new.lineup).await?;
        new.lineup.retain(|player| !gone.contains(player));
    }
    // Only of players who are known to be there it can be counted that they are kept.
    if fields.names_lineup() || matches!(transition, Some(Transition::Start | Transition::Reopen)) {
        new.lineup_counted = Some(true);
    }
    if old.started_at.is_some() && new.lineup != old.lineup {
        new.lineup_changed = Some(true);
    }
    scoring::recount(app, old, &mut new).await?;
    Ok(new)
}

/// Whether a game has the lineup that it can be played with.
///
/// # Errors
/// 409 `LINEUP_REQUIRED` if a team with a roster has none, or one with players who can't play.
pub(super) async fn ready(app: &App, kind: TeamType, game: &Game) -> Result<(), Problem> {
    if kind == TeamType::Managed && game.lineup.is_empty() {
        return Err(Problem::conflict("LINEUP_REQUIRED", "Set the lineup first."));
    }
    let strangers = lineup::strangers(app, &game.team_id, &game.lineup).await?;
    if strangers.is_empty() {
        return Ok(());
    }
    let text = "The lineup has players who can't play for the team any more.";
    Err(Problem::conflict("LINEUP_REQUIRED", text).with("playerIds", ids(&strangers)))
}

async fn transaction(
    app: &App,
    call: &Call,
    old: &Game,
    new: &Game,
    transition: Option<Transition>,
) -> Result<Transact<HackTracker>, Problem> {
    let team = TeamKey::new(old.team_id.clone());
    let mut transaction =
        app.db.transact().check(&team, policy::is_active()).edit(old, |game| game.clone_from(new));
    transaction = match transition.map_or(Place::Untouched, Transition::place) {
        Place::Taken => transaction.create(&place(new)),
        Place::GivenUp => give_up_place(&app.db, transaction, &old.team_id, &old.game_id).await?,
        Place::Untouched => transaction,
    };
    if new.season_id != old.season_id {
        let given_up = season_places::give_up(&old.team_id, old.season_id.as_ref());
        transaction = in_season(transaction.add(given_up), new);
    }
    if old.status == GameStatus::Final {
        let action = transition.map_or("updateGame", Transition::operation);
        let entry = audit::entry(app, call, &old.team_id, action, format!("GAME#{}", old.game_id))?;
        transaction = transaction.create(&summarised(entry, old, new));
    }
    Ok(transaction)
}

/// Adds that a game's season is there and has room for it.
pub(super) fn in_season(transaction: Transact<HackTracker>, game: &Game) -> Transact<HackTracker> {
    let transaction = season_places::take(transaction, &game.team_id, game.season_id.as_ref());
    match &game.season_id {
        Some(season_id) => {
            let key = SeasonKey::new(game.team_id.clone(), season_id.clone());
            transaction.check(&key, season::name().exists())
        }
        None => transaction,
    }
}

/// What an audit tells about a game before and after: everything that changes.
fn summarised(mut entry: Audit, old: &Game, new: &Game) -> Audit {
    let (Value::Object(old), Value::Object(new)) = (show::game(old), show::game(new)) else {
        return entry;
    };
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names.into_iter().filter(|name| old.get(*name) != new.get(*name)) {
        if let Some(value) = old.get(name) {
            entry = entry.was(name, value.to_string());
        }
        if let Some(value) = new.get(name) {
            entry = entry.is(name, value.to_string());
        }
    }
    entry
}

/// The problems of the operations that may fail.
pub(super) fn known(operation: usize, error: &Error) -> Option<Problem> {
    match error {
        Error::Exists { entity: "ActiveGame" } => Some(busy()),
        Error::NotFound { entity: "Season" } => {
            Some(Problem::field("seasonId", "the team has no such season"))
        }
        Error::LimitReached { .. } => {
            let text = "The team has as many games in the season as it can have.";
            Some(Problem::conflict("LIMIT_REACHED", text).with("limit", season_places::GAMES_MAX))
        }
        Error::Held { .. } | Error::NotHeld { .. } => {
            Some(Error::VersionConflict { entity: "ActiveGame", key: String::new() }.into())
        }
        _ => overtaken(operation, error),
    }
}

/// The answer that shows a game.
pub(super) fn told(game: &Game) -> Reply {
    Reply::ok(&show::game(game)).version(game.ver)
}
