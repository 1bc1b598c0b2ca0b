//! Concurrent clients, and the latency of each.

use std::future::Future;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use monotable_bench::Result;

use crate::measured::Slice;

/// Lets every client send requests until the time is over. All are tasks on one runtime, for the
/// service and for the engine, so that both are scheduled in the same way.
pub(crate) async fn slice<C, F>(
    clients: impl IntoIterator<Item = C>,
    limit: Limit,
    client: impl Fn(C, Stopwatch) -> F,
) -> Result<Slice>
where
    F: Future<Output = Result<Stopwatch>> + Send + 'static,
{
    let start = Instant::now();
    let tasks = clients
        .into_iter()
        .map(|one| Ok(tokio::spawn(client(one, Stopwatch::new(start, limit)?))))
        .collect::<Result<Vec<_>>>()?;
    let mut all = Stopwatch::histogram()?;
    for task in tasks {
        all.add(task.await??.latencies)?;
    }
    Ok(Slice::of(&all, start.elapsed()))
}

/// When a client ends.
#[derive(Clone, Copy)]
pub(crate) struct Limit {
    pub(crate) duration: Duration,
    pub(crate) calls_max: u64,
}

/// What a client measures.
pub(crate) struct Stopwatch {
    latencies: Histogram<u64>,
    deadline: Instant,
    calls_max: u64,
}

impl Stopwatch {
    fn new(start: Instant, Limit { duration, calls_max }: Limit) -> Result<Self> {
        Ok(Self { latencies: Self::histogram()?, deadline: start + duration, calls_max })
    }

    /// New latencies; three digits are plenty.
    fn histogram() -> Result<Histogram<u64>> {
        Ok(Histogram::new(3)?)
    }

    /// Waits for a call, and notes how long that took.
    pub(crate) async fn measure<T>(&mut self, call: impl Future<Output = Result<T>>) -> Result<T> {
        let start = Instant::now();
        let answer = call.await?;
        self.latencies.record(u64::try_from(start.elapsed().as_nanos())?)?;
        // A server would hear of other requests between two of one client.
        tokio::task::yield_now().await;
        Ok(answer)
    }

    /// Waits for a call, and notes how long that took if it is one of those that are measured.
    pub(crate) async fn measure_if<T>(
        &mut self,
        is_measured: bool,
        call: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        if is_measured {
            return self.measure(call).await;
        }
        let answer = call.await?;
        tokio::task::yield_now().await;
        Ok(answer)
    }

    /// Returns whether the client has called often or long enough.
    pub(crate) fn is_over(&self) -> bool {
        self.latencies.len() >= self.calls_max || Instant::now() >= self.deadline
    }
}
