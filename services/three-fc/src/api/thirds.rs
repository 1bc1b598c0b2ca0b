//! The thirds of a game: they start and finish one after the other.

pub(crate) mod finish;
pub(crate) mod start;

use crate::api::game_change::GameChange;
use crate::api::games::GameView;
use crate::api::prelude::*;
use crate::rules::thirds::{self, THIRDS};

/// When a third started or finished.
#[derive(Debug, Body)]
pub(crate) struct ThirdTime {
    /// Now by default. A phone that was offline sends it later, within 24 hours. A time at which the third could
    /// not start or finish becomes the nearest one at which it could.
    at: Option<Timestamp>,
}

/// Changes the thirds of a game.
///
/// # Errors
/// Returns 404 or 403 for callers without the permission, and the refusals of the rules.
async fn change_third(
    app: &App,
    call: &Call<ThirdPath, Option<ThirdTime>>,
    rule: impl Fn(&GameChange<'_>, &mut Game, u8, Timestamp) -> Result<(), Problem>,
) -> Answer<Json<GameView>> {
    let ThirdPath { game_id, n } = &call.path;
    if !(1..=THIRDS).contains(n) {
        return Err(Problem::field("n", "must be from 1 to 3"));
    }
    let change = GameChange::read_version(app, call, game_id).await?;
    let mut new = change.game.clone();
    let at = call.body.as_ref().and_then(|body| body.at);
    let at = thirds::plausible(&new.thirds, at, app.db.now())?;
    rule(&change, &mut new, *n, at)?;
    let (tx, game) = change.write(new);
    tx.respond(move |done| Json(GameView::of(&done[game]))).await
}
