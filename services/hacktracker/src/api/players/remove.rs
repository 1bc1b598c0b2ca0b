//! `DELETE /teams/{teamId}/players/{playerId}`: removes a player without plate appearances, lineups
//! or links.

use super::numbers;
use crate::api::prelude::*;
use crate::api::statistics::with_at_bats;

/// Removes a ghost that never batted and is in no lineup of an unfinished game.
#[operation(
    DELETE "/teams/{teamId}/players/{playerId}", once, if_match,
    refuses(refusal::MANAGING, PlayerNotFound, PlayerLinked, PlayerHasStats)
)]
async fn remove_player(app: &App, call: &Call<PlayerPath>) -> Answer<NoContent> {
    let PlayerPath { team_id, player_id } = &call.path;
    policy::authorize(app, call, team_id, Action::ManageRoster).await?;
    let player = scope::player(app, team_id, player_id).await?;
    call.check_version(player.stamps.version)?;
    if player.user_id.is_some() {
        return Err(Refusal::PlayerLinked.into());
    }
    // A plate appearance that is recorded in the meantime changes the row.
    if player.pa_count.is_some_and(|count| count > 0) {
        return Err(Refusal::PlayerHasStats.into());
    }
    let games = app.db.games_of(team_id).all().await?;
    let to_play = games.iter().filter(|game| is_to_play(game, &player)).map(|game| &game.game_id);
    let to_play: Vec<_> = to_play.collect();
    // The index may lack a recent lineup; the row counts it, unless an older program wrote the game.
    if player.lineups > 0 || !to_play.is_empty() {
        return Err(Refusal::PlayerHasStats.with("gameIds", json!(to_play)));
    }
    // Runs are not counted in the row, and plate appearances are not in rows of older programs.
    let logs = with_at_bats(app, games).await?;
    if logs.iter().any(|log| log.has(&player.player_id)) {
        return Err(Refusal::PlayerHasStats.into());
    }
    let entity = format!("PLAYER#{player_id}");
    let mut tx = scope::change(app, call, team_id);
    tx.add(delete(&player));
    tx.add(create(audit::entry(app, call, team_id, "removePlayer", entity)?));
    numbers::release(app, &mut tx, &player).await?;
    tx.respond(|_| NoContent).await
}

fn is_to_play(game: &Game, player: &Player) -> bool {
    !game.is_deleting()
        && matches!(game.status, GameStatus::Scheduled | GameStatus::InProgress)
        && game.lineup.contains(&player.player_id)
}
