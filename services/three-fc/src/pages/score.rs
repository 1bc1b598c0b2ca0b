//! `GET /score/{gameId}`: where a scorekeeper runs a game by taps, also without a network.

use askama::Template;
use monotable_kit::{Form, Html, Route};

use super::{color, nickname, status, with_players};
use crate::api::game_change::GameChange;
use crate::api::games::finish;
use crate::api::goals::{quick, undo};
use crate::api::prelude::*;
use crate::api::public::scoreboard::{PublicGoal, Scoreboard, public_goals, scoreboard};
use crate::api::thirds;
use crate::rules::thirds::{THIRDS, ThirdState, state};

/// The content of the page.
#[derive(Template)]
#[template(path = "score.html")]
struct ScorePage {
    board: Scoreboard,
    /// The goals, the latest first.
    goals: Vec<PublicGoal>,
    /// Starts or ends a third, or the game.
    next: Option<Form>,
    /// What comes after it, for the time without a network.
    later: Vec<Form>,
    /// Until the game is finished.
    goal: Option<Form>,
    /// After the first goal.
    undo: Option<Form>,
}

/// Shows where the goals and the thirds of a game are recorded, also without a network.
#[operation(GET "/score/{gameId}", refuses(refusal::SCORING))]
async fn score_page(app: &App, call: &Call<GamePath>) -> Answer<Html> {
    let game_id = &call.path.game_id;
    let change = GameChange::read(app, call, game_id).await?;
    let (game, sheet) = (&change.game, &change.sheet);
    let then = format!("/score/{game_id}");
    let mut steps = steps(call, game).into_iter().map(|form| form.then(&then).queued());
    let goal = match game.status {
        GameStatus::Scheduled | GameStatus::Live if !sheet.roster.is_empty() => {
            let form = Form::of(call, &quick::route()).time("at").submit("Goal");
            Some(with_players(form.then(&then).queued(), app, &change).await?)
        }
        _ => None,
    };
    let page = ScorePage {
        board: scoreboard(app, game).await?,
        goals: public_goals(app, game, sheet.goals.iter().rev().collect()).await?,
        next: steps.next(),
        later: steps.collect(),
        goal,
        undo: (game.status == GameStatus::Live && !sheet.goals.is_empty())
            .then(|| Form::of(call, &undo::route()).without(&["eventId"]).then(&then))
            .map(|form| form.submit("Undo the last goal")),
    };
    let html = Html::new(call, page.board.title(), &page)?.queued(call);
    Ok(html.live(format!("/v1/games/{game_id}/stream")).into())
}

/// Returns the forms of what is left of a game, in order: thirds start and end, and then the game is over.
fn steps(call: &Call<GamePath>, game: &Game) -> Vec<Form> {
    if matches!(game.status, GameStatus::Finished | GameStatus::Deleting) {
        return Vec::new();
    }
    let step = |route: Route, text: &str, n: u8| {
        Form::of(call, &route).path("n", n).time("at").submit(format!("{text} third {n}"))
    };
    let mut forms = Vec::new();
    for n in 1..=THIRDS {
        let progress = state(&game.thirds, n);
        if progress == ThirdState::Pending {
            forms.push(step(thirds::start::route(), "Start", n));
        }
        if progress != ThirdState::Done {
            forms.push(step(thirds::finish::route(), "End", n));
        }
    }
    let finish = Form::of(call, &finish::route()).without(&["reason"]);
    forms.push(finish.submit("Finish the game"));
    forms
}
