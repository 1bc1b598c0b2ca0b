//! A league with games that are played now, made through the service.

use std::sync::Arc;

use http::Method;
use monotable::prelude::Embedded;
use monotable_bench::Result;
use monotable_kit::SystemRandomness;
use monotable_kit::blobs::{Blobs, MemoryBlobs};
use monotable_three_fc::App;
use monotable_three_fc::table::ThreeFc;
use serde_json::{Value, json};

use crate::subject::{Databases, ServiceClient, host, issuer, request, token};

/// The environment of the benchmark, and the table's name in it.
const ENVIRONMENT: &str = "bench";
pub(super) const TABLE: &str = "3fc-bench-app";
pub(super) const LEAGUE: &str = "league";
pub(super) const USER: &str = "scorekeeper";
const SEASON: &str = "season";
pub(super) const TEAMS: [&str; 3] = ["red", "blue", "yellow"];
/// Players of a game, as many of each team.
pub(super) const PLAYERS: usize = 9;
/// Spectators with a token of their own; the service gives each of them 32 streams.
const SPECTATORS: usize = 50;
/// Games of a match day; the service takes 20.
const GAMES_OF_DAY: usize = 20;
/// Games of each client in a slice.
const GAMES_EACH: usize = 4;
/// Goals of a third; the service takes 60.
const GOALS: usize = 60;

/// What every call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    RecordGoal,
    GamePage,
}

impl Act {
    /// Returns which game comes next: the goals of a game are recorded before those of the next
    /// one, and pages are read in turn.
    pub(super) fn turns<'a>(
        self,
        games: &'a [Game],
    ) -> Box<dyn Iterator<Item = (&'a Game, usize)> + Send + 'a> {
        match self {
            Self::RecordGoal => {
                Box::new(games.iter().flat_map(|game| (0..GOALS).map(move |number| (game, number))))
            }
            Self::GamePage => Box::new(games.iter().cycle().map(|game| (game, 0))),
        }
    }
}

/// A game whose first third is running.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) game_id: String,
    /// The key of its copy in the match day.
    pub(super) session_id: String,
    pub(super) start: String,
}

/// The service with its games.
pub(super) struct World {
    pub(super) service: ServiceClient,
    pub(super) token: String,
    /// The tokens of spectators.
    pub(super) spectators: Vec<String>,
    pub(super) databases: Databases,
    pub(super) games: Vec<Game>,
    pub(super) callers: usize,
    pub(super) slices: usize,
}

impl World {
    pub(super) async fn new(databases: Databases, callers: usize, slices: usize) -> Result<Self> {
        let settings = ThreeFc::settings().environment(ENVIRONMENT);
        let store = settings.open(databases.backend()).await?;
        let blobs = Blobs::new(Arc::new(MemoryBlobs::default()), "3fc", &[7; 32]);
        let app = App::new(store.clone(), Arc::new(SystemRandomness), [7; 32], blobs);
        let app = Arc::new(app);
        let issuer = issuer()?;
        let host = host(Arc::new(issuer.authenticator()), Arc::new(store));
        let service = ServiceClient(monotable_three_fc::service().router(Arc::clone(&app), host));
        let token_of = |user: &str| token(&issuer, user, app.db.now());
        let spectators = (0..SPECTATORS).map(|number| token_of(&format!("spectator-{number}")));
        let spectators = spectators.collect();
        let token = token_of(USER);
        let mut world =
            Self { service, token, spectators, databases, games: Vec::new(), callers, slices };
        world.league().await?;
        world.games = world.season(SEASON, callers * slices * GAMES_EACH).await?;
        let settings = ThreeFc::settings().environment(ENVIRONMENT);
        settings.open(Embedded::new(world.databases.engine.clone())).await?;
        world.databases.copy(TABLE)?;
        Ok(world)
    }

    async fn league(&self) -> Result<()> {
        let me = request(Method::GET, "/v1/me", &self.token, None, String::new())?;
        self.service.json(me).await?;
        self.created("/v1/leagues", json!({ "leagueId": LEAGUE, "name": "League" })).await?;
        for number in 0..PLAYERS {
            let player = json!({
                "leagueId": LEAGUE, "playerId": player_id(number), "nickname": format!("Player {number}"),
            });
            self.created("/v1/players", player).await?;
        }
        Ok(())
    }

    /// Makes a season of this many games, each with its line-ups and in its first third.
    pub(super) async fn season(&self, season_id: &str, games: usize) -> Result<Vec<Game>> {
        let season = json!({ "seasonId": season_id, "name": season_id });
        self.created(&format!("/v1/leagues/{LEAGUE}/seasons"), season).await?;
        let mut made = Vec::with_capacity(games);
        for number in 0..games {
            let session_id = format!("{season_id}-{}", number / GAMES_OF_DAY);
            if number % GAMES_OF_DAY == 0 {
                let session = json!({ "sessionId": session_id, "sessionDate": "2026-06-01" });
                self.created(&format!("/v1/seasons/{season_id}/sessions"), session).await?;
            }
            made.push(self.game(season_id, session_id, number).await?);
        }
        Ok(made)
    }

    async fn game(&self, season_id: &str, session_id: String, number: usize) -> Result<Game> {
        let game_id = format!("{season_id}-game-{number}");
        let start = format!("2026-06-01T10:{:02}:00.000Z", number % GAMES_OF_DAY);
        let game = json!({ "gameId": game_id, "gameStartTs": start });
        self.created(&format!("/v1/sessions/{session_id}/games"), game).await?;
        for number in 0..PLAYERS {
            let entry = json!({ "playerId": player_id(number), "teamId": team_of(number) });
            self.created(&format!("/v1/games/{game_id}/roster"), entry).await?;
        }
        self.created(&format!("/v1/games/{game_id}/thirds/1/start"), json!({})).await?;
        Ok(Game { game_id, session_id, start })
    }

    pub(super) async fn created(&self, path: &str, body: Value) -> Result<Value> {
        self.service
            .json(request(Method::POST, path, &self.token, Some(&key()), body.to_string())?)
            .await
    }
}

/// Returns the id of a player.
pub(super) fn player_id(number: usize) -> String {
    format!("player-{}", number % PLAYERS)
}

/// Returns the team of a player.
pub(super) fn team_of(number: usize) -> &'static str {
    TEAMS[number % TEAMS.len()]
}

/// Returns a goal of a game, as its scorekeeper reports it while the third is running.
pub(super) fn goal(number: usize) -> Value {
    json!({
        "scoringTeamId": team_of(number),
        "concedingTeamId": team_of(number + 1),
        "scorerPlayerId": player_id(number),
        "assistPlayerIds": [player_id(number + TEAMS.len())],
    })
}

/// Returns a new `Idempotency-Key`.
pub(super) fn key() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static KEYS: AtomicU64 = AtomicU64::new(0);
    format!("bench-key-{}", KEYS.fetch_add(1, Ordering::Relaxed))
}
