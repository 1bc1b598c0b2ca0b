//! `PATCH /v1/games/{gameId}`: changes a game.

use super::{GameView, checked_third_length, teams};
use crate::api::game_change::GameChange;
use crate::api::prelude::*;

/// Changes of a game.
#[derive(Debug, Body)]
#[body(not_empty, read_only_of = GameView, applies_to = Game)]
pub(crate) struct GameChanges {
    #[body(not_applied, example = "2026-02-22T09:30:00Z", label = "Start")]
    game_start_ts: Option<Timestamp>,
    /// The present status: games are started, finished and reopened.
    #[body(not_applied)]
    status: Option<GameStatus>,
    #[body(length = 1..=120, check = checks::name, example = "North pitch")]
    location: Patch<String>,
    /// 20, 25 or 30, before the first third.
    #[body(not_applied, range = 20..=30, label = "Length of a third")]
    third_length_minutes: Option<u8>,
    /// Three teams of the season, before the first third. A team that has players stays.
    #[body(not_applied, items = 3..=3, unique, label = "Teams")]
    team_ids: Option<Vec<TeamId>>,
    #[body(label = "Everybody can see the game")]
    public_visible: Option<bool>,
}

/// Changes a game. A finished one only by admins.
#[operation(
    PATCH "/v1/games/{gameId}", once, if_match, queue = game_id,
    refuses(refusal::SCORING, InvalidTransition)
)]
async fn update_game(app: &App, call: &Call<GamePath, GameChanges>) -> Answer<Json<GameView>> {
    let change = GameChange::read_version(app, call, &call.path.game_id).await?;
    let new = changed(app, &change, &call.body).await?;
    let (mut tx, game) = change.write(new.clone());
    if change.game.status == GameStatus::Finished {
        let entry = change.audited("updateGame", format!("GAME#{}", new.game_id))?;
        tx.add(create(entry.differs(summary(&change.game), summary(&new))));
    }
    tx.respond(move |done| Json(GameView::of(&done[game]))).await
}

/// Returns the game after the change.
async fn changed(app: &App, change: &GameChange<'_>, body: &GameChanges) -> Result<Game, Problem> {
    let old = &change.game;
    if let Some(status) = body.status.filter(|status| *status != old.status) {
        let text = format!("A game does not become {} by a change.", status.word());
        return Err(Refusal::InvalidTransition.text(text));
    }
    let is_kept = body.third_length_minutes.is_none() && body.team_ids.is_none();
    if !is_kept && !old.thirds.is_empty() {
        let text = "Teams and the length of thirds are settled once the first third has begun.";
        return Err(Refusal::InvalidTransition.text(text));
    }
    let mut new = old.clone();
    body.apply(&mut new);
    if let Some(minutes) = body.third_length_minutes {
        new.third_length_minutes = Some(checked_third_length(minutes)?);
    }
    // A start that an older program wrote keeps its form unless the game is rescheduled.
    if let Some(start) = body.game_start_ts.filter(|start| *start != old.starts_at()) {
        new.game_start_ts = start.into();
    }
    // A team that left the season stays in its game.
    if let Some(team_ids) = body.team_ids.as_ref().filter(|ids| **ids != old.team_ids) {
        let roster = &change.sheet.roster;
        if let Some(entry) = roster.iter().find(|entry| !team_ids.contains(&entry.team_id)) {
            let text = format!("has no {}, whose line-up is not empty", entry.team_id);
            return Err(Problem::field("teamIds", text));
        }
        new.teams = teams::snapshots(app, &old.season_id, Some(team_ids)).await?;
        for team in &mut new.teams {
            let known = old.teams.iter().find(|known| known.team_id == team.team_id);
            team.clone_from(known.unwrap_or(&team.clone()));
        }
        new.team_ids.clone_from(team_ids);
    }
    Ok(new)
}

/// Returns what an audit has of a game.
fn summary(game: &Game) -> [(&'static str, String); 3] {
    [
        ("gameStartTs", game.starts_at().to_string()),
        ("location", game.location.clone().unwrap_or_default()),
        ("publicVisible", game.public_visible.to_string()),
    ]
}
