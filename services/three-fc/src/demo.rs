//! A small world to look at: a league with two seasons, match days that were played, and a game that is on. It is
//! written by the operations, as people would have done it.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use monotable::model::time::Timestamp;
use monotable_kit::demo::{act, person};
use monotable_kit::{BoxFuture, Principal, Problem};
use serde_json::json;

use crate::api::goals::record::record_goal;
use crate::api::thirds::{finish::finish_third, start::start_third};
use crate::api::{acl, games, leagues, me, players, roster, seasons, sessions};
use crate::app::App;
use crate::rules::thirds;
use crate::table::{Third, ThreeFcReads as _};

const LEAGUE: &str = "demo-fitzroy";
/// Seasons: id, name, first and last day.
const SEASONS: [(&str, &str, &str, &str); 2] = [
    ("demo-autumn", "Autumn 2026", "2026-09-01", "2026-11-30"),
    ("demo-spring", "Spring 2026", "2026-03-01", "2026-05-31"),
];
/// The season that the home page shows first.
pub(crate) const SEASON: &str = SEASONS[0].0;
/// The game that is played now.
pub(crate) const LIVE_GAME: &str = "demo-live";
/// Three players of each team.
const PLAYERS: [(&str, [&str; 3]); 3] = [
    ("red", ["Flash", "Moss", "Kite"]),
    ("blue", ["Otter", "Juno", "Reed"]),
    ("yellow", ["Wren", "Bolt", "Sol"]),
];
/// Games: id, season, and goals. The last one is played now.
const GAMES: [(&str, &str, &str); 5] = [
    (
        "demo-g1",
        "demo-spring",
        "1/4 red Otter Juno, 1/17 yellow Flash, 2/8 red Wren Bolt, 3/19 yellow Juno Otter",
    ),
    ("demo-g2", "demo-spring", "1/9 blue Kite Moss, 2/2 blue Bolt, 3/12 red Sol Wren"),
    (
        "demo-g3",
        "demo-autumn",
        "1/1 blue Flash Kite, 1/14 yellow Otter Reed, 2/20 yellow Flash Moss, 3/5 red Wren",
    ),
    (
        "demo-g4",
        "demo-autumn",
        "1/11 red Sol Bolt, 2/6 blue Moss Flash, 3/3 yellow Reed Otter, 3/21 yellow Kite",
    ),
    (LIVE_GAME, SEASON, "1/7 blue Kite Flash, 1/15 red Wren Sol, 2/0 blue Bolt"),
];

/// A goal of the world.
struct DemoGoal<'a> {
    third: u8,
    minute: u16,
    conceding: &'a str,
    scorer: &'a str,
    assist: Option<&'a str>,
}

impl<'a> DemoGoal<'a> {
    /// Reads the goals of a game: third and minute, the team that conceded, who scored and who assisted.
    fn all(goals: &'a str) -> Vec<Self> {
        let goal = |text: &'a str| {
            let mut words = text.split(' ');
            let (third, minute) = words.next()?.split_once('/')?;
            let (third, minute) = (third.parse().ok()?, minute.parse().ok()?);
            let (conceding, scorer) = (words.next()?, words.next()?);
            Some(Self { third, minute, conceding, scorer, assist: words.next() })
        };
        goals.split(", ").filter_map(goal).collect()
    }
}

/// Returns the people of the world: an admin, a scorekeeper and a player.
pub(crate) fn people() -> Vec<Principal> {
    ["casey", "sam", "pat"].map(person).into()
}

/// Writes the world. All ids are known, so existing rows are left unchanged.
///
/// # Errors
/// Returns the refusals of the operations, which a table of this program never causes.
pub(crate) fn load(app: &App) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        let world = World { app, casey: person("casey") };
        for someone in people() {
            act(app, &someone, me::get::get_me, &[], json!({})).await?;
        }
        world.league().await?;
        for (number, (game_id, season_id, goals)) in GAMES.into_iter().enumerate() {
            let known = app.db.game(&parsed(game_id)?).await?;
            let day = if season_id == SEASON { "2026-11-08" } else { "2026-04-12" };
            let start = match known {
                Some(game) => game.starts_at(),
                None if game_id == LIVE_GAME => app.db.now(),
                // The second game of a day follows the first.
                None => parsed(&format!("{day}T{:02}:00:00Z", 9 + number % 2))?,
            };
            world.game(game_id, season_id, start, &DemoGoal::all(goals)).await?;
        }
        Ok(())
    })
}

struct World<'a> {
    app: &'a App,
    casey: Principal,
}

