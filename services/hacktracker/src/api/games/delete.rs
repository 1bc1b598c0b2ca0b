//! `DELETE /games/{gameId}`: deletes a game with its at-bats.

use super::lineup::PlayerChanges;
use super::season_places;
use crate::api::prelude::*;
use crate::jobs::delete_game as job;
use crate::rules::lineup::counted;

/// Deletes a game with its at-bats. Only owners and managers can delete final games.
// The game is marked, and counts as missing from then on; a job deletes its rows.
#[operation(
    DELETE "/games/{gameId}", once, if_match, queue = game_id,
    refuses(InsufficientRole, NotAMember, GameNotFound, InvalidTransition, TeamDeleted)
)]
async fn delete_game(app: &App, call: &Call<GamePath>) -> Answer<NoContent> {
    let (game, granted) = scope::game(app, call, &call.path.game_id, Action::DeleteGame).await?;
    match game.status {
        GameStatus::InProgress => {
            let text = "The game is being played; finish or suspend it first.";
            let refused = Refusal::InvalidTransition.text(text);
            return Err(refused.with("from", "IN_PROGRESS").with("to", "DELETED"));
        }
        GameStatus::Final => granted.allow(Action::CorrectFinal)?,
        GameStatus::Scheduled | GameStatus::Postponed => {}
    }
    call.check_version(game.stamps.version)?;
    let entity = format!("GAME#{}", game.game_id);
    let entry = audit::entry(app, call, &game.team_id, "deleteGame", entity)?
        .was("status", game.status.word());
    let mut tx = scope::change(app, call, &game.team_id);
    tx.add(edit(&game, |game| game.deleting = Some(true)));
    tx.add(season_places::release(&game.team_id, game.season_id.as_ref()));
    tx.add(create(entry));
    tx.add(create(job::ticket(&game, app.db.now())?));
    let players = PlayerChanges { before: counted(&game), after: &[], playing: &[] };
    players.add_to(&mut tx, &game.team_id);
    tx.afterwards(announce::game(app, &game.game_id)).respond(|_| NoContent).await
}
