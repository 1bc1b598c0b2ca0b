//! Random histories: several concurrent actors do what a seed decides. Afterwards all invariants
//! hold when all work is done. A failure is printed with the seed and the last steps of each actor.

use std::sync::Arc;

use super::{Response, Setting, Testing};
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
                running.spawn(self.history::<H>(seed));
            }
            while !running.is_empty() {
                ended(running.join_next().await);
            }
        });
    }

    async fn history<H: History>(self, seed: u64) {
        let _named = NamedIfItFails(seed);
        let history = Arc::new(H::begin(|setting| setting).await);
        for phase in 0..self.phases {
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
                        assert!(
                            status < 500,
                            "seed {seed}, actor {actor}, {done:#?}: {response:?}"
                        );
                    }
                });
            }
            while !running.is_empty() {
                ended(running.join_next().await);
            }
            history.settle(&format!("seed {seed}, after phase {phase}")).await;
        }
        history.finish(&format!("seed {seed}")).await;
        history.settle(&format!("seed {seed}, at the end")).await;
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
