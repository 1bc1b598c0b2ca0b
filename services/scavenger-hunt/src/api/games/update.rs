//! `PATCH /api/games/{gameId}`: changes the settings of a game.

use super::GameView;
use super::config::Settings;
use crate::api::{announce, prelude::*};
use crate::jobs::{end_game, retire};

/// What changes of a game.
#[derive(Debug, Body)]
#[body(case = "snake", not_empty, read_only("id", "route_mode", "levelsInGame", "teams", "levels"))]
pub(crate) struct GameChanges {
    #[body(length = 1..=100, example = "Ducks of the old town")]
    name: Option<String>,
    #[body(length = 1..=2000)]
    description: Option<String>,
    #[body(flatten)]
    settings: Settings,
}

/// Changes the settings of a game, also while it is played.
#[operation(
    PATCH "/api/games/{gameId}", once, if_match, refuses(refusal::CONTROLLING, Provisioning)
)]
pub(crate) async fn update_game(
    app: &App,
    call: &Call<GamePath, GameChanges>,
) -> Answer<Json<GameView>> {
    let game = policy::game(app, call, &call.path.game_id, Action::Control).await?;
    Refusal::Provisioning.unless(game.status != Some(GameStatus::Provisioning))?;
    call.check_version(game.stamps.version)?;
    let GameChanges { name, description, settings } = &call.body;
    let mut after = game.clone();
    settings.apply(&mut after);
    after.name = name.clone().or(after.name);
    after.description = description.clone().or(after.description);
    let control = app.db.control(&game.id).await?;
    let now = app.db.now();
    let mut tx = call.transact(&app.db).or_retry();
    if after.ends_at != game.ends_at
        && let Some(ticket) = end_game::ticket(&after)?
    {
        // An end that was set before may have the same time.
        tx.expect(create(ticket));
    }
    if after.ended_at.is_some() && after.retention_days != game.retention_days {
        tx.expect(create(retire::ticket(&after)?));
    }
    let audit = app.audit(call, &game.id, "updateGame", format!("GAME#{}", game.id))?;
    tx.add(create(audit.changes(&game, &after)));
    let game = tx.add(edit(&game, |game| *game = after));
    tx.afterwards(announce::everybody(app, &call.path.game_id))
        .respond(move |done| Json(GameView::of(&done[game], control.as_ref(), now)))
        .await
}