impl World<'_> {
    /// The league with its seasons, its players and a scorekeeper.
    async fn league(&self) -> Result<(), Problem> {
        let (app, casey) = (self.app, &self.casey);
        let league =
            json!({ "leagueId": LEAGUE, "name": "Fitzroy Triangle", "slug": "fitzroy-triangle" });
        act(app, casey, leagues::create::create_league, &[], league).await?;
        let path = [("leagueId", LEAGUE), ("userId", "demo-sam")];
        act(app, casey, acl::put::put_grant, &path, json!({ "role": "scorekeeper" })).await?;
        for (season_id, name, starts_on, ends_on) in SEASONS {
            let season = json!({ "seasonId": season_id, "name": name, "startsOn": starts_on, "endsOn": ends_on });
            act(app, casey, seasons::create::create_season, &[("leagueId", LEAGUE)], season)
                .await?;
        }
        for nickname in PLAYERS.into_iter().flat_map(|(_, nicknames)| nicknames) {
            let player = json!({ "leagueId": LEAGUE, "playerId": player_id(nickname), "nickname": nickname });
            act(app, casey, players::create::create_player, &[], player).await?;
        }
        Ok(())
    }

    /// A game with its goals. The one that is played now is in its second third.
    async fn game(
        &self,
        game_id: &str,
        season_id: &str,
        start: Timestamp,
        goals: &[DemoGoal<'_>],
    ) -> Result<(), Problem> {
        let (app, casey, day) = (self.app, &self.casey, self.app.zone.day(start));
        let session_id = format!("{season_id}-{day}");
        let session = json!({ "sessionId": session_id, "sessionDate": day });
        act(app, casey, sessions::create::create_session, &[("seasonId", season_id)], session)
            .await?;
        let game = json!({ "gameId": game_id, "gameStartTs": start, "location": "North pitch" });
        act(app, casey, games::create::create_game, &[("sessionId", &session_id)], game).await?;
        for (team_id, nicknames) in PLAYERS {
            for nickname in nicknames {
                let entry = json!({ "playerId": player_id(nickname), "teamId": team_id });
                act(app, casey, roster::assign::assign_roster, &[("gameId", game_id)], entry)
                    .await?;
            }
        }
        let last = if game_id == LIVE_GAME { 2 } else { 3 };
        for third in 1..=last {
            let number = third.to_string();
            let path = [("gameId", game_id), ("n", &number)];
            act(app, casey, start_third, &path, json!({})).await?;
            self.play(game_id, third, goals).await?;
            for (number, goal) in goals.iter().enumerate().filter(|(_, goal)| goal.third == third) {
                self.goal(game_id, number, goal).await?;
            }
            if third < last || game_id != LIVE_GAME {
                act(app, casey, finish_third, &path, json!({})).await?;
            }
        }
        if game_id == LIVE_GAME {
            return Ok(());
        }
        act(app, casey, games::finish::finish_game, &[("gameId", game_id)], json!({})).await
    }

    /// Lets a third have begun early enough for its goals.
    async fn play(&self, game_id: &str, third: u8, goals: &[DemoGoal<'_>]) -> Result<(), Problem> {
        let db = &self.app.db;
        let Some(game) = db.game(&parsed(game_id)?).await? else { return Ok(()) };
        let of_third = goals.iter().filter(|goal| goal.third == third);
        let minutes = of_third.map(|goal| u64::from(goal.minute));
        let begin = db.now() - Duration::from_secs(60 * minutes.max().unwrap_or(0));
        let is_late = |running: &Third| running.n == third && running.started_at > begin;
        if thirds::running(&game.thirds).is_some_and(is_late) {
            db.edit(game, |game| {
                if let Some(running) = game.thirds.last_mut() {
                    running.started_at = begin;
                }
            })
            .await?;
        }
        Ok(())
    }

    async fn goal(&self, game_id: &str, number: usize, goal: &DemoGoal<'_>) -> Result<(), Problem> {
        let (app, casey) = (self.app, &self.casey);
        let DemoGoal { third, minute, conceding, scorer, assist } = *goal;
        let scoring = PLAYERS.iter().find(|(_, nicknames)| nicknames.contains(&scorer));
        let body = json!({
            "eventId": format!("{game_id}-{number}"),
            "third": third,
            "gameMinute": minute,
            "scoringTeamId": scoring.map(|(team_id, _)| team_id),
            "concedingTeamId": conceding,
            "scorerPlayerId": player_id(scorer),
            "assistPlayerIds": assist.map(|assist| vec![player_id(assist)]),
        });
        act(app, casey, record_goal, &[("gameId", game_id)], body).await
    }
}

fn parsed<T: FromStr<Err: Display>>(text: &str) -> Result<T, Problem> {
    text.parse().map_err(|error: T::Err| Problem::internal(error.to_string()))
}

fn player_id(nickname: &str) -> String {
    format!("demo-{}", nickname.to_lowercase())
}
