//! A small world to look at: a league with two seasons, match days that were played, and a game that is on. It is
//! written by the operations, as people would have done it.

use std::time::Duration;

use monotable_kit::demo::{act, person};
use monotable_kit::{BoxFuture, Principal, Problem};
use serde_json::json;

use crate::api::goals::record::record_goal;
use crate::api::thirds::{finish::finish_third, start::start_third};
use crate::api::{acl, games, leagues, me, players, roster, seasons, sessions};
use crate::app::App;
use crate::table::{GameId, Third, ThreeFcReads as _};

const LEAGUE: &str = "demo-fitzroy";
/// Seasons: id, name, first and last day.
const SEASONS: [(&str, &str, &str, &str); 2] = [
    ("demo-autumn", "Autumn 2026", "2026-09-01", "2026-11-30"),
    ("demo-spring", "Spring 2026", "2026-03-01", "2026-05-31"),
];
/// The season that everybody looks at first.
pub(crate) const SEASON: &str = SEASONS[0].0;
/// The game that is played now.
pub(crate) const LIVE_GAME: &str = "demo-live";
/// Three players of each team.
const PLAYERS: [(&str, [&str; 3]); 3] = [
    ("red", ["Flash", "Moss", "Kite"]),
    ("blue", ["Otter", "Juno", "Reed"]),
    ("yellow", ["Wren", "Bolt", "Sol"]),
];
/// Finished games: id, season, and goals.
const PLAYED: [(&str, &str, &[DemoGoal]); 4] = [
    (
        "demo-g1",
        "demo-spring",
        &[
            (1, 4, "red", "Otter", Some("Juno")),
            (1, 17, "yellow", "Flash", None),
            (2, 8, "red", "Wren", Some("Bolt")),
            (3, 19, "yellow", "Juno", Some("Otter")),
        ],
    ),
    (
        "demo-g2",
        "demo-spring",
        &[
            (1, 9, "blue", "Kite", Some("Moss")),
            (2, 2, "blue", "Bolt", None),
            (3, 12, "red", "Sol", Some("Wren")),
        ],
    ),
    (
        "demo-g3",
        "demo-autumn",
        &[
            (1, 1, "blue", "Flash", Some("Kite")),
            (1, 14, "yellow", "Otter", Some("Reed")),
            (2, 20, "yellow", "Flash", Some("Moss")),
            (3, 5, "red", "Wren", None),
        ],
    ),
    (
        "demo-g4",
        "demo-autumn",
        &[
            (1, 11, "red", "Sol", Some("Bolt")),
            (2, 6, "blue", "Moss", Some("Flash")),
            (3, 3, "yellow", "Reed", Some("Otter")),
            (3, 21, "yellow", "Kite", None),
        ],
    ),
];
/// The goals of the game that is played now.
const LIVE_GOALS: &[DemoGoal] = &[
    (1, 7, "blue", "Kite", Some("Flash")),
    (1, 15, "red", "Wren", Some("Sol")),
    (2, 0, "blue", "Bolt", None),
];

/// Third, minute, the team that conceded, who scored and who assisted.
type DemoGoal = (u8, u16, &'static str, &'static str, Option<&'static str>);

/// Returns the people of the world: an admin, a scorekeeper and a player.
pub(crate) fn people() -> Vec<Principal> {
    ["casey", "sam", "pat"].map(person).into()
}

/// Writes the world. All ids are known, so what is there already is left as it is.
///
/// # Errors
/// What the operations refuse, which they do not in a table of ours.
pub(crate) fn load(app: &App) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        let world = World { app, casey: person("casey") };
        for someone in people() {
            act(app, &someone, me::get::get_me, &[], json!({})).await?;
        }
        world.league().await?;
        for (game_id, season_id, goals) in PLAYED {
            let day = if season_id == SEASON { "2026-11-08" } else { "2026-04-12" };
            world.game(game_id, season_id, &format!("{day}T09:00:00Z"), goals, 3).await?;
            act(app, &world.casey, games::finish::finish_game, &[("gameId", game_id)], json!({}))
                .await?;
        }
        // A game of an earlier start goes on.
        let known = app.db.game(&game_id(LIVE_GAME)?).await?;
        let start = known.map_or(app.db.now(), |game| game.starts_at()).to_string();
        world.game(LIVE_GAME, SEASON, &start, LIVE_GOALS, 2).await
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

    /// A game with its goals, in its `last` third. The last third of a game that goes on is running.
    async fn game(
        &self,
        game_id: &str,
        season_id: &str,
        start: &str,
        goals: &[DemoGoal],
        last: u8,
    ) -> Result<(), Problem> {
        let (app, casey, day) = (self.app, &self.casey, &start[..10]);
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
        for third in 1..=last {
            let number = third.to_string();
            let path = [("gameId", game_id), ("n", &number)];
            act(app, casey, start_third, &path, json!({})).await?;
            self.play(game_id, third, goals).await?;
            for (number, goal) in goals.iter().enumerate().filter(|(_, goal)| goal.0 == third) {
                self.goal(game_id, number, goal).await?;
            }
            if third < last || game_id != LIVE_GAME {
                act(app, casey, finish_third, &path, json!({})).await?;
            }
        }
        Ok(())
    }

    /// Lets a third have begun early enough for its goals.
    async fn play(&self, game_id: &str, third: u8, goals: &[DemoGoal]) -> Result<(), Problem> {
        let db = &self.app.db;
        let Some(game) = db.game(&self::game_id(game_id)?).await? else { return Ok(()) };
        let minutes = goals.iter().filter(|goal| goal.0 == third).map(|goal| u64::from(goal.1));
        let begin = db.now() - Duration::from_secs(60 * minutes.max().unwrap_or(0));
        let is_late = |running: &Third| running.n == third && running.started_at > begin;
        if game.running_third().is_some_and(is_late) {
            db.edit(game, |game| {
                if let Some(running) = game.thirds.last_mut() {
                    running.started_at = begin;
                }
            })
            .await?;
        }
        Ok(())
    }

    async fn goal(&self, game_id: &str, number: usize, goal: &DemoGoal) -> Result<(), Problem> {
        let (app, casey) = (self.app, &self.casey);
        let (third, minute, conceding, scorer, assist) = *goal;
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

fn game_id(text: &str) -> Result<GameId, Problem> {
    GameId::new(text).map_err(|error| Problem::internal(error.to_string()))
}

fn player_id(nickname: &str) -> String {
    format!("demo-{}", nickname.to_lowercase())
}
