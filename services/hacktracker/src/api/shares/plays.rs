//! `GET /share/{token}/plays`: the plays of a game, for anyone with a link.

use super::follow::{SharedGame, shared_game};
use crate::api::prelude::*;
use crate::api::statistics::box_score::PlayedGame;
use crate::rules::bases::{Bases, bases};
use crate::rules::count::replayed;
use crate::rules::log::runs;
use crate::rules::roster::Who;

/// A game play by play.
#[derive(View)]
pub(crate) struct PlayByPlay {
    /// The team of the link.
    #[view(example = "Red Sox")]
    pub(crate) team_name: String,
    /// The plays, in order.
    pub(crate) plays: Vec<PlayView>,
    /// The runners on first, second and third base, as far as the plays show.
    pub(crate) on_base: OnBase,
}

/// A play.
#[derive(View)]
pub(crate) struct PlayView {
    /// The inning, from 1.
    pub(crate) inning: u8,
    /// Outs before the play.
    pub(crate) outs: u8,
    /// The batter.
    pub(crate) batter: Who,
    #[view(example = "1B")]
    pub(crate) result: String,
    /// The players who scored.
    pub(crate) scored: Vec<Who>,
}

/// Runners on base.
#[derive(View)]
pub(crate) struct OnBase {
    pub(crate) first: Option<Who>,
    pub(crate) second: Option<Who>,
    pub(crate) third: Option<Who>,
}

/// Returns the plays of a game, for anyone with a link.
#[operation(GET "/share/{token}/plays", public, refuses(ShareNotFound))]
async fn follow_plays(app: &App, call: &Call) -> Answer<Json<PlayByPlay>> {
    Ok(Json(plays(&shared_game(app, call).await?)).into())
}

/// Returns a game play by play.
pub(crate) fn plays(shared: &SharedGame) -> PlayByPlay {
    let SharedGame { team, played } = shared;
    let PlayedGame { game, at_bats, roster } = played;
    let who = |player: &PlayerId| Who::of(player, roster);
    let plays = replayed(game, at_bats).into_iter().map(|at_bat| PlayView {
        inning: at_bat.inning,
        outs: at_bat.outs,
        batter: who(&at_bat.player_id),
        scored: runs(&at_bat).iter().map(who).collect(),
        result: at_bat.shown_result(),
    });
    let Bases([first, second, third]) = bases(game, at_bats);
    let runner = |base: Option<PlayerId>| base.map(|player| who(&player));
    PlayByPlay {
        team_name: team.name.clone(),
        plays: plays.collect(),
        on_base: OnBase { first: runner(first), second: runner(second), third: runner(third) },
    }
}
