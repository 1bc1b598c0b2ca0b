//! `POST /games/{gameId}/innings/end`: ends the inning before the third out.

use super::correction::ScoredGame;
use super::{AtBatView, LastAtBat, PlayFields};
use crate::api::prelude::*;
use crate::rules::count::Count;
use crate::rules::play::Play;

/// Ends the inning with the last at-bat, before the third out. If the request names another at-bat,
/// it is refused. `endsInning: null` on the at-bat reverts it.
// After a concurrent change the last play is not the one that the caller has seen: hence
// `no_repeat`.
#[operation(
    POST "/games/{gameId}/innings/end", once, queue = game_id, no_repeat,
    refuses(refusal::SCORING, InningNotBegun, NotTheLastAtBat)
)]
async fn end_inning(
    app: &App,
    call: &Call<GamePath, Option<LastAtBat>>,
) -> Answer<Json<AtBatView>> {
    let scored = ScoredGame::read(app, call, &call.path.game_id).await?;
    scored.require_in_progress()?;
    let index = last_of_inning(&scored.game, &scored.at_bats)?;
    if let Some(last) = &call.body {
        last.check(&scored.at_bats[index])?;
    }
    let fields = PlayFields { ends_inning: Patch::Set(true), ..PlayFields::default() };
    let play = Play { result: None, fields: &fields };
    scored.change(index, None, &play).await
}

/// Returns the index of the last at-bat, if it belongs to the current inning.
///
/// # Errors
/// Returns 409 `INNING_NOT_BEGUN`.
fn last_of_inning(game: &Game, at_bats: &[AtBat]) -> Result<usize, Problem> {
    let now = Count::after_all(game, at_bats).inning;
    let index = at_bats.len().checked_sub(1);
    let index = index.filter(|index| Count::after_all(game, &at_bats[..*index]).inning == now);
    index.ok_or_else(|| {
        let text = format!("Nobody has batted in inning {now} yet, so it can't end.");
        Refusal::InningNotBegun.text(text).with("inning", now)
    })
}
