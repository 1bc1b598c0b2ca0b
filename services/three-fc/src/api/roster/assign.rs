//! `POST /v1/games/{gameId}/roster`: puts a player into the line-up of a team, or moves one to another team.

use monotable_kit::Saved;

use super::{PLAYERS_MAX, RosterView, note_player};
use crate::api::game_change::GameChange;
use crate::api::prelude::*;

/// A player for a team.
#[derive(Debug, Body)]
pub(crate) struct Assignment {
    player_id: PlayerId,
    team_id: TeamId,
    /// The team that the player leaves, to move between teams.
    from_team_id: Option<TeamId>,
}

/// Puts a player into the line-up of a team, or moves one from another team.
#[operation(
    POST "/v1/games/{gameId}/roster", once, if_match, queue = game_id,
    refuses(refusal::SCORING, InvalidGoalTeams, NotFound, InvalidTransition, PlayerInOtherTeam, PlayerHasEvents, Conflict)
)]
pub(crate) async fn assign_roster(
    app: &App,
    call: &Call<GamePath, Assignment>,
) -> Answer<Saved<RosterView>> {
    let Assignment { player_id, team_id, from_team_id } = &call.body;
    let change = GameChange::read_version(app, call, &call.path.game_id).await?;
    change.require_unfinished()?;
    let game = &change.game;
    if !game.team_ids.contains(team_id) {
        let text = format!("Team {team_id} does not play in this game.");
        return Err(Refusal::InvalidGoalTeams.text(text));
    }
    let player = app.db.player(player_id).await?;
    let player = player.ok_or_else(|| Refusal::NotFound.text("There is no such player."))?;
    let roster = &change.sheet.roster;
    let known = roster.iter().find(|entry| entry.player_id == *player_id);
    if let Some(known) = known {
        if known.team_id == *team_id {
            return Ok(Saved::Changed(RosterView::of(known)).into());
        }
        check_move(&change, known, from_team_id.as_ref())?;
    } else if roster.len() >= PLAYERS_MAX {
        let text = format!("A game has {PLAYERS_MAX} players at most.");
        return Err(Refusal::Conflict.text(text));
    }
    let entry = RosterEntry {
        game_id: game.game_id.clone(),
        team_id: team_id.clone(),
        player_id: player_id.clone(),
        stamps: known.map_or_else(Stamps::default, |known| known.stamps),
    };
    let others = roster.iter().filter(|entry| entry.player_id != *player_id).cloned();
    let line_ups: Vec<RosterEntry> = others.chain([entry.clone()]).collect();
    let mut tx = change.write_roster(&line_ups);
    tx.add(check(&player.key(), player.unchanged()));
    note_player(app, &mut tx, game, &player).await?;
    let is_new = known.is_none();
    let entry = match known {
        Some(known) => tx.add(rekey(known, &entry)),
        None => tx.add(create(entry)),
    };
    tx.respond(move |done| {
        let view = RosterView::of(&done[entry]);
        if is_new { Saved::Created(view) } else { Saved::Changed(view) }
    })
    .await
}

/// Checks that a player can leave a team: the request names it, and no goal was scored for it.
fn check_move(
    change: &GameChange<'_>,
    known: &RosterEntry,
    from_team_id: Option<&TeamId>,
) -> Result<(), Problem> {
    if from_team_id != Some(&known.team_id) {
        let text = format!(
            "The player is in team {}. Move the player with fromTeamId, or remove the player first.",
            known.team_id
        );
        return Err(Refusal::PlayerInOtherTeam.text(text));
    }
    if change.sheet.goals.iter().any(|goal| goal.scorer_player_id == known.player_id) {
        return Err(Refusal::PlayerHasEvents.into());
    }
    Ok(())
}
