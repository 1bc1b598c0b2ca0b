//! `GET /score/{gameId}`: the page on which a scorekeeper records plate appearances, also without a
//! network.

use askama::Template;
use monotable_kit::{Form, Html};

use super::live::{name, words};
use crate::api::at_bats::correction::ScoredGame;
use crate::api::at_bats::record;
use crate::api::prelude::*;
use crate::api::statistics::box_score::PlayedGame;
use crate::rules::live::{Situation, situation};
use crate::rules::results::Outcome;
use crate::rules::roster::Who;

/// Fields of a plate appearance that are derived from the game, or corrected later.
const LEFT_OUT: &[&str] = &[
    "battingOrder",
    "beforeAtBatId",
    "inning",
    "outs",
    "hitLocation.x",
    "hitLocation.y",
    "hitType",
    "outsOnPlay",
    "endsInning",
];

/// The content of the page.
#[derive(Template)]
#[template(path = "score.html")]
struct ScorePage {
    title: String,
    runs: u64,
    opponent_runs: u64,
    situation: Situation,
    /// The number of recorded plays.
    recorded: usize,
    /// The last of them, the newest first.
    plays: Vec<String>,
    form: Form,
}

/// Shows the form for recording plate appearances, also without a network.
#[operation(GET "/score/{gameId}", refuses(refusal::SCORING))]
pub(crate) async fn score_page(app: &App, call: &Call<GamePath>) -> Answer<Html> {
    let scored = ScoredGame::read(app, call, &call.path.game_id).await?;
    scored.require_in_progress()?;
    let team_name = scored.granted.team.name.clone();
    let played = PlayedGame::read(app, scored.game).await?;
    let who = |player_id: &PlayerId| name(&Who::of(player_id, &played.roster));
    let situation = situation(&played.game, &played.at_bats);
    let players: Vec<(String, String)> = if played.game.lineup.is_empty() {
        played.roster.iter().map(|it| (it.player_id.to_string(), who(&it.player_id))).collect()
    } else {
        played.game.lineup.iter().map(|id| (id.to_string(), who(id))).collect()
    };
    let form = Form::of(call, &record::route())
        .without(LEFT_OUT)
        .turns("playerId", players.clone())
        .options("runsScored", players)
        .options(
            "result",
            Outcome::ALL.iter().map(|it| (it.word().to_owned(), result(*it).to_owned())),
        )
        .value("playerId", situation.batter.as_ref().map(|place| &place.player_id))
        .then(format!("/score/{}", call.path.game_id))
        .submit("Record")
        .queued();
    let plays = played.at_bats.iter().rev().take(5);
    let plays = plays.map(|it| format!("{} {}", who(&it.player_id), words(&it.result)));
    let score = played.box_score();
    let opponent = played.game.opponent_name.as_deref().unwrap_or("Opponent");
    let page = ScorePage {
        title: format!("{team_name} – {opponent}"),
        runs: score.team_score.into(),
        opponent_runs: score.opponent_score.into(),
        recorded: played.at_bats.len(),
        plays: plays.collect(),
        situation,
        form,
    };
    let page = Html::new(call, page.title.clone(), &page)?.queued(call);
    Ok(page.live(format!("/games/{}/events", call.path.game_id)).into())
}

/// Returns the usual name of a result.
fn result(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Strikeout => "Strikeout",
        Outcome::Walk => "Walk",
        Outcome::HitByPitch => "Hit by pitch",
        Outcome::Single => "Single",
        Outcome::Double => "Double",
        Outcome::Triple => "Triple",
        Outcome::HomeRun => "Home run",
        Outcome::Out => "Out",
        Outcome::Sacrifice => "Sacrifice",
        Outcome::FieldersChoice => "Fielder's choice",
        Outcome::Error => "Error",
    }
}
