//! The operations of the service, one file each, in folders by chapter, and the list of them from which
//! routes and documentation are made.

pub(crate) mod accounts;
pub(crate) mod acl;
pub(crate) mod audit;
pub(crate) mod auth;
pub(crate) mod avatars;
pub(crate) mod checks;
pub(crate) mod counts;
pub(crate) mod game_change;
pub(crate) mod games;
pub(crate) mod goals;
pub(crate) mod join;
pub(crate) mod leagues;
pub(crate) mod me;
pub(crate) mod players;
pub(crate) mod prelude;
pub(crate) mod public;
pub(crate) mod roster;
pub(crate) mod seasons;
pub(crate) mod sessions;
pub(crate) mod sheets;
pub(crate) mod statistics;
pub(crate) mod teams;
pub(crate) mod thirds;

use monotable_kit::{Problem, Service, operations, paths};
use serde_json::{Map, Value};

use crate::pages;
use crate::refusal;
use crate::table::{
    EventId, GameId, JoinCode, LeagueId, PlayerId, SeasonId, SessionId, TeamId, UserId,
};

paths! {
    /// The league that a path names.
    LeaguePath { league_id: LeagueId }
    /// The user in a league that a path names.
    GrantPath { league_id: LeagueId, user_id: UserId }
    /// The season that a path names.
    SeasonPath { season_id: SeasonId }
    /// The team of a season that a path names.
    TeamPath { season_id: SeasonId, team_id: TeamId }
    /// The session that a path names.
    SessionPath { session_id: SessionId }
    /// The game that a path names.
    GamePath { game_id: GameId }
    /// The team of a game that a path names.
    GameTeamPath { game_id: GameId, team_id: TeamId }
    /// The player in a game that a path names.
    RosterPath { game_id: GameId, player_id: PlayerId }
    /// The goal that a path names.
    GoalPath { game_id: GameId, event_id: EventId }
    /// The third of a game that a path names.
    ThirdPath { game_id: GameId, n: u8 }
    /// The player that a path names.
    PlayerPath { player_id: PlayerId }
    /// The player of a league that a path names.
    LeaguePlayerPath { league_id: LeagueId, player_id: PlayerId }
    /// The player in a season that a path names.
    PlayerSeasonPath { player_id: PlayerId, season_id: SeasonId }
    /// The code that a path names.
    JoinPath { code: JoinCode }
}

/// Returns the service.
pub fn service() -> Service {
    let about = "Leagues, seasons, match days and live scoring of three-sided football.";
    Service::new("3fc", "3FC", about, problem_form)
        .cookie_prefix("threefc_")
        .home("/leagues")
        .chapter("Signing in", operations![auth::{start, complete, session, sign_out}])
        .chapter("Account", operations![me::{get, delete}])
        .chapter("Leagues", operations![
            leagues::{create, list, get, update, delete},
            acl::{list, get, put, invite, revoke}, audit::league,
        ])
        .chapter("Seasons", operations![
            seasons::{create, list, get, update, delete},
            teams::{create, list, update, delete},
            sessions::{create, list, delete},
        ])
        .chapter("Players", operations![
            players::{create, get, update, claim, anonymise}, avatars::{set, remove, show},
            players::{pool, appearances}, statistics, join::{make_code, use_code},
        ])
        .chapter("Games", operations![
            games::{
                create, list_of_session, list_of_season, get, stream, update, delete, set_team, reset_team, finish,
                reopen,
            },
            thirds::{start, finish}, audit::game,
        ])
        .chapter("Line-ups", operations![roster::{assign, list, remove}])
        .chapter("Goals", operations![goals::{record, quick, list, edit, quick_edit, delete, undo}])
        .chapter("Public", operations![public::{
            leagues, seasons, games, game, timeline, stream, standings, leaderboard, head_to_head, assist_network,
            resolve,
        }])
        .chapter("Pages", operations![
            pages::{home, league, season, session, game, result_picture, score, goal, join, me},
            pages::manage::{leagues, league, player, season, team, session, game},
        ])
}

/// Returns a problem as clients of this service know it: its kind, its code, a text, and details.
fn problem_form(problem: &Problem, _request_id: &str) -> Value {
    let mut form: Map<String, Value> = problem.details.clone();
    form.insert("error".to_owned(), refusal::kind(problem.kind).into());
    form.insert("code".to_owned(), refusal::code(problem.code).into());
    form.insert("message".to_owned(), problem.message.clone().into());
    Value::Object(form)
}
