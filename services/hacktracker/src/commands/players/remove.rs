//! The end of a roster slot that nobody needs.

use monotable::model::Entity as _;
use monotable_kit::{Call, Problem, Reply};
use serde_json::json;

use super::change::give_up;
use super::player_of;
use crate::app::App;
use crate::audit;
use crate::commands::scope::{all, overtaken};
use crate::entities::{Game, GameStatus, Player};
use crate::ids::TeamId;
use crate::patterns::HackTrackerReads as _;
use crate::policy::{self, Action};

/// `DELETE /teams/{teamId}/players/{playerId}`: only a ghost that never batted and is in no lineup that
/// is still to be played. Others become inactive instead.
pub(crate) async fn remove(app: &App, call: &Call) -> Result<Reply, Problem> {
    let team_id: TeamId = call.id("teamId")?;
    let team = policy::authorize(app, call, &team_id, Action::ManageRoster).await?.team;
    let player = player_of(app, call, &team_id).await?;
    call.check_version(player.ver)?;
    if player.user_id.is_some() {
        let text = "The player is somebody's; unlink it first.";
        return Err(Problem::conflict("PLAYER_LINKED", text));
    }
    if has_batted(app, &player).await? {
        return Err(has_statistics());
    }
    let games = all(app.db.games_of(&team_id)).await?;
    let games = games.iter().filter(|game| is_to_play(game, &player)).map(|game| &game.game_id);
    let games: Vec<_> = games.collect();
    // The index may not know a lineup yet; the row does, unless an older program wrote the game.
    if player.lineups > 0 || !games.is_empty() {
        return Err(has_statistics().with("gameIds", json!(games)));
    }
    let entity = format!("PLAYER#{}", player.player_id);
    let removed = app
        .db
        .transact()
        .check(&team.key(), policy::is_active())
        .delete(&player)
        .create(&audit::entry(app, call, &team_id, "removePlayer", entity)?);
    let removed = give_up(app, removed, &player).await?;
    call.commit(&app.db, removed, |_| Reply::no_content(), overtaken).await
}

/// Whether there are at-bats of the player. Rows of older programs don't say; a plate appearance that
/// is recorded meanwhile changes the row.
async fn has_batted(app: &App, player: &Player) -> Result<bool, Problem> {
    match player.pa_count {
        Some(count) => Ok(count > 0),
        None => {
            let page = app.db.at_bats_of(&player.player_id).take(1).page().await?;
            Ok(!page.rows.is_empty())
        }
    }
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
