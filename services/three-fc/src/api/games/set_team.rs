//! `PUT /v1/games/{gameId}/teams/{teamId}`: gives a team another name or colour in one game.

use super::GameView;
use crate::api::game_change::{Change, GameChange};
use crate::api::prelude::*;

/// What a team is called in a game.
#[derive(Clone, Debug, Body)]
pub(crate) struct TeamOverride {
    #[body(length = 1..=40, check = checks::name, example = "The Foxes")]
    name: String,
    /// `#RRGGBB`, or the name of a colour in CSS.
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
    let (name, color) = (call.body.name.clone(), call.body.color.value().cloned());
    let team_id = call.path.team_id.clone();
    let game_id = call.path.game_id.clone();
    let team = TeamSnapshot { team_id: team_id.clone(), name: name.clone(), color: color.clone() };
    let (mut tx, game) = rename(&change, team)?;
    let known = app.db.game_teams(&game_id).all().await?;
    match known.into_iter().find(|known| known.team_id == team_id) {
        Some(known) => tx.add(edit(&known, |known| (known.name, known.color) = (name, color))),
        None => {
            tx.add(create(GameTeam { game_id, team_id, name, color, stamps: Stamps::default() }))
        }
    };
    tx.respond(move |done| Json(GameView::of(&done[game]))).await
}

/// Starts the change of what a team is called in a game.
///
/// # Errors
/// 404 if the team does not play in it, 412 if the caller means another version of the game.
pub(super) fn rename<'a>(
    change: &GameChange<'a>,
    team: TeamSnapshot,
) -> Result<(Change<'a>, Handle<Game>), Problem> {
    change.call.check_version(change.game.stamps.version)?;
    let mut new = change.game.clone();
    if !new.team_ids.contains(&team.team_id) {
        return Err(Refusal::NotFound.text("The team does not play in this game."));
    }
    let after = team.clone();
    let known = new.teams.iter_mut().find(|known| known.team_id == team.team_id);
    let before = match known {
        Some(known) => Some(std::mem::replace(known, team)),
        None => {
            new.teams.push(team);
            None
        }
    };
    let (mut tx, game) = change.write(new);
    if change.game.status == GameStatus::Finished {
        let entry = change.audited("setGameTeam", format!("TEAM#{}", after.team_id))?;
        tx.add(create(summarised(entry, before.as_ref(), &after)));
    }
    Ok((tx, game))
}

/// Adds what a team was called, and what it is called now, to a line of the audit.
fn summarised(mut entry: Audit, before: Option<&TeamSnapshot>, after: &TeamSnapshot) -> Audit {
    let color = |team: &TeamSnapshot| team.color.clone().unwrap_or_default();
    if let Some(before) = before {
        entry = entry.was("name", before.name.as_str()).was("color", color(before));
    }
    entry.is("name", after.name.as_str()).is("color", color(after))
}
