//! Random histories of several scorekeepers and admins at once. Whatever happened, everything holds.

use monotable_testkit::service::histories::Step;
use monotable_testkit::service::{Dice, Histories, History, Setting, Testing, oracle};
use serde_json::{Value, json};

use crate::matchday::{MatchDay as _, TEAMS};
use crate::world::World;

/// What people do on a match day.
struct Playing(World);

async fn any_event(world: &World, dice: &mut Dice, game: &str) -> String {
    let goals =
        world.send_to("ann", &format!("GET /v1/games/{game}/goals"), Value::Null).await.value();
    let ids: Vec<String> = goals["goals"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|goal| goal["eventId"].as_str().map(str::to_owned))
        .collect();
    if ids.is_empty() { "none".to_owned() } else { ids[dice.roll(ids.len())].clone() }
}

async fn take(world: &World, dice: &mut Dice) -> (String, monotable_testkit::service::Response) {
    let user = ["ann", "ann", "sam", "vic"][dice.roll(4)];
    let game = ["g1", "g2"][dice.roll(2)];
    let (team, other) = (TEAMS[dice.roll(3)], TEAMS[dice.roll(3)]);
    let (n, number) = (dice.roll(3) + 1, dice.roll(3) + 1);
    let player = format!("{}-{number}", TEAMS[dice.roll(3)]);
    let goal = json!({
        "third": n, "gameMinute": dice.roll(25), "scoringTeamId": team, "concedingTeamId": other,
        "scorerPlayerId": format!("{team}-{number}"), "assistPlayerIds": [player],
    });
    let path = |rest: &str| format!("/v1/games/{game}{rest}");
    let (method, path, body) = match dice.roll(17) {
        0..=4 => ("POST", path("/goals"), goal),
        5 => ("POST", path("/goals/undo"), Value::Null),
        6 => {
            let event = any_event(world, dice, game).await;
            let body = json!({ "third": n, "gameMinute": dice.roll(25) });
            ("PATCH", path(&format!("/goals/{event}")), body)
        }
        7 => {
            let event = any_event(world, dice, game).await;
            ("DELETE", path(&format!("/goals/{event}")), Value::Null)
        }
        8 => ("POST", path(&format!("/thirds/{n}/start")), Value::Null),
        9 => ("POST", path(&format!("/thirds/{n}/finish")), Value::Null),
        10 => ("POST", path("/finish"), json!({ "reason": "Rain" })),
        11 => ("POST", path("/reopen"), Value::Null),
        12 => {
            let body = json!({ "playerId": player, "teamId": team, "fromTeamId": other });
            ("POST", path("/roster"), body)
        }
        13 => ("DELETE", path(&format!("/roster/{player}")), Value::Null),
        14 => {
            let body = json!({ "gameStartTs": format!("2026-02-22T0{}:00:00Z", dice.roll(9)) });
            ("PATCH", path(""), body)
        }
        15 => {
            let body = json!({ "gameId": game, "gameStartTs": "2026-02-22T01:00:00Z" });
            ("POST", "/v1/sessions/d1/games".to_owned(), body)
        }
        _ if dice.roll(4) == 0 => ("DELETE", path("?cascadeEmptySession=false"), Value::Null),
        _ => {
            drop(world.app.work().await);
            ("GET", path(""), Value::Null)
        }
    };
    let route = format!("{method} {path}");
    let response = world.send_to(user, &route, body.clone()).await;
    (format!("{user} {route} {body}"), response)
}

impl History for Playing {
    fn begin(change: fn(Setting) -> Setting) -> Testing<'static, Self> {
        Box::pin(async move {
            let world =
                World::set(change(Setting::new(monotable_three_fc::ThreeFcService::default())))
                    .await;
            world.add_league().await;
            world.live_game().await;
            world.game("d1", "g2").await;
            world.play_until("g1", 1, 25).await;
            Self(world)
        })
    }

    fn step<'a>(&'a self, dice: &'a mut Dice) -> Testing<'a, Step> {
        Box::pin(async {
            let (step, response) = take(&self.0, dice).await;
            // Goals of a third that begins now are past some steps later.
            self.0.clock.advance_ms(60 * 1000);
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
fn whatever_happens_to_games_everything_holds() {
    let histories = Histories { count: 8, phases: 2, actors: 4, steps: 15 };
    histories.run::<Playing>("3FC's histories of games");
}

/// Each command may be sent by many at once, through two processes.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn commands_at_once_keep_the_rules_of_games() {
    let world = World::match_day().await;
    world.live_game().await;
    let goal = world.goal("g1", "blue>red", 1, 3).await;
    let created = json!({ "gameId": "g9", "gameStartTs": "2026-02-22T01:00:00Z" });
    let moved = json!({ "playerId": "red-2", "teamId": "blue", "fromTeamId": "red" });
    let correct = format!("PATCH /v1/games/g1/goals/{goal}");
    let delete = format!("DELETE /v1/games/g1/goals/{goal}");
    let commands = [
        ("sam", "POST /v1/games/g1/thirds/1/finish", Value::Null, 1..=1),
        ("ann", "POST /v1/games/g1/finish", json!({ "reason": "Rain" }), 1..=8),
        ("sam", "POST /v1/games/g1/goals/undo", Value::Null, 1..=1),
        ("sam", correct.as_str(), json!({ "gameMinute": 5 }), 1..=8),
        ("sam", delete.as_str(), Value::Null, 1..=1),
        ("sam", "POST /v1/games/g1/roster", moved, 1..=8),
        ("sam", "DELETE /v1/games/g1/roster/red-3", Value::Null, 1..=1),
        ("sam", "PATCH /v1/games/g1", json!({ "gameStartTs": "2026-02-25T01:00:00Z" }), 1..=8),
        ("sam", "PUT /v1/games/g1/teams/red", json!({ "name": "Foxes" }), 1..=8),
        ("sam", "POST /v1/sessions/d1/games", created, 1..=1),
        ("ann", "DELETE /v1/games/g1", Value::Null, 1..=1),
    ];
    let sent = commands.clone().map(|(user, route, body, _)| (user.into(), route, body));
    let done = oracle::all_at_once(&world, 8, &sent).await;
    for ((_, route, _, expected), done) in commands.iter().zip(done) {
        assert!(expected.contains(&done), "{route} was done {done} times of {expected:?}");
    }
    world.finish("g1").await;
    let reopen = [("ann".into(), "POST /v1/games/g1/reopen", Value::Null)];
    assert_eq!(oracle::all_at_once(&world, 8, &reopen).await, [1]);
}

/// Two processes on a backend with faults, which die.
#[test]
fn faults_of_the_backend_leave_nothing_half_done() {
    let histories = Histories { count: 3, phases: 2, actors: 4, steps: 12 };
    histories.run_with_faults::<Playing>("3FC's histories with faults");
}
