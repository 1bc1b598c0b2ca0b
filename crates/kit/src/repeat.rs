//! Commands that are retried after a lost race.

use std::future::Future;
use std::time::Duration;

use crate::box_future::BoxFuture;
use crate::problem::Problem;
use crate::randomness::{Randomness, SystemRandomness};

/// The longest pause before each retry; the shortest is half of it.
const WAITS_MS: [u64; 3] = [100, 200, 400];
/// The pause of a command that is retried for a time: first, and at most.
const RUSH_WAIT_MS_MIN: u64 = 10;
const RUSH_WAIT_MS_MAX: u64 = 320;

/// Runs a command, and runs it again up to three times if another writer changed a row that it
/// read.
///
/// Only for commands that decide by what they read in each attempt: the caller must not depend on
/// the state that the command finds. A command with `If-Match` depends on it and refuses by itself.
///
/// # Errors
/// Returns the last error of the command.
pub fn repeat<'a, T, F>(mut command: impl FnMut() -> F + Send + 'a) -> BoxFuture<'a, T>
where
    T: Send + 'a,
    F: Future<Output = Result<T, Problem>> + Send + 'a,
{
    Box::pin(repeated(Box::new(move || Box::pin(command()))))
}

/// Runs a command, and runs it again for this long if other writers change rows that it reads, or
/// the storage is busy with them: for the few commands that many users run at the same moment.
///
/// # Errors
/// Returns the last error of the command.
pub fn repeat_for<'a, T, F>(
    patience: Duration,
    mut command: impl FnMut() -> F + Send + 'a,
) -> BoxFuture<'a, T>
where
    T: Send + 'a,
    F: Future<Output = Result<T, Problem>> + Send + 'a,
{
    Box::pin(repeated_for(patience, Box::new(move || Box::pin(command()))))
}

async fn repeated_for<'a, T>(
    patience: Duration,
    mut command: Box<dyn FnMut() -> BoxFuture<'a, T> + Send + 'a>,
) -> Result<T, Problem> {
    let end = tokio::time::Instant::now() + patience;
    let mut wait_ms = RUSH_WAIT_MS_MIN;
    loop {
        let wait = jittered(wait_ms, &SystemRandomness);
        match command().await {
            Err(problem)
                if (problem.is_version_conflict() || problem.is_contention())
                    && tokio::time::Instant::now() + wait < end =>
            {
                tokio::time::sleep(wait).await;
            }
            done => return done,
        }
        wait_ms = (wait_ms * 2).min(RUSH_WAIT_MS_MAX);
    }
}

/// Does the same, compiled once for each type of result and not once for each command.
async fn repeated<'a, T>(
    mut command: Box<dyn FnMut() -> BoxFuture<'a, T> + Send + 'a>,
) -> Result<T, Problem> {
    for wait_ms in WAITS_MS {
        match command().await {
            Err(problem) if problem.is_version_conflict() => {
                tokio::time::sleep(jittered(wait_ms, &SystemRandomness)).await;
            }
            done => return done,
        }
    }
    command().await
}

/// Returns a time between half of it and the whole, so that callers that collided don't collide
/// again.
fn jittered(wait_ms: u64, randomness: &dyn Randomness) -> Duration {
    let mut byte = [0];
    randomness.fill(&mut byte);
    Duration::from_millis(wait_ms / 2 + wait_ms * u64::from(byte[0]) / (2 * 255))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn conflict() -> Problem {
        Problem::conflict("VERSION_CONFLICT", "")
    }

    struct Always(u8);

    impl Randomness for Always {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(self.0);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_conflict_is_tried_again_and_then_told() {
        for (conflicts, expected) in [(0, Ok(1)), (3, Ok(4)), (4, Err(conflict()))] {
            let calls = AtomicU32::new(0);
            let done = repeat(|| async {
                let call = calls.fetch_add(1, Ordering::Relaxed) + 1;
                if call <= conflicts { Err(conflict()) } else { Ok(call) }
            });
            assert_eq!(done.await, expected);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn anything_else_is_told_at_once() {
        let calls = AtomicU32::new(0);
        let done: Result<(), _> = repeat(|| async {
            calls.fetch_add(1, Ordering::Relaxed);
            Err(Problem::conflict("NUMBER_TAKEN", ""))
        })
        .await;
        assert_eq!((done.unwrap_err().code, calls.into_inner()), ("NUMBER_TAKEN", 1));
    }

    #[tokio::test(start_paused = true)]
    async fn a_rush_is_outlasted_for_a_time() {
        let started = tokio::time::Instant::now();
        let calls = AtomicU32::new(0);
        let done: Result<(), _> = repeat_for(Duration::from_secs(5), || async {
            calls.fetch_add(1, Ordering::Relaxed);
            Err(Problem { is_contention: true, ..Problem::unavailable("") })
        })
        .await;
        assert!(done.unwrap_err().is_contention());
        assert!(started.elapsed() <= Duration::from_secs(5));
        assert!(calls.into_inner() > 12, "it was tried more often than any other command");
    }

    #[test]
    fn waits_are_between_the_half_and_the_whole() {
        assert_eq!(jittered(400, &Always(0)), Duration::from_millis(200));
        assert_eq!(jittered(400, &Always(255)), Duration::from_millis(400));
    }
}
