//! The process is killed at every storage call of a command and of the work behind it, before the call and
//! after. When it comes back and has worked, everything holds, and whoever asks again gets the answer.

mod commands;

use std::sync::Arc;

use monotable::Clock as _;
use monotable::model::backend::{Backend, Embedded};
use monotable_btl_run::jobs::narrate::narrate_due;
use monotable_testkit::failing::{Failing, MOMENTS, Moment};
use serde_json::{Value, json};

use crate::costly::Costly;
use crate::invariants;
use crate::players::Player;
use crate::served::{Answer, Opened, Served, Who};

/// More storage calls than anything here makes.
const CALLS_MAX: usize = 200;

/// A match, its players, and whoever else there is.
struct Stage {
    served: Served,
    opened: Opened,
    players: Vec<Player>,
}

/// Who asks.
#[derive(Clone, Copy, Debug)]
enum By {
    Host,
    Player(usize),
    User(&'static str),
    Nobody,
}

/// What the process is doing when it is killed: a request, if there is one, and the work behind it.
struct Act {
    by: By,
    /// Method and path; `{m}` is the match.
    route: String,
    body: Value,
    /// Whether there is more to work at than stories.
    has_work: bool,
}

impl Act {
    fn new(by: By, route: &str, body: Value) -> Self {
        Self { by, route: route.to_owned(), body, has_work: false }
    }

    /// There is more to do behind it than to tell stories.
    fn with_work(self) -> Self {
        Self { has_work: true, ..self }
    }

    /// Only the work.
    fn work() -> Self {
        Self::new(By::Nobody, "", Value::Null).with_work()
    }

    async fn run(&self, stage: &Stage, served: &Served) -> Option<Answer> {
        let (method, path) = self.route.split_once(' ')?;
        let who = match self.by {
            By::Host => stage.opened.who(),
            By::Player(number) => stage.players[number].who(),
            By::User(id) => Who::User(id),
            By::Nobody => Who::Nobody,
        };
        let path = path.replace("{m}", &stage.opened.id);
        let key = [("idempotency-key", "once")];
        Some(served.ask(who, method.parse().unwrap(), &path, self.body.clone(), &key).await)
    }
}

impl Stage {
    /// A lobby with these users as players.
    async fn lobby(fields: Value, users: &[&'static str]) -> Self {
        let served = Served::new().await;
        let opened = served.open_match(fields).await;
        let mut players = Vec::new();
        for user in users {
            players.push(served.join_as(Who::User(user), &opened, user).await);
        }
        Self { served, opened, players }
    }

    /// The same, started.
    async fn started(fields: Value, users: &[&'static str]) -> Self {
        let stage = Self::lobby(fields, users).await;
        stage.served.host(&stage.opened, "start", json!({})).await;
        stage
    }

    /// Kills the process at every call of an act, and looks at what is left.
    async fn kill_at_every_call(&self, act: Act) {
        let world = invariants::copy(&self.served).await;
        let living = Failing::never(&Embedded::new(world.database.clone()));
        let process = process(&world, living.clone()).await;
        if act.has_work {
            look_around(&process).await;
        }
        let before = living.calls();
        for moment in MOMENTS {
            for call in before..before + CALLS_MAX {
                if !self.kill(&act, call, moment).await {
                    break;
                }
                assert!(
                    call + 1 < before + CALLS_MAX,
                    "{} makes more calls than are tried",
                    act.route
                );
            }
        }
    }

    /// Kills the process at a call; false if it was never made.
    async fn kill(&self, act: &Act, call: usize, moment: Moment) -> bool {
        let when = format!("{} by {:?}, killed {moment:?} call {call}", act.route, act.by);
        let world = invariants::copy(&self.served).await;
        let failing = Failing::at(&Embedded::new(world.database.clone()), call, moment);
        let dying = process(&world, failing.clone()).await;
        if act.has_work {
            look_around(&dying).await;
            assert!(!failing.has_died(), "{when}: too early");
        }
        let told = act.run(self, &dying).await;
        let _ = match act.has_work {
            true => dying.app.work().await.map(drop),
            false => narrate_due(&dying.app).await.map(drop),
        };
        let revived = process(&world, Embedded::new(world.database.clone())).await;
        // At no moment is anything half written.
        invariants::check(&revived, &when);
        let again = act.run(self, &revived).await;
        if let (Some(told), Some(again)) = (told, &again) {
            assert!(again.status < 300, "{when}, asked again: {} {}", again.status, again.text);
            let third = act.run(self, &revived).await.unwrap();
            // What is looked at may have changed meanwhile; what was done is told as it was.
            if !act.route.starts_with("GET") {
                assert_same(again, &third, &when);
                if told.status < 300 {
                    assert_same(&told, again, &when);
                }
            }
        }
        if act.route.is_empty() {
            revived.app.work().await.unwrap();
        }
        invariants::work(&revived, &when).await;
        invariants::check_quiet(&revived, &when);
        failing.has_died()
    }
}

/// A process with a narrator that costs, which reaches the table by this backend.
async fn process(world: &Served, backend: impl Backend) -> Served {
    let (database, clock) = (world.database.clone(), Arc::clone(&world.clock));
    let narrated = |app: monotable_btl_run::App| app.narrator(Arc::new(Costly::default()));
    Served::over(database, clock, backend, narrated).await
}

/// The first round of a process, which looks for turns everywhere, half an hour ago.
async fn look_around(served: &Served) {
    let now = served.clock.now_ms();
    served.clock.set_ms(now - 30 * 60 * 1000);
    served.app.work().await.unwrap();
    served.clock.set_ms(now);
}

/// Both answers say the same, secrets included.
fn assert_same(one: &Answer, other: &Answer, when: &str) {
    // An answer that says nothing has no body.
    let body = |answer: &Answer| serde_json::from_str::<Value>(&answer.text).unwrap_or_default();
    assert_eq!((one.status, body(one)), (other.status, body(other)), "{when}");
}
