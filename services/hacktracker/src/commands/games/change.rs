//! Changes of a game: its fields and its status, in one transaction.

use std::collections::BTreeSet;

use monotable::model::{Handle, Transact, create, edit};
use monotable_kit::{Problem, Refusals, Reply, Request, repeat};
use serde_json::Value;

use super::active::{BUSY, PlaceChange, give_up_place, running};
use super::fields::GameFields;
use super::season_places::SeasonEntry;
use super::{lineup, scoring, season_places};
use crate::app::App;
use crate::commands::scope::{self, ids};
use crate::commands::transitions::{Place, Transition};
use crate::entities::{Audit, Game, GameStatus, TeamType};
use crate::ids::GameId;
use crate::patterns::HackTracker;
use crate::policy::{self, Action};
use crate::{announce, audit, show};

/// `PUT /games/{gameId}`, and the routes that are named after transitions: the fields of the body, and
/// the transition that is asked for by name or by the status in the body.
pub(crate) async fn change(
    app: &App,
    call: &Request,
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
    call: &Request,
    fields: &GameFields,
    asked: Option<Transition>,
) -> Result<Reply, Problem> {
    let (old, granted) = scope::game(app, call, Action::ManageGames).await?;
    if old.status == GameStatus::Final {
        granted.allow(Action::CorrectFinal)?;
    }
    call.check_version(old.stamps.version)?;
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
    if old.status == GameStatus::InProgress && is_named && new.lineup.is_empty() {
        let text = "A game in progress needs a lineup; it can't be emptied.";
        if granted.team.kind() == TeamType::Managed {
            return Err(Problem::conflict("LINEUP_REQUIRED", text));
        }
    }
    if must_play && new.status == GameStatus::InProgress {
        ready(app, granted.team.kind(), &new).await?;
    }
    let change = lineup::Change {
        before: lineup::counted(&old),
        after: lineup::counted(&new),
        playing: if must_play { &new.lineup } else { &[] },
    };
    let mut tx = app.db.transact();
    let handles = write(app, call, &mut tx, &old, &new, transition).await?;
    change.add_to(&mut tx, &new.team_id);
    let done = call
        .commit(tx)
        .refusing(|refusals| handles.refusals(refusals))
        .reply(move |done| shown(&done[handles.game]));
    match done.await {
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

/// The operations by which a change may be refused.
#[derive(Clone, Copy)]
struct GameChange {
    active: Handle<()>,
    game: Handle<Game>,
    place: PlaceChange,
    season: Option<SeasonEntry>,
}

impl GameChange {
    fn refusals(self, refusals: Refusals<'_>) -> Refusals<'_> {
        let refusals = self.place.refusals(refusals.refuse(self.active, policy::team_deleted()));
        match self.season {
            Some(season) => season.refusals(refusals).or_retry(),
            None => refusals.or_retry(),
        }
    }
}

/// Writes the game, and what follows from its status and its season.
async fn write(
    app: &App,
    call: &Request,
    tx: &mut Transact<HackTracker>,
    old: &Game,
    new: &Game,
    transition: Option<Transition>,
) -> Result<GameChange, Problem> {
    let active = tx.add(policy::check_active(&old.team_id));
    let game = tx.add(edit(old, |game| game.clone_from(new)));
    let place = match transition.map_or(Place::Untouched, Transition::place) {
        Place::Taken => PlaceChange::take(tx, new),
        Place::GivenUp => {
            let given_up = give_up_place(&app.db, tx, &old.team_id, &old.game_id).await?;
            given_up.map_or(PlaceChange::None, PlaceChange::GivenUp)
        }
        Place::Untouched => PlaceChange::None,
    };
    let season = (new.season_id != old.season_id).then(|| {
        tx.add(season_places::give_up(&old.team_id, old.season_id.as_ref()));
        SeasonEntry::add(tx, new)
    });
    if old.status == GameStatus::Final {
        let action = transition.map_or("updateGame", Transition::operation);
        let entry = audit::entry(app, call, &old.team_id, action, format!("GAME#{}", old.game_id))?;
        tx.add(create(summarised(entry, old, new)));
    }
    Ok(GameChange { active, game, place, season })
}

/// What an audit tells about a game before and after: everything that changes.
fn summarised(mut entry: Audit, old: &Game, new: &Game) -> Audit {
    let (Value::Object(old), Value::Object(new)) = (show::game(old), show::game(new)) else {
        return entry;
    };
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names.into_iter().filter(|name| old.get(*name) != new.get(*name)) {
        if let Some(value) = old.get(name) {
            entry = entry.was(name, plain(value));
        }
        if let Some(value) = new.get(name) {
            entry = entry.is(name, plain(value));
        }
    }
    entry
}

/// A value as an audit has it: texts as they are, everything else as JSON.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns the reply that shows a game.
pub(super) fn shown(game: &Game) -> Reply {
    Reply::ok(&show::game(game)).version(game.stamps.version)
}
