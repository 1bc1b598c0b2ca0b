//! `DELETE /v1/games/{gameId}/roster/{playerId}`: takes a player out of a line-up.

use crate::api::game_change::GameChange;
use crate::api::prelude::*;

/// Takes a player without goals and assists out of a line-up.
#[operation(
    DELETE "/v1/games/{gameId}/roster/{playerId}", once, if_match, queue = game_id,
    refuses(refusal::SCORING, NotFound, InvalidTransition, PlayerHasEvents)
)]
async fn remove_roster(app: &App, call: &Call<RosterPath>) -> Answer<NoContent> {
    let RosterPath { game_id, player_id } = &call.path;
    let change = GameChange::read_version(app, call, game_id).await?;
    change.require_unfinished()?;
    let sheet = &change.sheet;
    let is_player = |entry: &RosterEntry| entry.player_id == *player_id;
    let (gone, rest): (Vec<_>, Vec<_>) = sheet.roster.iter().cloned().partition(is_player);
    if gone.is_empty() {
        return Err(Refusal::NotFound.text("The player is in no line-up of the game."));
    }
    if sheet.goals.iter().any(|goal| goal.involves(player_id)) {
        return Err(Refusal::PlayerHasEvents.into());
    }
    let mut tx = change.write_roster(&rest);
    // Older programs could put a player into two teams.
    for entry in &gone {
        tx.add(delete(entry));
        let removal = change.audited("removeRoster", format!("ROSTER#{player_id}"))?;
        tx.add(create(removal.was("teamId", entry.team_id.as_str())));
    }
    tx.respond(|_| NoContent).await
}

impl Goal {
    /// Returns whether a player scored or assisted.
    fn involves(&self, player_id: &PlayerId) -> bool {
        self.scorer_player_id == *player_id || self.assist_player_ids.contains(player_id)
    }
}
