//! Random histories of several people in two processes: whatever they did, everything holds when it is quiet,
//! and every match can be played again from its seed.

#[path = "histories/steps.rs"]
mod steps;

use std::sync::{Arc, Mutex};

use monotable_btl_run::BtlRunService;
use monotable_testkit::service::histories::Step;
use monotable_testkit::service::{Dice, Histories, History, Setting, Testing, oracle};
use serde_json::json;

use self::steps::{Known, take};
use crate::costly::{COSTLY, Costly};
use crate::players::Play as _;
use crate::world::{Actor, EachProcess, TABLE, World};

/// More than any match has turns.
const TURNS_MAX: usize = 80;
const HOUR_MS: u64 = 60 * 60 * 1000;

/// Processes on one table, and the matches that there are.
struct Matches {
    processes: Vec<World>,
    known: Mutex<Vec<Known>>,
}

impl Matches {
    async fn new(first: Setting) -> Self {
        Self { processes: vec![World::set(first).await], known: Mutex::default() }
    }

    fn known(&self) -> Vec<Known> {
        self.known.lock().unwrap().clone()
    }

    /// Plays a match to its end, after which anybody can play it again.
    async fn play_out(&self, Known { opened, .. }: &Known, when: &str) {
        let world = &self.processes[0];
        for _ in 0..TURNS_MAX {
            let look = world.look(opened).await;
            match (look["status"].as_str(), look["mode"].as_str()) {
                (Some("active"), Some("long")) => world.clock.advance_ms(24 * HOUR_MS),
                (Some("active"), _) => {
                    let body = json!({ "turnId": look["turnId"], "force": true });
                    world.post(opened.actor(), &opened.path("advance"), body).await;
                }
                (Some("lobby"), _) => {
                    world.post(opened.actor(), &opened.path("end"), json!({})).await;
                }
                _ => break,
            }
        }
        let verified = self.processes[1].get(Actor::Nobody, &opened.path("verify")).await.json();
        let is_fair = (&verified["status"], &verified["isVerified"]);
        assert_eq!(is_fair, (&json!("ended"), &json!(true)), "{when}: {verified}");
        // All is told and archived before the days of the next match go by.
        world.finish_work(when).await;
    }
}

impl History for Matches {
    fn begin(change: fn(Setting) -> Setting) -> Testing<'static, Self> {
        Box::pin(async move {
            let mut matches = Self::new(change(Setting::new(COSTLY))).await;
            let narrating_at_once = EachProcess {
                table_name: TABLE,
                service: || BtlRunService::default().narrator(Arc::new(Costly::default())),
            };
            let second = change(Setting::new(narrating_at_once));
            matches.processes.push(matches.processes[0].another_process_with(second).await);
            matches
        })
    }

    fn step<'a>(&'a self, dice: &'a mut Dice) -> Testing<'a, Step> {
        Box::pin(take(self, dice))
    }

    fn settle<'a>(&'a self, when: &'a str) -> Testing<'a, ()> {
        Box::pin(async move {
            self.processes[0].finish_work(when).await;
            self.processes[0].check_quiet(when).await;
        })
    }

    /// Matches that take days come last: an ended match is forgotten after ninety.
    fn finish<'a>(&'a self, when: &'a str) -> Testing<'a, ()> {
        Box::pin(async move {
            let world = &self.processes[0];
            let (mut short, mut long) = (Vec::new(), Vec::new());
            for known in self.known() {
                world.post(known.opened.actor(), &known.opened.path("start"), json!({})).await;
                let look = world.look(&known.opened).await;
                let takes_days = look["mode"] == "long" && look["status"] == "active";
                if takes_days { long.push(known) } else { short.push(known) }
            }
            for known in short.iter().chain(&long) {
                self.play_out(known, &format!("{when}, after a match")).await;
            }
        })
    }
}

#[test]
fn whatever_happens_everything_holds() {
    let histories = Histories { count: 1, phases: 3, actors: 5, steps: 24 };
    histories.run::<Matches>("btl.run's histories");
}

