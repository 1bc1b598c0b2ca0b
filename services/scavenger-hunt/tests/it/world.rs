//! The service in memory, and what most tests begin with: a hunt that is set up.

use std::sync::Arc;

use http::Method;
use monotable::{Database, ManualClock};
use monotable_host::Service;
use monotable_kit::Principal;
use monotable_scavenger_hunt::table::{
    GameId, ScavengerHunt, ScavengerHuntReads as _, TeamId, TeamLevel,
};
use monotable_scavenger_hunt::{App, ScavengerHuntService};
use monotable_testkit::service::{self, Actor, Backing, Response, Subject, Testing};
use serde_json::{Value, json};

use crate::{invariants, storage};

/// A process of the service.
pub(crate) type World = service::World<Hunting>;

pub(crate) const MINUTE_MS: u64 = 60_000;
pub(crate) const DAY_MS: u64 = 24 * 60 * MINUTE_MS;
/// The smallest photo.
pub(crate) const PHOTO: &str =
    "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==";

/// ScavengerHunt, for its tests.
pub(crate) struct Hunting;

impl Subject for Hunting {
    type App = App;
    type Table = ScavengerHunt;

    const HIDDEN_FIELDS: &'static [&'static str] = &[
        "PK",
        "SK",
        "token_hash",
        "join_code",
        "systemPrompt",
        "easyClues",
        "config_hash",
        "object_key",
    ];

    fn service() -> Box<dyn Service> {
        Box::new(ScavengerHuntService::default())
    }

    /// olga is an organiser, obi an observer; all others are users without a role.
    fn principal(user: &str) -> Principal {
        let role = match user {
            "olga" => Some("organiser"),
            "obi" => Some("observer"),
            _ => None,
        };
        Principal {
            id: user.to_owned(),
            email: Some(format!("{user}@example.org")),
            email_verified: true,
            roles: role.into_iter().map(str::to_owned).collect(),
        }
    }

    fn backend(database: &Database, clock: &Arc<ManualClock>) -> Backing {
        storage::backend(database, clock)
    }

    fn invariants(world: &World) -> Testing<'_, Vec<String>> {
        Box::pin(invariants::always(world))
    }

    fn quiet_invariants(world: &World) -> Testing<'_, Vec<String>> {
        Box::pin(invariants::quiet(world))
    }

    /// Works until no job is left that is due.
    fn finish_work(world: &World) -> Testing<'_, bool> {
        Box::pin(async {
            for _ in 0..20 {
                world.app.work().await.unwrap();
                let tickets = world.app.db.job_tickets().all().await.unwrap();
                // A job that a dead worker had taken is free again after a while. Others wait for the end of a game.
                let soon = world.now() + std::time::Duration::from_secs(3_600);
                if tickets.iter().all(|ticket| ticket.due_at > soon) {
                    return true;
                }
                world.clock.advance_ms(MINUTE_MS);
            }
            false
        })
    }
}

/// A level of a configuration. Every text of it is found nowhere else.
pub(crate) fn level(number: usize) -> Value {
    json!({
        "levelName": format!("Place{number}"),
        "character": {
            "name": format!("Duck {number}"),
            "systemPrompt": format!("You are the proud duck of secret place number {number}."),
        },
        "location": {
            "description": format!("Behind the statue no. {number}"),
            "latitude": 48.0 + number as f64 / 7.0,
            "longitude": 16.0 + number as f64 / 7.0,
        },
        "clues": (0..3).map(|clue| format!("Talk{number}x{clue} is older.")).collect::<Vec<_>>(),
        "easyClues": (0..2).map(|clue| format!("Easy{number}x{clue} is near.")).collect::<Vec<_>>(),
        "mapLink": format!("https://maps.example/link{number}"),
    })
}

/// A configuration.
pub(crate) fn config(teams: usize, levels: usize) -> Value {
    json!({
        "name": "Ducks of the old town",
        "teams": (0..teams).map(|team| json!({ "name": format!("Team {team}") })).collect::<Vec<_>>(),
        "levels": (0..levels).map(level).collect::<Vec<_>>(),
    })
}

/// A configuration with other settings.
pub(crate) fn config_with(teams: usize, levels: usize, settings: Value) -> Value {
    let mut config = config(teams, levels);
    let fields = config.as_object_mut().unwrap();
    fields.extend(settings.as_object().unwrap().clone());
    config
}

