//! Line-ups: which player plays for which team of a game.

pub(crate) mod assign;
pub(crate) mod list;
pub(crate) mod remove;

use crate::api::prelude::*;

/// Players of a game at most.
const PLAYERS_MAX: usize = 60;

/// A player in the line-up of a team.
#[derive(View)]
#[view(of = RosterEntry, list = "roster")]
pub(crate) struct RosterView {
    game_id: GameId,
    team_id: TeamId,
    player_id: PlayerId,
    #[view(stamps)]
    stamps: Stamps,
}

/// Notes in a transaction that a league's player plays in a game.
async fn note_player(
    app: &App,
    tx: &mut Commit<'_, ThreeFc>,
    game: &Game,
    player_id: &PlayerId,
) -> Result<(), Problem> {
    let (last_played, last_game_id) = (Some(game.starts_at()), Some(game.game_id.clone()));
    match app.db.pool_entry(&game.league_id, player_id).await? {
        Some(known) if known.last_played >= last_played => {}
        Some(known) => {
            tx.add(edit(&known, |known| {
                (known.last_played, known.last_game_id) = (last_played, last_game_id);
            }));
        }
        None => {
            // Two games can take a new player at once.
            tx.expect(create(PoolEntry {
                league_id: game.league_id.clone(),
                player_id: player_id.clone(),
                last_played,
                last_game_id,
                stamps: Stamps::default(),
            }));
        }
    }
    Ok(())
}
