//! The process is killed at every storage call of a command and of the work behind it, before the call and
//! after. When it comes back and has worked, everything holds, and whoever asks again gets the answer.

mod commands;

use std::sync::Arc;

use monotable::prelude::*;
use monotable_hacktracker::legacy::backfill::backfill;
use monotable_hacktracker::table::{GameStatus, HackTrackerReads as _, Role, TeamType};
use monotable_testkit::failing::{Failing, MOMENTS, Moment};
use serde_json::{Value, json};

use crate::invariants;
use crate::place::own_team;
use crate::world::{Answer, World};

const DAY_MS: u64 = 24 * 60 * 60 * 1000;
/// More storage calls than anything here makes.
const CALLS_MAX: usize = 300;

/// What the process is doing when it is killed.
#[derive(Clone, Debug)]
enum Act {
    /// A request of somebody, and the work that it promises.
    Request { user: &'static str, route: String, body: Value },
    /// Work that is due.
    Work,
    /// The rows of older programs.
    Backfill,
}

impl Act {
    fn request(user: &'static str, route: impl Into<String>, body: Value) -> Self {
        Self::Request { user, route: route.into(), body }
    }

    async fn run(&self, world: &World) -> Option<Answer> {
        match self {
            Self::Request { user, route, body } => {
                let (method, path) = route.split_once(' ').unwrap();
                let key = [("idempotency-key", "once")];
                let method = method.parse().unwrap();
                Some(world.ask(user, method, path, body.clone(), &key).await)
            }
            Self::Work => None,
            Self::Backfill => {
                let _ = backfill(&world.app.db).await;
                None
            }
        }
    }
}

/// The own team in use: pat has a player, red-3 a number, and an owner's team of one is about.
async fn team(status: GameStatus) -> World {
    let world = own_team(status).await;
    world.team("solo", TeamType::Personal, &[("pat", Role::Owner)], 1).await;
    let prepared = [
        world.post("ann", "/teams/red/players/red-2/link", json!({ "userId": "pat" })).await,
        world.put("ann", "/teams/red/players/red-3", json!({ "playerNumber": 7 })).await,
    ];
    for answer in prepared {
        assert_eq!(answer.status, 200, "{}", answer.text);
    }
    if status == GameStatus::InProgress {
        for player in 1..=3 {
            world.at_bat("red-game", player, json!({ "runsScored": ["red-1"] })).await;
        }
    }
    world
}

/// Kills the process at every call of an act, and looks at what is left.
async fn kill_at_every_call(name: &str, world: &World, act: Act) {
    for moment in MOMENTS {
        for call in 0..CALLS_MAX {
            if !kill(name, world, &act, call, moment).await {
                break;
            }
            assert!(call + 1 < CALLS_MAX, "{name} makes more calls than are tried");
        }
    }
}

/// Kills the process at a call; false if it was never made.
async fn kill(name: &str, world: &World, act: &Act, call: usize, moment: Moment) -> bool {
    let when = format!("{name}, killed {moment:?} call {call}");
    let world = world.copy().await;
    let failing = Failing::at(&Embedded::new(world.database.clone()), call, moment);
    let clock = Arc::clone(&world.clock);
    let dying = World::over(world.database.clone(), clock, failing.clone()).await;
    act.run(&dying).await;
    let _ = dying.app.work().await;
    let revived = world.beside().await;
    work(&revived, &when).await;
    if !matches!(act, Act::Backfill) {
        invariants::check(&revived, &when).await;
    }
    if let Some(answer) = act.run(&revived).await {
        assert!(answer.status < 300, "{when}, asked again: {} {}", answer.status, answer.text);
    }
    work(&revived, &when).await;
    invariants::check(&revived, &format!("{when}, asked again")).await;
    failing.has_died()
}

/// Works until nothing is promised for the next days.
async fn work(world: &World, when: &str) {
    for _ in 0..20 {
        world.app.work().await.unwrap();
        let tickets = world.app.db.job_tickets().page().await.unwrap().rows;
        let soon = world.app.db.now() + std::time::Duration::from_millis(DAY_MS);
        if tickets.iter().all(|ticket| ticket.due_at > soon) {
            return;
        }
        // What a dead worker had taken is free again after a while.
        world.clock.advance_ms(60 * 1000);
    }
    panic!("{when}: there is work that does not end");
}
