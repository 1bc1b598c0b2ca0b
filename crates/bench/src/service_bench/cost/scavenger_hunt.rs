//! ScavengerHunt: each thing that a player does, once in each of some hunts.

use std::sync::Arc;

use http::Method;
use monotable::model::time::Timestamp;
use monotable::{Clock, SystemClock};
use monotable_bench::Result;
use monotable_host::{HostSettings, Identity, Service as _};
use monotable_kit::{NoLog, Principal, ThrottleSettings};
use monotable_scavenger_hunt::ScavengerHuntService;
use serde_json::{Value, json};

use super::{Meter, Row};
use crate::subject::{DatabaseLocation, ServiceClient, issuer, request, text};

const SERVICE: &str = "scavenger-hunt";
/// Hunts, in each of which one player does everything once.
const HUNTS: u64 = 20;
/// The smallest photo.
const PHOTO: &str = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==";

/// The name of something that a player does, its path and its body.
type Act = (&'static str, &'static str, fn(&Player) -> Value);

/// A player in a hunt, and the code of the level that the player looks for.
struct Player {
    token: String,
    code: String,
}

/// Returns the mean costs of what players do.
pub(crate) async fn costs(location: DatabaseLocation<'_>) -> Result<Vec<Row>> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let databases = location.databases(&clock)?;
    let settings = HostSettings {
        limits: ThrottleSettings::unlimited(),
        log: Arc::new(NoLog),
        ..HostSettings::new(Arc::new(databases.backend()), Identity::local(issuer()?))
    };
    let service = ScavengerHuntService::default();
    let opened = service.open(service.table_name(), &settings).await?;
    let client = ServiceClient(opened.router);
    let organiser = Principal {
        id: "olga".to_owned(),
        email: None,
        email_verified: false,
        roles: vec!["organiser".to_owned()],
    };
    let organiser = issuer()?.token(&organiser, now(&*clock)?);
    let mut players = Vec::new();
    for number in 0..HUNTS {
        players.push(join(&client, &organiser, number).await?);
    }
    let acts: [Act; 5] = [
        ("state", "/api/level", |_| json!({})),
        ("scan", "/api/scan", |player| json!({ "code": player.code })),
        ("photo", "/api/upload-photo", |_| json!({ "photo": PHOTO })),
        ("message", "/api/message", |_| json!({ "message": { "text": "Where are you?" } })),
        ("position", "/api/ping-coordinates", |_| json!({ "latitude": 48, "longitude": 16 })),
    ];
    let mut rows = Vec::new();
    for (act, path, body) in acts {
        let meter = Meter::begin(&databases, &databases.service);
        for player in &players {
            post(&client, &player.token, path, &body(player)).await?;
        }
        rows.push(Row { service: SERVICE, act, cost: meter.mean(HUNTS), by_hand: None });
    }
    Ok(rows)
}

/// Starts a hunt with one team, and lets a player join it.
async fn join(client: &ServiceClient, organiser: &str, number: u64) -> Result<Player> {
    let level = |number: usize| {
        json!({
            "levelName": format!("Place {number}"),
            "character": { "name": "Duck", "systemPrompt": "You are a duck." },
            "location": { "description": "Behind the statue", "latitude": 48, "longitude": 16 },
            "clues": ["It is old.", "It is wet.", "It is large."],
            "easyClues": ["It is near.", "It is green."],
            "mapLink": "https://maps.example.org/duck",
        })
    };
    let hunt = json!({
        "name": format!("Hunt {number}"),
        "teams": [{ "name": "Ducks" }],
        "levels": (0..5).map(level).collect::<Vec<_>>(),
    });
    let hunt = post(client, organiser, "/api/games", &hunt).await?;
    let control = format!("/api/games/{}/control", text(&hunt, "gameId")?);
    post(client, organiser, &control, &json!({ "action": "start" })).await?;
    let code = json!({ "code": text(&hunt["teams"][0], "code")? });
    let joined =
        client.json(request(Method::POST, "/api/join", organiser, None, code.to_string())?).await?;
    Ok(Player { token: text(&joined, "token")?, code: text(&hunt["levels"][0], "code")? })
}

async fn post(client: &ServiceClient, token: &str, path: &str, body: &Value) -> Result<Value> {
    client.json(request(Method::POST, path, token, None, body.to_string())?).await
}

fn now(clock: &dyn Clock) -> Result<Timestamp> {
    Ok(Timestamp::from_ms(i64::try_from(clock.now_ms())?)?)
}
