//! A game goes: at once for everybody who asks, and row by row behind that.
//!
//! The command marks the game and promises the rest. From then on the game is missing, and its
//! at-bats count nowhere. Every step deletes some rows and takes their plate appearances off the
//! players' counts in the same transaction; the game's own row goes last.

use std::collections::BTreeMap;

use monotable::model::{self, Entity as _, Store, create, delete_by_key, edit};
use monotable_kit::jobs::{JobStep, JobTicket, Jobs};
use monotable_kit::{Problem, Reply, Request, repeat};
use serde::{Deserialize, Serialize};

use super::games::{give_up_place, lineup, season_places};
use super::scope;
use crate::app::App;
use crate::entities::{GameKey, GameStatus};
use crate::ids::{GameId, PlayerId, TeamId};
use crate::patterns::{GameRows, HackTracker, HackTrackerReads as _};
use crate::policy::{self, Action};
use crate::{announce, audit};

/// The kind of the work that is promised.
const KIND: &str = "delete-game";
/// Rows that a step deletes at most. With a player each they fit into one transaction.
const ROWS_MAX: usize = 40;

/// What the work is about.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Deletion {
    team_id: TeamId,
    game_id: GameId,
}

/// `DELETE /games/{gameId}`.
pub(crate) async fn delete(app: &App, call: &Request) -> Result<Reply, Problem> {
    let game_id: GameId = call.id("gameId")?;
    let turn = app.turn(&game_id).await;
    let reply = repeat(|| attempt(app, call)).await?;
    drop(turn);
    announce::game(app, &game_id).await;
    Ok(reply)
}

async fn attempt(app: &App, call: &Request) -> Result<Reply, Problem> {
    let (game, granted) = scope::game(app, call, Action::DeleteGame).await?;
    match game.status {
        GameStatus::InProgress => {
            let text = "The game is being played; finish or suspend it first.";
            let refused = Problem::conflict("INVALID_TRANSITION", text);
            return Err(refused.with("from", "IN_PROGRESS").with("to", "DELETED"));
        }
        GameStatus::Final => granted.allow(Action::CorrectFinal)?,
        GameStatus::Scheduled | GameStatus::Postponed => {}
    }
    call.check_version(game.stamps.version)?;
    let (team_id, game_id) = (game.team_id.clone(), game.game_id.clone());
    let entry = audit::entry(app, call, &team_id, "deleteGame", format!("GAME#{game_id}"))?
        .was("status", game.status.word());
    let deletion = Deletion { team_id, game_id };
    let ticket = JobTicket::new(KIND, deletion.game_id.as_str(), &deletion, app.db.now())?;
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(&game.team_id));
    tx.add(edit(&game, |game| game.deleting = Some(true)));
    tx.add(season_places::give_up(&game.team_id, game.season_id.as_ref()));
    tx.add(create(entry));
    tx.add(create(ticket));
    let players = lineup::Change { before: lineup::counted(&game), after: &[], playing: &[] };
    players.add_to(&mut tx, &game.team_id);
    call.commit(tx)
        .refuse(active, policy::team_deleted())
        .or_retry()
        .reply(|_| Reply::no_content())
        .await
}

/// Lets a worker do what the command promises.
pub(crate) fn known_to(jobs: Jobs<HackTracker>, db: &Store<HackTracker>) -> Jobs<HackTracker> {
    let db = db.clone();
    jobs.kind(KIND, move |deletion: Deletion, _: Option<()>| {
        let db = db.clone();
        async move { step(&db, &deletion).await }
    })
}

/// Deletes some rows of a game; when there are none but its own, that.
async fn step(
    db: &Store<HackTracker>,
    deletion: &Deletion,
) -> Result<JobStep<HackTracker, ()>, Problem> {
    // A row that nobody can read is in nobody's way.
    let rows = db.game_rows(&deletion.game_id).skip_unreadable();
    let page = rows.take(ROWS_MAX).page().await?;
    let mut tx = db.transact();
    let mut counts: BTreeMap<PlayerId, i64> = BTreeMap::new();
    let mut is_empty = true;
    for row in &page.rows {
        match row {
            GameRows::Game(_) => continue,
            GameRows::AtBat(at_bat) => {
                *counts.entry(at_bat.player_id.clone()).or_default() += 1;
                tx.add(model::delete(at_bat))
            }
            GameRows::Availability(row) => tx.add(delete_by_key(&row.key())),
            GameRows::Share(row) => tx.add(delete_by_key(&row.key())),
        };
        is_empty = false;
    }
    if is_empty {
        let (team_id, game_id) = (&deletion.team_id, &deletion.game_id);
        tx.add(delete_by_key(&GameKey::new(game_id.clone())));
        give_up_place(db, &mut tx, team_id, game_id).await?;
        return Ok(JobStep::done(tx));
    }
    for (player_id, count) in counts {
        // A player who was removed meanwhile is counted no more.
        if let Some(player) = db.player(&deletion.team_id, &player_id).consistent().await? {
            tx.add(player.count_plate_appearances(-count));
        }
    }
    Ok(JobStep::next(tx, ()))
}
