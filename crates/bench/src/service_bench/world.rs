//! Teams with a game in progress each, made through the service, and the same rows for the engine.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use monotable::model::time::Timestamp;
use monotable::prelude::Embedded;
use monotable::{BatchWriteItem, Database, Scan};
use monotable_bench::Result;
use monotable_hacktracker::App;
use monotable_hacktracker::patterns::HackTracker;
use monotable_kit::{
    Host, JwtSettings, LocalIssuer, NoLog, Principal, Rate, SystemRandomness, Throttle,
    ThrottleSettings,
};
use serde_json::{Value, json};
use tower::ServiceExt as _;

/// The environment of the benchmark, and the table's name in it.
const ENVIRONMENT: &str = "bench";
pub(crate) const TABLE: &str = "hacktracker-bench";
/// Games of each client in a slice: one game takes 200 at-bats at most.
const GAMES_EACH: usize = 12;
/// At-bats of a game; the service takes 200.
const AT_BATS: usize = 100;
/// Slices that make at-bats.
const SLICES: usize = 3;
/// Batters of a lineup.
const PLAYERS: usize = 9;
/// As many requests as anybody likes.
const ANY: Rate = Rate { per_second: 1_000_000, burst: 1_000_000 };
/// Items of a batch.
const BATCH: usize = 25;

/// What every call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    RecordAtBat,
    BoxScore,
}

impl Act {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::RecordAtBat => "recordAtBat",
            Self::BoxScore => "boxscore",
        }
    }

    /// Which game comes next: every game is played to its end before the next one, and read in turn.
    pub(crate) fn turns<'a>(
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
pub(crate) struct Game {
    pub(crate) user_id: String,
    pub(crate) token: String,
    pub(crate) team_id: String,
    pub(crate) game_id: String,
    pub(crate) lineup: Vec<String>,
}

/// The service with its games.
pub(crate) struct World {
    router: Router,
    database: Database,
    games: Vec<Game>,
    callers: usize,
}

impl World {
    pub(crate) async fn new(database: Database, callers: usize) -> Result<Self> {
        let backend = Embedded::new(database.clone());
        let store = HackTracker::settings().environment(ENVIRONMENT).open(backend).await?;
        let app = Arc::new(App::new(store.clone(), Arc::new(SystemRandomness)));
        let issuer = LocalIssuer::new(JwtSettings::new("bench", "bench"), &[7; 32])?;
        let host = Host::new(Arc::new(issuer.authenticator()), Arc::new(store))
            .log(NoLog)
            .throttle(Throttle::new(ThrottleSettings {
                everybody: ANY,
                writes_of_one: ANY,
                ..ThrottleSettings::default()
            }));
        let router = monotable_hacktracker::service().router(Arc::clone(&app), host);
        let mut world = Self { router, database, games: Vec::new(), callers };
        for number in 0..callers * GAMES_EACH * SLICES {
            // A user has at most 50 teams.
            let user_id = format!("user-{}", number / 40);
            let game = world.new_game(&issuer, &user_id, app.db.now(), number).await?;
            world.games.push(game);
        }
        Ok(world)
    }

    pub(crate) fn callers(&self) -> usize {
        self.callers
    }

    /// The games of one slice; each client has its own.
    pub(crate) fn games_of(&self, slice: usize, slices: usize) -> &[Game] {
        let each = self.games.len() / slices;
        &self.games[slice * each..(slice + 1) * each]
    }

    async fn new_game(
        &self,
        issuer: &LocalIssuer,
        user_id: &str,
        now: Timestamp,
        number: usize,
    ) -> Result<Game> {
        let principal = Principal {
            id: user_id.to_owned(),
            email: Some(format!("{user_id}@example.org")),
            email_verified: true,
            roles: Vec::new(),
        };
        let token = issuer.token(&principal, now);
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
        let request = request(Method::POST, path, token, body.to_string())?;
        let (status, body) = self.ask(request).await?;
        match status {
            StatusCode::CREATED => Ok(serde_json::from_slice(&body)?),
            status => {
                Err(format!("POST {path}: {status} {}", String::from_utf8_lossy(&body)).into())
            }
        }
    }

    /// Asks the service, and reads its whole answer.
    pub(crate) async fn ask(&self, request: Request<Body>) -> Result<(StatusCode, Vec<u8>)> {
        let response = match self.router.clone().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let status = response.status();
        Ok((status, response.into_body().collect().await?.to_bytes().to_vec()))
    }

    /// Gives another database the same table with the same rows.
    pub(crate) async fn copy_to(&self, copy: &Database) -> Result<()> {
        let backend = Embedded::new(copy.clone());
        HackTracker::settings().environment(ENVIRONMENT).open(backend).await?;
        let mut scan = Scan::new(TABLE);
        loop {
            let page = self.database.scan(scan)?;
            for items in page.items.chunks(BATCH) {
                let batch = items
                    .iter()
                    .fold(BatchWriteItem::new(), |batch, item| batch.put(TABLE, item.to_item()));
                copy.batch_write_item(batch)?;
            }
            let Some(last) = page.last_evaluated_key else { return Ok(()) };
            scan = Scan::new(TABLE).exclusive_start_key(last);
        }
    }
}

/// A request of somebody.
pub(crate) fn request(
    method: Method,
    path: &str,
    token: &str,
    body: String,
) -> Result<Request<Body>> {
    Ok(Request::builder()
        .method(method)
        .uri(path)
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json")
        .body(Body::from(body))?)
}

fn text(value: &Value, name: &str) -> Result<String> {
    Ok(value[name].as_str().ok_or_else(|| format!("an answer without {name}: {value}"))?.to_owned())
}