/// A hunt that is set up.
pub(crate) struct Hunt {
    pub(crate) world: Arc<World>,
    pub(crate) game_id: String,
    /// The ids of teams, and the codes with which players join them.
    pub(crate) teams: Vec<(String, String)>,
    /// The ids of levels, and their codes, in the order of the configuration.
    pub(crate) levels: Vec<(String, String)>,
}

impl Hunt {
    /// Sets up a hunt that has not started.
    pub(crate) async fn set_up(config: Value) -> Self {
        let world = Arc::new(World::new().await);
        Self::in_world(world, config).await
    }

    /// Sets up a hunt that has not started.
    pub(crate) async fn in_world(world: Arc<World>, config: Value) -> Self {
        let made = done(world.post("olga", "/api/games", config).await, 201);
        let pairs = |list: &str, id: &str| {
            let rows = made[list].as_array().unwrap().iter();
            rows.map(|row| (text(&row[id]), text(&row["code"]))).collect()
        };
        Self {
            game_id: text(&made["gameId"]),
            teams: pairs("teams", "teamId"),
            levels: pairs("levels", "levelId"),
            world,
        }
    }

    /// Sets up a hunt of two teams and three levels, in the order of the configuration, and starts it.
    pub(crate) async fn live() -> Self {
        Self::live_with(config(2, 3)).await
    }

    /// Sets up a hunt and starts it.
    pub(crate) async fn live_with(config: Value) -> Self {
        let hunt = Self::set_up(config).await;
        hunt.control("start").await;
        hunt
    }

    /// Gives an order to the clock.
    pub(crate) async fn control(&self, action: &str) -> Value {
        let path = format!("/api/games/{}/control", self.game_id);
        done(self.world.post("olga", &path, json!({ "action": action })).await, 200)
    }

    /// Lets a player join a team, and returns the token.
    pub(crate) async fn join(&self, team: usize) -> String {
        let body = json!({ "code": self.teams[team].1 });
        text(&done(self.world.post("", "/api/join", body).await, 201)["token"])
    }

    /// Sends a POST of a player.
    pub(crate) async fn act(&self, token: &str, path: &str, body: Value) -> Response {
        self.world.post(Actor::Token(token), path, body).await
    }

    /// Returns the state that a player sees.
    pub(crate) async fn state(&self, token: &str) -> Value {
        done(self.act(token, "/api/level", json!({})).await, 200)
    }

    /// Scans the code of a level.
    pub(crate) async fn scan(&self, token: &str, level: usize) -> Response {
        self.act(token, "/api/scan", json!({ "code": self.levels[level].1 })).await
    }

    /// Uploads a photo.
    pub(crate) async fn photo(&self, token: &str) -> Value {
        done(self.act(token, "/api/upload-photo", json!({ "photo": PHOTO })).await, 201)
    }

    /// Scans the code of a level, and photographs it.
    pub(crate) async fn clear(&self, token: &str, level: usize) -> Value {
        let state = done(self.scan(token, level).await, 200);
        self.photo(token).await;
        state
    }

    /// Writes to the character.
    pub(crate) async fn say(&self, token: &str, text: &str) -> Response {
        self.act(token, "/api/message", json!({ "message": { "text": text } })).await
    }

    /// Reports a position.
    pub(crate) async fn ping(&self, token: &str, latitude: f64, longitude: f64) -> Response {
        let body = json!({ "latitude": latitude, "longitude": longitude });
        self.act(token, "/api/ping-coordinates", body).await
    }

    /// Returns the route of a team, in its order.
    pub(crate) async fn route(&self, team: usize) -> Vec<TeamLevel> {
        let mut route = self.world.app.db.route(&self.team_id(team)).all().await.unwrap();
        route.sort_by_key(|level| level.index);
        route
    }

    pub(crate) fn team_id(&self, team: usize) -> TeamId {
        id(&self.teams[team].0)
    }

    pub(crate) fn id(&self) -> GameId {
        id(&self.game_id)
    }

    /// Sends a request of an organiser.
    pub(crate) async fn organise(&self, method: Method, path: &str, body: Value) -> Response {
        let path = path.replace("{game}", &self.game_id);
        self.world.request("olga", method, &path, body, &[]).await
    }
}

/// Checks the status of a response, and returns its body.
#[track_caller]
pub(crate) fn done(response: Response, status: u16) -> Value {
    assert_eq!(response.status, status, "{}", response.text);
    response.value()
}

/// Returns a value as text.
#[track_caller]
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

/// An id.
pub(crate) fn id<I: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> I {
    text.parse().unwrap()
}