/// Matches over months: codes, records and counters expire, and so do ended matches.
struct Months(Matches);

impl History for Months {
    fn begin(change: fn(Setting) -> Setting) -> Testing<'static, Self> {
        Box::pin(async move { Self(Matches::new(change(Setting::new(COSTLY))).await) })
    }

    fn step<'a>(&'a self, dice: &'a mut Dice) -> Testing<'a, Step> {
        Box::pin(async {
            let step = take(&self.0, dice).await;
            let world = &self.0.processes[0];
            world.clock.advance_ms([0, 0, 0, 1, 40, 40 * 24][dice.roll(6)] * HOUR_MS);
            world.app.work().await.unwrap();
            step
        })
    }

    fn settle<'a>(&'a self, when: &'a str) -> Testing<'a, ()> {
        Box::pin(self.0.processes[0].check_quiet(when))
    }
}

#[tokio::test]
async fn expired_rows_are_absent_whether_they_are_swept_or_not() {
    oracle::expired_is_absent::<Months>("btl.run's expiry", 150).await;
}

/// Each command may be sent by many at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn commands_at_once_keep_guards_and_counters() {
    let world = World::new().await;
    let opened = world.open_match(json!({ "aiCount": 4 })).await;
    let bob = world.join_as(Actor::User("bob"), &opened, "Bob").await;
    let name = json!({ "code": opened.code, "name": "Nova" });
    let (host, user) = (opened.actor(), Actor::User("bob"));
    let removal = opened.path(&format!("tribute/{}", bob.tribute));
    check_at_once(
        &world,
        &[
            // Five lobbies are open at most.
            (Actor::User("cleo"), "POST /match", json!({ "mode": "quick" }), 5..=5),
            (Actor::Nobody, &format!("POST {}", opened.path("join")), name.clone(), 1..=1),
            (Actor::User("dan"), &format!("POST {}", opened.path("join")), name, 1..=1),
            (host, &format!("POST {}", opened.path("ai")), json!({}), 8..=8),
            (host, &format!("DELETE {removal}"), json!(null), 1..=1),
            (host, &format!("POST {}", opened.path("invite")), json!({}), 1..=8),
            (host, &format!("POST {}", opened.path("start")), json!({}), 1..=1),
            (user, &format!("POST {}", opened.path("token")), json!({}), 1..=8),
            (user, "PUT /me", json!({ "displayName": "Bob" }), 1..=8),
            (user, "DELETE /me", json!(null), 1..=8),
        ],
    )
    .await;
    world.host(&opened, "start", json!({})).await;
    world.host(&opened, "gm/rules", json!({ "sponsors": true })).await;
    let turn = json!({ "turnId": "d1t1", "force": true });
    let weather = json!({ "kind": "weather", "weather": "fog" });
    check_at_once(
        &world,
        &[
            (host, &format!("POST {}", opened.path("advance")), turn, 1..=1),
            (host, &format!("POST {}", opened.path("end")), json!({}), 1..=1),
            (host, &format!("POST {}", opened.path("gm/inject")), weather, 5..=5),
        ],
    )
    .await;
}

/// Sends each command eight times at once, and compares how often it was done.
async fn check_at_once(
    world: &World,
    commands: &[(Actor<'_>, &str, serde_json::Value, std::ops::RangeInclusive<usize>)],
) {
    let sent: Vec<_> =
        commands.iter().map(|(actor, route, body, _)| (*actor, *route, body.clone())).collect();
    let done = oracle::all_at_once(world, 8, &sent).await;
    for ((_, route, _, expected), done) in commands.iter().zip(done) {
        assert!(expected.contains(&done), "{route} was done {done} times of {expected:?}");
    }
}

/// Two processes on a backend with faults, which die.
#[test]
fn faults_of_the_backend_leave_nothing_half_done() {
    let histories = Histories { count: 1, phases: 2, actors: 4, steps: 12 };
    histories.run_with_faults::<Matches>("btl.run's histories with faults");
}
