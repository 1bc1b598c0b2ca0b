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
///
/// # Errors
/// Returns 404 for a player of another league: people join a game of another league by its code.
async fn note_player(
    app: &App,
    tx: &mut Commit<'_, ThreeFc>,
    game: &Game,
    player: &Player,
) -> Result<(), Problem> {
    let played = PoolEntry::played(game, &player.player_id);
    match app.db.pool_entry(&game.league_id, &player.player_id).await? {
        Some(known) if known.last_played >= played.last_played => {}
        Some(known) => _ = tx.add(edit(&known, |known| known.follow(played))),
        None if !player.is_of(&game.league_id) => {
            let text = "The player is of another league, and joins by the code of the game.";
            return Err(Refusal::NotFound.text(text));
        }
        // Two games can take a new player at once.
        None => _ = tx.expect(create(played)),
    }
    Ok(())
}

impl PoolEntry {
    /// Lists a player who plays in a game.
    pub(crate) fn played(game: &Game, player_id: &PlayerId) -> Self {
        let game_id = Some(game.game_id.clone());
        let last_played = Some(game.starts_at());
        Self { last_played, last_game_id: game_id, ..Self::of(&game.league_id, player_id) }
    }

    /// Takes over the game of a later entry.
    pub(crate) fn follow(&mut self, later: Self) {
        (self.last_played, self.last_game_id) = (later.last_played, later.last_game_id);
    }
}
