//! `PUT /v1/games/{gameId}/teams/{teamId}`: gives a team another name or colour in one game.

use super::GameView;
use crate::api::game_change::{Change, GameChange};
use crate::api::prelude::*;

/// What a team is called in a game.
#[derive(Clone, Debug, Body)]
pub(crate) struct TeamOverride {
    #[body(length = 1..=40, check = checks::name, example = "The Foxes")]
    name: String,
    /// As #RRGGBB, or by its name in CSS.
    #[body(length = checks::COLOR_LENGTH, check = checks::color, example = "#FF8800", label = "Colour")]
    color: Patch<String>,
}

/// Gives a team another name or colour in one game.
#[operation(
    PUT "/v1/games/{gameId}/teams/{teamId}", once, if_match, queue = game_id,
    refuses(refusal::SCORING, NotFound)
)]
async fn set_game_team(
    app: &App,
    call: &Call<GameTeamPath, TeamOverride>,
) -> Answer<Json<GameView>> {
    let change = GameChange::read(app, call, &call.path.game_id).await?;
    let (game_id, team_id) = (call.path.game_id.clone(), call.path.team_id.clone());
    let (name, color) = (call.body.name.clone(), call.body.color.value().cloned());
    let team = TeamSnapshot { team_id: team_id.clone(), name: name.clone(), color: color.clone() };
    let (mut tx, game) = rename(&change, team)?;
    match named(app, &call.path).await? {
        Some(known) => tx.add(edit(&known, |known| (known.name, known.color) = (name, color))),
        None => {
            tx.add(create(GameTeam { game_id, team_id, name, color, stamps: Stamps::default() }))
        }
    };
    tx.respond(move |done| Json(GameView::of(&done[game]))).await
}

/// Returns what a team is called in a game, if it differs from the season.
pub(super) async fn named(app: &App, path: &GameTeamPath) -> Result<Option<GameTeam>, Problem> {
    let known = app.db.game_teams(&path.game_id).all().await?;
    Ok(known.into_iter().find(|known| known.team_id == path.team_id))
}

/// Starts the change of what a team is called in a game.
///
/// # Errors
/// Returns 404 if the team does not play in it, or 412 if the precondition names another version of
/// the game.
pub(super) fn rename<'a>(
    change: &GameChange<'a>,
    team: TeamSnapshot,
) -> Result<(Change<'a>, Handle<Game>), Problem> {
    change.call.check_version(change.game.stamps.version)?;
    let mut new = change.game.clone();
    if !new.team_ids.contains(&team.team_id) {
        return Err(Refusal::NotFound.text("The team does not play in this game."));
    }
    match new.teams.iter_mut().find(|known| known.team_id == team.team_id) {
        Some(known) => known.clone_from(&team),
        None => new.teams.push(team.clone()),
    }
    let (mut tx, game) = change.write(new);
    if change.game.status == GameStatus::Finished {
        let entry = change.audited("setGameTeam", format!("TEAM#{}", team.team_id))?;
        let before = TeamSnapshot::of(&team.team_id, &change.game.teams);
        tx.add(create(entry.differs(summary(before), summary(team))));
    }
    Ok((tx, game))
}

/// Returns what an audit has of a team.
fn summary(team: TeamSnapshot) -> [(&'static str, String); 2] {
    [("name", team.name), ("color", team.color.unwrap_or_default())]
}
