//! The end of a roster slot that nobody needs.

use monotable::model::{create, delete};
use monotable_kit::{Problem, Reply, Request};
use serde_json::json;

use super::change::give_up_number;
use super::player_of;
use crate::app::App;
use crate::audit;
use crate::commands::scope::all;
use crate::commands::statistics::with_at_bats;
use crate::entities::{Game, GameStatus, Player};
use crate::ids::TeamId;
use crate::patterns::HackTrackerReads as _;
use crate::policy::{self, Action};

/// `DELETE /teams/{teamId}/players/{playerId}`: only a ghost that never batted or scored and is in no lineup
/// that is still to be played. Others become inactive instead.
pub(crate) async fn remove(app: &App, call: &Request) -> Result<Reply, Problem> {
    let team_id: TeamId = call.id("teamId")?;
    policy::authorize(app, call, &team_id, Action::ManageRoster).await?;
    let player = player_of(app, call, &team_id).await?;
    call.check_version(player.stamps.version)?;
    if player.user_id.is_some() {
        let text = "The player is somebody's; unlink it first.";
        return Err(Problem::conflict("PLAYER_LINKED", text));
    }
    // A plate appearance that is recorded meanwhile changes the row.
    if player.pa_count.is_some_and(|count| count > 0) {
        return Err(has_statistics());
    }
    let games = all(app.db.games_of(&team_id)).await?;
    let to_play = games.iter().filter(|game| is_to_play(game, &player)).map(|game| &game.game_id);
    let to_play: Vec<_> = to_play.collect();
    // The index may not know a lineup yet; the row does, unless an older program wrote the game.
    if player.lineups > 0 || !to_play.is_empty() {
        return Err(has_statistics().with("gameIds", json!(to_play)));
    }
    // Runs are not counted in the row, and plate appearances are not in rows of older programs.
    let logs = with_at_bats(app, games).await?;
    if logs.iter().any(|log| log.has(&player.player_id)) {
        return Err(has_statistics());
    }
    let entity = format!("PLAYER#{}", player.player_id);
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(&team_id));
    tx.add(delete(&player));
    tx.add(create(audit::entry(app, call, &team_id, "removePlayer", entity)?));
    give_up_number(app, &mut tx, &player).await?;
    call.commit(tx)
        .refuse(active, policy::team_deleted())
        .or_retry()
        .reply(|_| Reply::no_content())
        .await
}

fn is_to_play(game: &Game, player: &Player) -> bool {
    !game.is_deleting()
        && matches!(game.status, GameStatus::Scheduled | GameStatus::InProgress)
        && game.lineup.contains(&player.player_id)
}

fn has_statistics() -> Problem {
    let text = "The player has statistics or is in a lineup; make the player inactive instead.";
    Problem::conflict("PLAYER_HAS_STATS", text)
}
