//! Random histories of commands, by several people at the same time. Whatever happened, everything holds
//! at the end.

use http::Method;
use monotable_hacktracker::HackTrackerService;
use monotable_hacktracker::table::GameStatus;
use monotable_testkit::service::histories::Step;
use monotable_testkit::service::{
    Dice, Expiry, Histories, History, Response, Setting, Testing, oracle,
};
use serde_json::{Value, json};

use crate::place::{invite_token, own_team, own_team_set};
use crate::world::World;

const PEOPLE: [&str; 5] = ["ann", "meg", "sam", "pat", "zoe"];

/// Returns the ids that a list has at this moment, one of them chosen.
async fn one(world: &World, path: &str, list: &str, id: &str, which: usize) -> String {
    let answer = world.get("ann", path).await;
    let body: Value = serde_json::from_str(&answer.text).unwrap_or_default();
    let ids: Vec<&str> =
        body[list].as_array().into_iter().flatten().filter_map(|row| row[id].as_str()).collect();
    ids.get(which % ids.len().max(1)).map_or("none", |id| id).to_owned()
}

/// Sends a random request with these headers; returns it with its response.
async fn take(world: &World, dice: &mut Dice, headers: &[(&str, &str)]) -> (String, Response) {
    // The owner does most of it.
    let user = if dice.roll(7) < 4 { "ann" } else { PEOPLE[dice.roll(PEOPLE.len())] };
    let (what, which, other) = (dice.roll(27), dice.roll(12), dice.roll(9));
    let game = one(world, "/teams/red/games", "games", "gameId", which).await;
    let player = one(world, "/teams/red/players", "players", "playerId", which).await;
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
            let at_bat = one(world, &list, "atBats", "atBatId", other).await;
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
            let accepted = world.post(somebody, "/invites/accept", body).await;
            return (format!("{user} invites {somebody}"), accepted);
        }
        23 => {
            let before = one(world, &path("/atbats"), "atBats", "atBatId", other).await;
            let body = json!({
                "playerId": batter, "result": "HR", "runsScored": runs, "beforeAtBatId": before,
            });
            (Method::POST, path("/atbats"), body)
        }
        24 => {
            let at_bat = one(world, &path("/atbats"), "atBats", "atBatId", other).await;
            (Method::PUT, path(&format!("/atbats/{at_bat}")), json!({ "playerId": batter }))
        }
        25 => (Method::POST, path("/innings/end"), Value::Null),
        _ => {
            let deleted = world.delete(user, "/teams/red").await;
            let restored = world.post("ann", "/teams/red/restore", Value::Null).await;
            let worst = if deleted.status > restored.status { deleted } else { restored };
            return (format!("{user} deletes the team"), worst);
        }
    };
    let step = format!("{user} {method} {path} {body}");
    (step, world.request(user, method, &path, body, headers).await)
}

/// What people do with the team `red`.
struct Season(World);

impl History for Season {
    fn begin(change: fn(Setting) -> Setting) -> Testing<'static, Self> {
        Box::pin(async move { Self(own_team_set(GameStatus::Scheduled, change).await) })
    }

    fn step<'a>(&'a self, dice: &'a mut Dice) -> Testing<'a, Step> {
        Box::pin(async {
            let (step, response) = take(&self.0, dice, &[]).await;
            self.0.clock.advance_ms(1);
            (step, Some(response))
        })
    }

    fn settle<'a>(&'a self, when: &'a str) -> Testing<'a, ()> {
        Box::pin(async move {
            self.0.finish_work(when).await;
            self.0.check_quiet(when).await;
        })
    }
}

#[test]
fn whatever_happens_everything_holds() {
    let histories = Histories { count: 12, phases: 1, actors: 4, steps: 12 };
    histories.run::<Season>("HackTracker's histories");
}

/// A season over weeks. Its requests share a few keys, whose records expire after a day.
struct LongSeason {
    world: World,
    expiry: Expiry,
}

impl History for LongSeason {
    fn begin(change: fn(Setting) -> Setting) -> Testing<'static, Self> {
        Box::pin(async move {
            let expiry = change(Setting::new(HackTrackerService::default())).expiry;
            Self { world: own_team_set(GameStatus::Scheduled, change).await, expiry }
        })
    }

    fn step<'a>(&'a self, dice: &'a mut Dice) -> Testing<'a, Step> {
        Box::pin(async {
            let world = &self.world;
            let key = ["one", "two", "three"][dice.roll(3)];
            let (step, response) = take(world, dice, &[("idempotency-key", key)]).await;
            world.clock.advance_ms(dice.roll(12) as u64 * 60 * 60 * 1000);
            world.app.work().await.unwrap();
            // The table has no time to live, so the service deletes expired rows itself.
            if self.expiry == Expiry::Deleted {
                world.app.sweep().await.unwrap();
            }
            (step, Some(response))
        })
    }

    fn settle<'a>(&'a self, when: &'a str) -> Testing<'a, ()> {
        Box::pin(self.world.check_quiet(when))
    }
}

#[tokio::test]
async fn expired_rows_are_absent_whether_they_are_swept_or_not() {
    oracle::expired_is_absent::<LongSeason>("HackTracker's expiry", 150).await;
}

/// Each command may be sent by many at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn commands_at_once_keep_guards_and_counters() {
    let world = own_team(GameStatus::Scheduled).await;
    let run = json!({ "playerId": "red-2", "result": "HR", "runsScored": ["red-2"] });
    let commands = [
        ("sam", "POST /games/red-game/start", Value::Null, 1..=1),
        ("ann", "POST /teams/red/transfer", json!({ "userId": "meg" }), 1..=1),
        ("ann", "POST /teams/red/players/red-9/link", json!({ "userId": "sam" }), 1..=8),
        ("ann", "PUT /teams/red/players/red-3", json!({ "playerNumber": 9 }), 1..=8),
        ("ann", "POST /teams/red/players", json!({ "firstName": "N", "playerNumber": 8 }), 1..=1),
        ("ann", "POST /teams/red/invites", json!({ "role": "player" }), 1..=8),
        ("zoe", "POST /invites/accept", json!({ "token": invite_token("red") }), 1..=8),
        ("ann", "DELETE /teams/red/members/pat", Value::Null, 1..=1),
        ("ann", "POST /teams/red/seasons", json!({ "name": "Autumn" }), 1..=8),
    ];
    let sent = commands.clone().map(|(user, route, body, _)| (user.into(), route, body));
    let done = oracle::all_at_once(&world, 8, &sent).await;
    for ((_, route, _, expected), done) in commands.iter().zip(done) {
        assert!(expected.contains(&done), "{route} was done {done} times of {expected:?}");
    }
    let playing = own_team(GameStatus::InProgress).await;
    let at_bat = [("sam".into(), "POST /games/red-game/atbats", run)];
    assert_eq!(oracle::all_at_once(&playing, 8, &at_bat).await, [8]);
}

/// Two processes on a backend with faults, which die.
#[test]
fn faults_of_the_backend_leave_nothing_half_done() {
    let histories = Histories { count: 3, phases: 2, actors: 4, steps: 12 };
    histories.run_with_faults::<Season>("HackTracker's histories with faults");
}
