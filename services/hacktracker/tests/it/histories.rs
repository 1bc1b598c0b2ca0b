//! Random histories of commands, by several people at the same time. Whatever happened, everything holds
//! at the end. What fails is printed as the commands that were asked for.

use std::sync::Arc;

use http::Method;
use monotable_hacktracker::table::GameStatus;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::invariants;
use crate::place::own_team;
use crate::world::World;

const PEOPLE: [&str; 5] = ["ann", "meg", "sam", "pat", "zoe"];
const TASKS: usize = 4;

/// One request: by whom, for what, and which of what there is then.
#[derive(Clone, Debug)]
struct Step {
    user: &'static str,
    what: u8,
    which: usize,
    other: usize,
}

fn step() -> impl Strategy<Value = Step> {
    let user = prop_oneof![4 => Just("ann"), 3 => proptest::sample::select(&PEOPLE)];
    (user, 0..27_u8, 0..12_usize, 0..9_usize).prop_map(|(user, what, which, other)| Step {
        user,
        what,
        which,
        other,
    })
}

/// The ids that a list has at this moment, one of them chosen.
async fn one(world: &World, path: &str, list: &str, id: &str, which: usize) -> String {
    let answer = world.get("ann", path).await;
    let body: Value = serde_json::from_str(&answer.text).unwrap_or_default();
    let ids: Vec<&str> =
        body[list].as_array().into_iter().flatten().filter_map(|row| row[id].as_str()).collect();
    ids.get(which % ids.len().max(1)).map_or("none", |id| id).to_owned()
}

/// Asks for what a step says, and tells the status.
async fn take(world: &World, step: &Step) -> u16 {
    let Step { user, what, which, other } = step;
    let game = one(world, "/teams/red/games", "games", "gameId", *which).await;
    let player = one(world, "/teams/red/players", "players", "playerId", *which).await;
    let somebody = PEOPLE[which % PEOPLE.len()];
    let person = format!("/teams/red/members/{somebody}");
    let slot = format!("/teams/red/players/{player}");
    let batter = format!("red-{}", other + 1);
    let runs: Vec<String> = (1..=which % 4).map(|number| format!("red-{number}")).collect();
    let path = |rest: &str| format!("/games/{game}{rest}");
    let (method, path, body) = match what {
        0 => (
            Method::POST,
            "/games".to_owned(),
            json!({
                "teamId": "red", "scoreMode": "auto", "lineup": ["red-1", "red-2", batter],
                "status": if which % 2 == 0 { "SCHEDULED" } else { "IN_PROGRESS" },
            }),
        ),
        1 => (Method::POST, path("/start"), Value::Null),
        2 => (Method::POST, path("/finish"), Value::Null),
        3 => (Method::POST, path("/suspend"), Value::Null),
        4 => (Method::POST, path("/reopen"), Value::Null),
        5 => (Method::DELETE, path(""), Value::Null),
        6..=9 => (
            Method::POST,
            path("/atbats"),
            json!({
                "playerId": batter, "result": "1B", "runsScored": runs,
            }),
        ),
        10 | 11 => {
            let list = path("/atbats");
            let at_bat = one(world, &list, "atBats", "atBatId", *other).await;
            let one = format!("{list}/{at_bat}");
            match what {
                10 => (Method::PUT, one, json!({ "runsScored": runs })),
                _ => (Method::DELETE, one, Value::Null),
            }
        }
        12 => (Method::POST, path("/atbats/undo"), Value::Null),
        13 => (
            Method::POST,
            "/teams/red/players".to_owned(),
            json!({
                "firstName": "Nel", "playerNumber": other,
            }),
        ),
        14 => (Method::PUT, slot, json!({ "playerNumber": other })),
        15 => (
            Method::PUT,
            slot,
            json!({
                "status": if other % 2 == 0 { "inactive" } else { "active" },
            }),
        ),
        16 => (Method::DELETE, slot, Value::Null),
        17 => (Method::POST, format!("{slot}/link"), json!({ "userId": PEOPLE[other % 5] })),
        18 => (Method::DELETE, format!("{slot}/link"), Value::Null),
        19 => (Method::DELETE, person, Value::Null),
        20 => (Method::PUT, person, json!({ "role": "manager" })),
        21 => (Method::POST, "/teams/red/transfer".to_owned(), json!({ "userId": somebody })),
        22 => {
            let body = json!({ "role": "player", "playerId": player });
            let invite = world.post(user, "/teams/red/invites", body).await;
            let token: Value = serde_json::from_str(&invite.text).unwrap_or_default();
            let body = json!({ "token": token["token"].as_str().unwrap_or("none") });
            return world.post(somebody, "/invites/accept", body).await.status;
        }
        23 => {
            let before = one(world, &path("/atbats"), "atBats", "atBatId", *other).await;
            let body = json!({
                "playerId": batter, "result": "HR", "runsScored": runs, "beforeAtBatId": before,
            });
            (Method::POST, path("/atbats"), body)
        }
        24 => {
            let at_bat = one(world, &path("/atbats"), "atBats", "atBatId", *other).await;
            (Method::PUT, path(&format!("/atbats/{at_bat}")), json!({ "playerId": batter }))
        }
        25 => (Method::POST, path("/innings/end"), Value::Null),
        _ => {
            let deleted = world.delete(user, "/teams/red").await.status;
            let restored = world.post("ann", "/teams/red/restore", Value::Null).await.status;
            return deleted.max(restored);
        }
    };
    world.ask(user, method, &path, body, &[]).await.status
}

async fn history(tasks: &[Vec<Step>]) {
    let world = Arc::new(own_team(GameStatus::Scheduled).await);
    let mut running = tokio::task::JoinSet::new();
    for steps in tasks {
        let (world, steps) = (Arc::clone(&world), steps.clone());
        running.spawn(async move {
            for step in &steps {
                let status = take(&world, step).await;
                assert!(status < 500, "{step:?} was answered with {status}");
                world.clock.advance_ms(1);
            }
        });
    }
    while let Some(done) = running.join_next().await {
        done.unwrap();
    }
    world.app.work().await.unwrap();
    invariants::check(&world, "at the end").await;
}

#[test]
fn whatever_happens_everything_holds() {
    let steps = proptest::collection::vec(step(), 12);
    let tasks = proptest::collection::vec(steps, TASKS);
    // What happened depends on who was faster, so that smaller histories tell nothing.
    let config = ProptestConfig { cases: 12, max_shrink_iters: 0, ..ProptestConfig::default() };
    proptest!(config, |(tasks in tasks)| {
        let runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = { runtime }.worker_threads(TASKS).enable_all().build().unwrap();
        runtime.block_on(history(&tasks));
    });
}
