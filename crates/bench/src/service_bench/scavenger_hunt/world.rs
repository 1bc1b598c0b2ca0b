//! A game of 100 teams and 100 levels that is played by 500 phones, made through the service.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Body;
use http::{Method, Request};
use monotable::prelude::Embedded;
use monotable::{Clock, ManualClock};
use monotable_bench::Result;
use monotable_kit::blobs::{Blobs, MemoryBlobs};
use monotable_kit::{LocalIssuer, Principal, SystemRandomness};
use monotable_scavenger_hunt::App;
use monotable_scavenger_hunt::table::ScavengerHunt;
use monotable_scavenger_hunt::tokens::GameTokens;
use serde_json::{Value, json};

use crate::recorded::Sent;
use crate::subject::{DatabaseLocation, Databases, ServiceClient, host, issuer, request, text};

/// The environment of the benchmark, and the table's name in it.
const ENVIRONMENT: &str = "bench";
pub(super) const TABLE: &str = "ScavengerHuntData-bench";
/// When the game is played: 2027-01-15T08:00:00Z.
const NOW_MS: u64 = 1_800_000_000_000;
/// Teams and levels of a game: as many as the service takes. Tests need a few.
pub(super) const TEAMS: usize = if cfg!(test) { 4 } else { 100 };
pub(super) const LEVELS: usize = if cfg!(test) { 20 } else { 100 };
/// Players of a team.
pub(super) const PLAYERS: usize = 5;
/// How often a phone reports its position; the service keeps no more.
const PING_MS: u64 = 5_000;
/// Of so many calls one scans a code and one writes to a character; all others report a position. It has no
/// divisor in common with the number of players.
pub(super) const CALLS: usize = 11;

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// A phone reports its position.
    Ping,
    /// A team scans the code that it is looking for.
    Scan,
    /// A player writes to a character.
    Write,
}

/// A team that plays.
#[derive(Clone)]
pub(super) struct Team {
    pub(super) team_id: String,
    players: Arc<Vec<Player>>,
    calls: Arc<AtomicUsize>,
    found: Arc<AtomicUsize>,
}

/// A phone.
struct Player {
    token: String,
    pinged_ms: AtomicU64,
}

/// The calls of a client, each with what it has sent to the table.
pub(super) type Calls = Vec<(Act, Vec<Sent>)>;

/// What the clients share.
#[derive(Clone)]
pub(super) struct Desk {
    pub(super) service: ServiceClient,
    clock: Arc<ManualClock>,
    codes: Arc<Vec<String>>,
    /// What each client has sent to the table in the last slice, call by call.
    sent: Arc<Mutex<Vec<Calls>>>,
}

impl Desk {
    /// Returns what the clients of the last slice have sent.
    pub(super) fn sent(&self) -> MutexGuard<'_, Vec<Calls>> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what a team does next.
    pub(super) fn next(&self, team: &Team) -> Result<(Act, Request<Body>)> {
        let call = team.calls.fetch_add(1, Ordering::Relaxed);
        let player = &team.players[call % PLAYERS];
        let found = team.found.load(Ordering::Relaxed);
        let (act, path, body) = match call % CALLS {
            0 if found < LEVELS => {
                team.found.store(found + 1, Ordering::Relaxed);
                (Act::Scan, "/api/scan", json!({ "code": self.codes[found] }))
            }
            5 if found < LEVELS => {
                let message = json!({ "text": "Where should we look?" });
                (Act::Write, "/api/message", json!({ "message": message }))
            }
            _ => {
                // The clock advances so far that every position is kept.
                let due_ms = player.pinged_ms.load(Ordering::Relaxed) + PING_MS;
                self.clock.advance_ms(due_ms.saturating_sub(self.clock.now_ms()));
                player.pinged_ms.store(self.clock.now_ms(), Ordering::Relaxed);
                let place = json!({ "latitude": 48.2082, "longitude": 16.3738, "accuracyM": 8.5 });
                (Act::Ping, "/api/ping-coordinates", place)
            }
        };
        Ok((act, request(Method::POST, path, &player.token, None, body.to_string())?))
    }

    pub(super) fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }
}

