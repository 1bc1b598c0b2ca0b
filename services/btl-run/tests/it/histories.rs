//! Random histories: several people at once, in two processes, with clocks, workers and narrators that
//! cost. Whatever happened, everything holds whenever it is quiet, and every match that has ended can be
//! played again from its seed. What fails is printed with the seed of the history.

#[path = "histories/steps.rs"]
mod steps;

use std::sync::{Arc, Mutex};

use monotable::model::backend::Embedded;
use monotable_kit::{Randomness as _, SystemRandomness};
use serde_json::json;

use self::steps::{Dice, Known, take};
use crate::costly::Costly;
use crate::invariants;
use crate::served::{Served, Who};

const HISTORIES: usize = 1;
const PHASES: usize = 3;
const PEOPLE: usize = 5;
const STEPS: usize = 24;
/// More than any match has turns.
const TURNS_MAX: usize = 80;

/// Processes on one table, and the matches that there are.
struct World {
    processes: Vec<Served>,
    matches: Mutex<Vec<Known>>,
}

impl World {
    async fn new() -> Self {
        let first = Served::set_up(|app| app.narrator(Arc::new(Costly::default()))).await;
        let backend = Embedded::new(first.database.clone());
        let (database, clock) = (first.database.clone(), Arc::clone(&first.clock));
        let set_up = |app: monotable_btl_run::App| {
            app.narrator(Arc::new(Costly::default())).narrates_at_once()
        };
        let mut second = Served::over(database, clock, backend, set_up).await;
        second.keys = Arc::clone(&first.keys);
        Self { processes: vec![first, second], matches: Mutex::default() }
    }

    fn matches(&self) -> Vec<Known> {
        self.matches.lock().unwrap().clone()
    }

    /// Plays every match to its end, after which anybody can play it again. Those that take days come
    /// last: an ended match is forgotten after ninety.
    async fn finish(&self, seed: u64) {
        let served = &self.processes[0];
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for known in self.matches() {
            served.post(known.opened.who(), &known.opened.path("start"), json!({})).await;
            let look = served.look(&known.opened).await;
            let takes_days = look["mode"] == "long" && look["status"] == "active";
            if takes_days { long.push(known) } else { short.push(known) }
        }
        for Known { opened, .. } in short.iter().chain(&long) {
            for _ in 0..TURNS_MAX {
                let look = served.look(opened).await;
                match (look["status"].as_str(), look["mode"].as_str()) {
                    (Some("active"), Some("long")) => served.clock.advance_ms(24 * 60 * 60 * 1000),
                    (Some("active"), _) => {
                        let body = json!({ "turnId": look["turnId"], "force": true });
                        served.post(opened.who(), &opened.path("advance"), body).await;
                    }
                    (Some("lobby"), _) => {
                        served.post(opened.who(), &opened.path("end"), json!({})).await;
                    }
                    _ => break,
                }
            }
            let told = self.processes[1].get(Who::Nobody, &opened.path("verify")).await.json();
            let is_fair = (&told["status"], &told["isVerified"]);
            assert_eq!(is_fair, (&json!("ended"), &json!(true)), "seed {seed}: {told}");
            // All is told and archived before the days of the next match go by.
            invariants::work(served, &format!("seed {seed}, after a match")).await;
        }
    }
}

async fn history(seed: u64) {
    let world = Arc::new(World::new().await);
    for phase in 0..PHASES {
        let mut running = tokio::task::JoinSet::new();
        for person in 0..PEOPLE {
            let world = Arc::clone(&world);
            let mut dice = Dice::new(seed, phase * PEOPLE + person);
            running.spawn(async move {
                for _ in 0..STEPS {
                    let (what, answer) = take(&world, &mut dice).await;
                    let status = answer.as_ref().map_or(200, |answer| answer.status);
                    assert!(status < 500, "seed {seed}, {what}: {answer:?}");
                }
            });
        }
        while let Some(done) = running.join_next().await {
            done.unwrap();
        }
        quiet(&world, &format!("seed {seed}, after phase {phase}")).await;
    }
    world.finish(seed).await;
    quiet(&world, &format!("seed {seed}, at the end")).await;
}

async fn quiet(world: &World, when: &str) {
    invariants::work(&world.processes[0], when).await;
    invariants::check_quiet(&world.processes[0], when);
}

#[test]
fn whatever_happens_everything_holds() {
    for _ in 0..HISTORIES {
        let mut bytes = [0; 8];
        SystemRandomness.fill(&mut bytes);
        let seed = u64::from_le_bytes(bytes);
        println!("seed {seed}");
        let runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = { runtime }.worker_threads(PEOPLE).enable_all().build().unwrap();
        runtime.block_on(history(seed));
    }
}
