//! Teams with a game in progress each, made through the service.

use std::sync::Arc;

use http::Method;
use monotable::model::time::Timestamp;
use monotable::prelude::Embedded;
use monotable_bench::Result;
use monotable_hacktracker::App;
use monotable_hacktracker::table::HackTracker;
use monotable_kit::{LocalIssuer, SystemRandomness};
use serde_json::{Value, json};

use crate::subject::{Databases, ServiceClient, host, issuer, request, text, token};

/// The environment of the benchmark, and the table's name in it.
const ENVIRONMENT: &str = "bench";
pub(super) const TABLE: &str = "hacktracker-bench";
/// Games of each client in a slice: one game takes 200 at-bats at most.
const GAMES_EACH: usize = 12;
/// At-bats of a game; the service takes 200.
const AT_BATS: usize = 100;
/// Batters of a lineup.
const PLAYERS: usize = 9;

/// What every call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    RecordAtBat,
    BoxScore,
}

impl Act {
    /// Returns which game comes next: every game is played to its end before the next one, and read
    /// in turn.
    pub(super) fn turns<'a>(
        self,
        games: &'a [Game],
    ) -> Box<dyn Iterator<Item = (&'a Game, usize)> + Send + 'a> {
        match self {
            Self::RecordAtBat => Box::new(
                games.iter().flat_map(|game| (0..AT_BATS).map(move |number| (game, number))),
            ),
            Self::BoxScore => Box::new(games.iter().cycle().map(|game| (game, 0))),
        }
    }
}

/// A game in progress.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) user_id: String,
    pub(super) token: String,
    pub(super) team_id: String,
    pub(super) game_id: String,
    pub(super) lineup: Vec<String>,
}

/// The service with its games.
pub(super) struct World {
    pub(super) service: ServiceClient,
    pub(super) databases: Databases,
    pub(super) games: Vec<Game>,
    pub(super) callers: usize,
    pub(super) slices: usize,
}

impl World {
    pub(super) async fn new(databases: Databases, callers: usize, slices: usize) -> Result<Self> {
        let settings = HackTracker::settings().environment(ENVIRONMENT);
        let store = settings.open(databases.backend()).await?;
        let app = Arc::new(App::new(store.clone(), Arc::new(SystemRandomness)));
        let issuer = issuer()?;
        let host = host(Arc::new(issuer.authenticator()), Arc::new(store));
        let service =
            ServiceClient(monotable_hacktracker::service().router(Arc::clone(&app), host));
        let mut world = Self { service, databases, games: Vec::new(), callers, slices };
        for number in 0..callers * GAMES_EACH * slices {
            // A user has at most 50 teams.
            let user_id = format!("user-{}", number / 40);
            let game = world.new_game(&issuer, &user_id, app.db.now(), number).await?;
            world.games.push(game);
        }
        let settings = HackTracker::settings().environment(ENVIRONMENT);
        settings.open(Embedded::new(world.databases.engine.clone())).await?;
        world.databases.copy(TABLE)?;
        Ok(world)
    }

    async fn new_game(
        &self,
        issuer: &LocalIssuer,
        user_id: &str,
        now: Timestamp,
        number: usize,
    ) -> Result<Game> {
        let token = token(issuer, user_id, now);
        let team = json!({ "name": format!("Team {number}"), "teamType": "MANAGED" });
        let team = self.created(&token, "/teams", &team).await?;
        let team_id = text(&team, "teamId")?;
        let mut lineup = Vec::new();
        for player in 0..PLAYERS {
            let body = json!({ "firstName": "Ann", "playerNumber": player });
            let path = format!("/teams/{team_id}/players");
            lineup.push(text(&self.created(&token, &path, &body).await?, "playerId")?);
        }
        let game = json!({
            "teamId": team_id, "status": "IN_PROGRESS", "lineup": lineup, "opponentName": "Others",
        });
        let game_id = text(&self.created(&token, "/games", &game).await?, "gameId")?;
        Ok(Game { user_id: user_id.to_owned(), token, team_id, game_id, lineup })
    }

    async fn created(&self, token: &str, path: &str, body: &Value) -> Result<Value> {
        self.service.json(request(Method::POST, path, token, None, body.to_string())?).await
    }
}