/// The service with its players.
pub(super) struct World {
    pub(super) desk: Desk,
    pub(super) databases: Databases,
    pub(super) organiser: String,
    pub(super) game_id: String,
    pub(super) teams: Vec<Team>,
    pub(super) callers: usize,
}

impl World {
    pub(super) async fn new(location: DatabaseLocation<'_>, callers: usize) -> Result<Self> {
        let clock = Arc::new(ManualClock::new(NOW_MS));
        let databases = location.databases(&(Arc::clone(&clock) as Arc<dyn Clock>))?;
        let settings = ScavengerHunt::settings().environment(ENVIRONMENT);
        let store = settings.open(databases.backend()).await?;
        let blobs = Blobs::new(Arc::new(MemoryBlobs::default()), "scavenger-hunt", &[7; 32]);
        let app = Arc::new(App::new(store.clone(), Arc::new(SystemRandomness), [7; 32], blobs));
        let issuer = issuer()?;
        let organiser = organiser(&issuer, &app);
        let tokens = GameTokens::before(store.clone(), Arc::new(issuer.authenticator()));
        let router = monotable_scavenger_hunt::service().router(app, host(tokens, Arc::new(store)));
        let service = ServiceClient(router);
        let links = post(&service, "/api/games", &organiser, &config("Played")).await?;
        let game_id = text(&links, "gameId")?;
        let path = format!("/api/games/{game_id}/control");
        post(&service, &path, &organiser, &json!({ "action": "start" })).await?;
        let codes = links["levels"].as_array().into_iter().flatten();
        let codes = codes.map(|level| text(level, "code")).collect::<Result<_>>()?;
        let desk = Desk { service, clock, codes: Arc::new(codes), sent: Arc::default() };
        let mut teams = Vec::with_capacity(TEAMS);
        for team in links["teams"].as_array().into_iter().flatten() {
            teams.push(joined(&desk, team).await?);
        }
        let settings = ScavengerHunt::settings().environment(ENVIRONMENT);
        settings.open(Embedded::new(databases.engine.clone())).await?;
        databases.copy(TABLE)?;
        Ok(Self { desk, databases, organiser, game_id, teams, callers })
    }
}

fn organiser(issuer: &LocalIssuer, app: &App) -> String {
    let organiser = Principal {
        id: "organiser".to_owned(),
        email: Some("organiser@example.org".to_owned()),
        email_verified: true,
        roles: vec!["organiser".to_owned()],
    };
    issuer.token(&organiser, app.db.now())
}

/// Lets the players of a team join it.
async fn joined(desk: &Desk, team: &Value) -> Result<Team> {
    let mut players = Vec::with_capacity(PLAYERS);
    for _ in 0..PLAYERS {
        // A minute later the address may join again.
        desk.clock.advance_ms(1_100);
        let body = json!({ "code": text(team, "code")?, "displayName": "Ada" });
        let request = Request::post("/api/join").header("content-type", "application/json");
        let joined = desk.service.json(request.body(Body::from(body.to_string()))?).await?;
        players.push(Player { token: text(&joined, "token")?, pinged_ms: AtomicU64::new(0) });
    }
    Ok(Team {
        team_id: text(team, "teamId")?,
        players: Arc::new(players),
        calls: Arc::default(),
        found: Arc::default(),
    })
}

async fn post(service: &ServiceClient, path: &str, token: &str, body: &Value) -> Result<Value> {
    service.json(request(Method::POST, path, token, None, body.to_string())?).await
}

/// Returns a configuration of the largest size.
pub(super) fn config(name: &str) -> Value {
    let level = |number: usize| {
        json!({
            "levelName": format!("Place {number}"),
            "character": { "name": "Sir Quackalot", "systemPrompt": "You are a proud duck." },
            "location": {
                "description": "Behind the statue",
                "latitude": 48.0 + number as f64 / 1_000.0,
                "longitude": 16.0,
            },
            "clues": ["It is older than the town.", "It never stops.", "It is wet."],
            "easyClues": ["Look at the market square.", "Throw a coin into it."],
            "mapLink": "https://maps.example/abc",
        })
    };
    json!({
        "name": name,
        "teams": (0..TEAMS).map(|number| json!({ "name": format!("Team {number}") })).collect::<Vec<_>>(),
        "levels": (0..LEVELS).map(level).collect::<Vec<_>>(),
        "photo_required": false,
    })
}
