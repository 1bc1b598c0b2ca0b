//! `GET /my-games`: the home page: the user's teams and their games.

use std::cmp::Reverse;

use askama::Template;
use monotable_kit::{Form, Html};

use super::live::status;
use crate::api::games::of_team;
use crate::api::prelude::*;
use crate::api::shares;
use crate::api::users::{current, teams_of};

/// The maximum number of games per team.
const GAMES_MAX: usize = 20;

/// The content of the page.
#[derive(Template)]
#[template(path = "my_games.html")]
struct MyGamesPage {
    teams: Vec<TeamGames>,
}

struct TeamGames {
    name: String,
    role: &'static str,
    games: Vec<GameEntry>,
}

struct GameEntry {
    game: Game,
    opponent: String,
    status: &'static str,
    /// Whether the user can record plays now.
    can_be_scored: bool,
    /// Creates a link to follow the game without signing in.
    share: Option<Form>,
}

/// Shows your teams and their games, active games first.
#[operation(GET "/my-games")]
pub(crate) async fn my_games(app: &App, call: &Call) -> Answer<Html> {
    let user_id = current(app, call).await?.user_id;
    let mut teams = Vec::new();
    for (team, membership) in teams_of(app, &user_id).await? {
        let mut games = of_team(app, &team.team_id).await?;
        games.sort_by_key(|game| {
            (game.status != GameStatus::InProgress, Reverse(game.scheduled_start))
        });
        games.truncate(GAMES_MAX);
        let granted = Granted { team, membership };
        teams.push(TeamGames {
            games: games.into_iter().map(|game| entry(call, &granted, game)).collect(),
            role: granted.membership.role.word(),
            name: granted.team.name,
        });
    }
    Ok(Html::new(call, "Your games", &MyGamesPage { teams })?.into())
}

fn entry(call: &Request, granted: &Granted, game: Game) -> GameEntry {
    let is_on = game.status == GameStatus::InProgress;
    let share = || {
        Form::of(call, &shares::create::route())
            .path("gameId", &game.game_id)
            .then("/live/{token}")
            .submit("Share it live")
    };
    GameEntry {
        can_be_scored: is_on && granted.allow(Action::ManageAtBats).is_ok(),
        share: (is_on && granted.allow(Action::ManageGames).is_ok()).then(share),
        opponent: game.opponent_name.clone().unwrap_or_else(|| "Opponent".to_owned()),
        status: status(game.status),
        game,
    }
}
