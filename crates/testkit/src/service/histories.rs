//! Random histories: several concurrent actors do what a seed decides. Afterwards all invariants
//! hold when all work is done. A failure is printed with the seed and the last steps of each actor.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{Faults, Response, Setting, Testing};
use crate::crash::seed::{Random, announce, figure};

/// Choices that are derived from a seed.
#[derive(Clone, Debug)]
pub struct Dice(Random);

impl Dice {
    /// Returns the choices of one part of a history.
    pub fn new(seed: u64, part: usize) -> Self {
        Self(Random::part(seed, part as u64))
    }

    /// Returns a number below this one.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0.below(sides as u64) as usize
    }

    /// Returns an element of a list, if it has one.
    pub fn of<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        let position = self.roll(list.len());
        list.get(position)
    }
}

/// A step of a history: the attempt, and the response if there was one.
pub type Step = (String, Option<Response>);

/// A history of a service.
pub trait History: Sized + Send + Sync + 'static {
    /// Starts with a setting of the service.
    fn begin(change: fn(Setting) -> Setting) -> Testing<'static, Self>;

    /// Performs a step.
    fn step<'a>(&'a self, dice: &'a mut Dice) -> Testing<'a, Step>;

    /// Works until nothing is left to do, and checks everything.
    fn settle<'a>(&'a self, when: &'a str) -> Testing<'a, ()>;

    /// Completes everything, before it is settled for the last time.
    fn finish<'a>(&'a self, _when: &'a str) -> Testing<'a, ()> {
        Box::pin(std::future::ready(()))
    }
}

/// The number and the length of histories.
#[derive(Clone, Copy, Debug)]
pub struct Histories {
    /// Histories; `MONOTABLE_HISTORIES` sets another number.
    pub count: usize,
    /// Phases of a history; after each it is settled.
    pub phases: usize,
    /// Actors at once.
    pub actors: usize,
    /// Steps of each actor in each phase.
    pub steps: usize,
}

impl Histories {
    /// Runs histories, one on each core at a time, each from a seed that is printed; `MONOTABLE_SEED`
    /// sets one.
    ///
    /// # Panics
    /// Panics if a step fails with 5xx, or if an invariant does not hold afterwards.
    pub fn run<H: History>(self, test: &str) {
        self.run_each::<H>(test, |_| None);
    }

    /// Runs histories in two processes that die and are replaced, while the backend throttles requests, reports
    /// conflicts, leaves entries of batches unprocessed and does not respond, indexes lag and expired rows stay.
    ///
    /// # Panics
    /// If a step fails with 5xx other than 503 with `Retry-After`, or if something does not hold afterwards.
    pub fn run_with_faults<H: History>(self, test: &str) {
        self.run_each::<H>(test, |seed| Some(Faults::new(seed)));
    }

    fn run_each<H: History>(self, test: &str, faults_of: fn(u64) -> Option<Faults>) {
        let runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime =
            { runtime }.worker_threads(self.actors).enable_all().build().expect("threads");
        let first = announce(test);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        runtime.block_on(async move {
            let mut running = tokio::task::JoinSet::new();
            for number in 0..figure("MONOTABLE_HISTORIES", self.count as u64) {
                if running.len() == cores {
                    ended(running.join_next().await);
                }
                let seed = first.wrapping_add(number);
                eprintln!("history {number}: MONOTABLE_SEED={seed}");
                running.spawn(self.history::<H>(seed, faults_of(seed)));
            }
            while !running.is_empty() {
                ended(running.join_next().await);
            }
        });
    }

    async fn history<H: History>(self, seed: u64, faults: Option<Faults>) {
        let _named = NamedIfItFails(seed);
        let history = match &faults {
            Some(faults) => FAULTS.scope(faults.clone(), H::begin(faulty)).await,
            None => H::begin(|setting| setting).await,
        };
        let history = Arc::new(history);
        for phase in 0..self.phases {
            let background = faults.clone().map(|faults| {
                faults.begin();
                Background::start(faults)
            });
            let has_faults = faults.is_some();
            let mut running = tokio::task::JoinSet::new();
            for actor in 0..self.actors {
                let history = Arc::clone(&history);
                let mut dice = Dice::new(seed, phase * self.actors + actor);
                running.spawn(async move {
                    let mut done = Vec::new();
                    for _ in 0..self.steps {
                        let (what, response) = history.step(&mut dice).await;
                        let status = response.as_ref().map_or(200, |response| response.status);
                        done.push(format!("{what} {status}"));
                        let is_unavailable =
                            has_faults && response.as_ref().is_some_and(Response::is_unavailable);
                        assert!(
                            status < 500 || is_unavailable,
                            "seed {seed}, actor {actor}, {done:#?}: {response:?}"
                        );
                    }
                });
            }
            while !running.is_empty() {
                ended(running.join_next().await);
            }
            if let Some(background) = background {
                background.end().await;
            }
            history.settle(&format!("seed {seed}, after phase {phase}")).await;
        }
        history.finish(&format!("seed {seed}")).await;
        history.settle(&format!("seed {seed}, at the end")).await;
        if let Some(faults) = faults {
            let counts = faults.counts();
            eprintln!("MONOTABLE_SEED={seed}: {counts:?}");
            assert!(counts.failed > 0, "no request has failed");
        }
    }
}

/// Passes the failure of a task on.
fn ended(task: Option<Result<(), tokio::task::JoinError>>) {
    if let Some(Err(error)) = task {
        std::panic::resume_unwind(error.into_panic());
    }
}

/// Prints the seed of a history that fails: others run at the same time.
struct NamedIfItFails(u64);

impl Drop for NamedIfItFails {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("this history failed: MONOTABLE_SEED={}", self.0);
        }
    }
}

tokio::task_local! {
    /// The faults of the history that begins in this task.
    static FAULTS: Faults;
}

/// How far indexes lag while there are faults.
const LAG: Duration = Duration::from_millis(300);

fn faulty(setting: Setting) -> Setting {
    let faults = FAULTS.try_with(Clone::clone).ok();
    Setting { faults, index_lag: setting.index_lag.or(Some(LAG)), ..setting }
}

/// The background work of processes with faults, until it is ended together with the faults.
struct Background {
    faults: Faults,
    is_over: Arc<AtomicBool>,
    task: tokio::task::JoinHandle<()>,
}

impl Background {
    fn start(faults: Faults) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let (over, working) = (Arc::clone(&is_over), faults.clone());
        let task = tokio::spawn(async move {
            while !over.load(Ordering::Relaxed) {
                working.work().await;
                tokio::task::yield_now().await;
            }
        });
        Self { faults, is_over, task }
    }

    async fn end(self) {
        self.is_over.store(true, Ordering::Relaxed);
        ended(Some(self.task.await));
        self.faults.end();
    }
}
