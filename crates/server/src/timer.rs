//! A deadline that moves with every request and rarely touches the runtime's timers.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep};

/// The time is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimedOut;

/// The only timer of a connection. Moving the deadline only stores it: the sleep that is registered
/// checks again when it fires.
pub(crate) struct Timer {
    sleep: Pin<Box<Sleep>>,
    due: Instant,
}

impl Timer {
    pub(crate) fn new(duration: Duration) -> Self {
        let due = Instant::now() + duration;
        Self { sleep: Box::pin(tokio::time::sleep_until(due)), due }
    }

    /// Moves the deadline to this long from now.
    pub(crate) fn arm(&mut self, duration: Duration) {
        self.arm_at(Instant::now() + duration);
    }

    /// Moves the deadline.
    pub(crate) fn arm_at(&mut self, due: Instant) {
        self.due = due;
        if self.due < self.sleep.deadline() {
            self.sleep.as_mut().reset(self.due);
        }
    }

    /// Returns the result of the future, unless the deadline comes first.
    pub(crate) async fn limit<T>(
        &mut self,
        future: impl Future<Output = T>,
    ) -> Result<T, TimedOut> {
        let mut future = pin!(future);
        poll_fn(|context| match future.as_mut().poll(context) {
            Poll::Ready(value) => Poll::Ready(Ok(value)),
            Poll::Pending => self.poll_due(context).map(|()| Err(TimedOut)),
        })
        .await
    }

    fn poll_due(&mut self, context: &mut Context<'_>) -> Poll<()> {
        while self.sleep.as_mut().poll(context).is_ready() {
            if Instant::now() >= self.due {
                return Poll::Ready(());
            }
            self.sleep.as_mut().reset(self.due);
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    fn paused(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(test);
    }

    #[test]
    fn the_deadline_moves_both_ways() {
        paused(async {
            let mut timer = Timer::new(Duration::from_secs(100));
            for seconds in [5, 50, 7, 300] {
                let start = Instant::now();
                timer.arm(Duration::from_secs(seconds));
                assert_eq!(timer.limit(pending::<()>()).await, Err(TimedOut));
                assert_eq!(start.elapsed().as_secs(), seconds);
            }
        });
    }

    #[test]
    fn what_is_ready_in_time_comes_through() {
        paused(async {
            let mut timer = Timer::new(Duration::from_secs(10));
            let wait = async {
                tokio::time::sleep(Duration::from_secs(9)).await;
                7
            };
            assert_eq!(timer.limit(wait).await, Ok(7));
        });
    }
}
