//! `GET /seasons/{seasonId}`: the table of a season, its best players, its games, and who plays well together.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use askama::Template;
use monotable_kit::Html;

use super::{ListedGame, color, day, ranking_rules};
use crate::api::games::SeasonGame;
use crate::api::prelude::*;
use crate::api::public::season::PlayedSeason;
use crate::legacy::whole;
use crate::rules::assist_network::{AssistNetwork, assist_network};
use crate::rules::head_to_head::{HeadToHead, head_to_head};
use crate::rules::leaderboard::{Leader, LeaderSort, leaderboard};
use crate::rules::standings::{Standing, standings};

/// Players in a list of the best.
const LEADERS_MAX: usize = 10;
/// Players in the picture of assists.
const NETWORK_MAX: usize = 12;

/// The content of the page.
#[derive(Template)]
#[template(path = "season.html")]
struct SeasonPage {
    season: Season,
    league_name: String,
    standings: Vec<Standing>,
    rules: String,
    best: [BestPlayers; 2],
    pairs: Vec<HeadToHead>,
    names: BTreeMap<TeamId, String>,
    /// The latest first.
    match_days: Vec<MatchDay>,
    picture: Picture,
}

/// A match day and its games.
struct MatchDay {
    session: Session,
    games: Vec<ListedGame>,
}

/// A list of the best players.
struct BestPlayers {
    title: &'static str,
    /// What is counted.
    unit: &'static str,
    /// What they are ranked by.
    count: fn(&Leader) -> u32,
    players: Vec<Leader>,
}

/// Who assisted whom, as points on a circle and lines between them.
struct Picture {
    points: Vec<Point>,
    lines: Vec<Line>,
}

struct Point {
    x: i32,
    y: i32,
    /// The side on which the name does not cover the lines.
    anchor: &'static str,
    name: String,
    goals: u32,
    assists: u32,
}

struct Line {
    from: [i32; 2],
    to: [i32; 2],
    count: u32,
}

impl Picture {
    fn of(network: &AssistNetwork) -> Self {
        let players = &network.players[..network.players.len().min(NETWORK_MAX)];
        let at: Vec<[f64; 2]> = (0..players.len())
            .map(|number| {
                let angle = TAU * number as f64 / players.len() as f64;
                [angle.sin(), -angle.cos()]
            })
            .collect();
        let on_circle = |[x, y]: [f64; 2]| {
            [(200.0 + 110.0 * x).round() as i32, (160.0 + 110.0 * y).round() as i32]
        };
        let points = players.iter().zip(&at).map(|(player, at)| {
            let [x, y] = [200.0 + 124.0 * at[0], 164.0 + 124.0 * at[1]];
            Point {
                x: x.round() as i32,
                y: y.round() as i32,
                anchor: match at[0] {
                    x if x > 0.1 => "start",
                    x if x < -0.1 => "end",
                    _ => "middle",
                },
                name: player.nickname.clone().unwrap_or_else(|| "Former player".to_owned()),
                goals: player.goals,
                assists: player.assists,
            }
        });
        let place = |player_id: &PlayerId| {
            let found = players.iter().position(|player| player.player_id == *player_id);
            found.map(|number| on_circle(at[number]))
        };
        let lines = network.links.iter().filter_map(|link| {
            let (from, to) = (place(&link.from_player_id)?, place(&link.to_player_id)?);
            Some(Line { from, to, count: link.count })
        });
        Self { points: points.collect(), lines: lines.collect() }
    }
}

impl SeasonPage {
    /// Returns the name of a team.
    fn name<'a>(&'a self, team_id: &'a TeamId) -> &'a str {
        self.names.get(team_id).map_or(team_id.as_str(), String::as_str)
    }
}

/// Shows the table, the best players, the games and the assists of a season.
#[operation(GET "/seasons/{seasonId}", public, refuses(NotFound))]
async fn season_page(app: &App, call: &Call<SeasonPath>) -> Answer<Html> {
    let played = PlayedSeason::read(app, &call.path.season_id).await?;
    let (results, nicknames) = (played.results(), played.nicknames(app).await?);
    let teams = played.teams(app).await?;
    let best = |[title, unit]: [&'static str; 2], sort, count: fn(&Leader) -> u32| {
        let mut players = leaderboard(results.iter().copied(), &nicknames, sort, 0);
        players.retain(|leader| count(leader) > 0);
        players.truncate(LEADERS_MAX);
        BestPlayers { title, unit, count, players }
    };
    let league = app.db.league(&played.season.league_id).await?;
    let sessions = app.db.sessions(&played.season.season_id);
    let sessions = whole::latest_first(&app.db, sessions, |it| it.session_date).await?;
    let match_days = sessions.into_iter().map(|session| {
        let is_here =
            |game: &&SeasonGame| game.public_visible && game.session_id == session.session_id;
        let games = played.games.iter().filter(is_here);
        let games = games.map(|game| ListedGame::of(game, &call.viewer.zone));
        MatchDay { games: games.collect(), session }
    });
    let match_days = match_days.collect();
    let page = SeasonPage {
        league_name: league.map(|league| league.name).unwrap_or_default(),
        standings: standings(&teams, &results, &played.season.ranking),
        best: [
            best(["Scorers", "Goals"], LeaderSort::Goals, |leader| leader.totals.goals),
            best(["Assists", "Assists"], LeaderSort::Assists, |leader| leader.totals.assists),
        ],
        pairs: head_to_head(&teams, &results),
        names: teams.iter().map(|team| (team.team_id.clone(), team.name.clone())).collect(),
        picture: Picture::of(&assist_network(&results, &nicknames)),
        match_days,
        rules: ranking_rules(&played.season),
        season: played.season.clone(),
    };
    Ok(Html::new(call, format!("{} – {}", page.league_name, page.season.name), &page)?.into())
}
