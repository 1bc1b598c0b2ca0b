//! Open streams: how many each caller has, and when the caller's authentication expires.
//!
//! Every stream of every service passes through here.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;

use super::frame::SIGNED_OUT;
use crate::problem::{Problem, ProblemKind};
use crate::throttle::Caller;

/// The number of streams that a principal can have open at the same time.
const STREAMS_OF_PRINCIPAL_MAX: usize = 32;
/// The number of streams that an address can have open at the same time: several people may share
/// it.
const STREAMS_OF_ADDRESS_MAX: usize = 256;
/// When opening another stream may succeed.
const RETRY_AFTER_SECONDS: u64 = 10;

/// Events of a service, as the text of server-sent events.
type Frames = Pin<Box<dyn Stream<Item = Bytes> + Send>>;

/// A future that is ready when the caller's authentication has expired.
pub(crate) type ProofEnd = Pin<Box<dyn Future<Output = ()> + Send>>;

fn streams_max(caller: &Caller) -> usize {
    match caller {
        Caller::Principal(_) => STREAMS_OF_PRINCIPAL_MAX,
        Caller::Address(_) | Caller::Unknown => STREAMS_OF_ADDRESS_MAX,
    }
}

/// The streams that are open, by caller.
#[derive(Default)]
pub(crate) struct OpenStreams {
    counts: Mutex<HashMap<Caller, usize>>,
}

impl OpenStreams {
    /// Opens a stream of a caller, which ends when the caller's authentication expires.
    ///
    /// # Errors
    /// Returns 429 if the caller has too many.
    pub(crate) fn open(
        self: &Arc<Self>,
        caller: Caller,
        proof_ends: Option<ProofEnd>,
        frames: Frames,
    ) -> Result<Frames, Problem> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(caller.clone()).or_default();
        if *count >= streams_max(&caller) {
            return Err(too_many(*count));
        }
        *count += 1;
        drop(counts);
        let streams = Arc::clone(self);
        Ok(Box::pin(OpenStream { frames, proof_ends, is_over: false, caller, streams }))
    }
}

fn too_many(count: usize) -> Problem {
    let text = format!("You have {count} streams open; close one of them first.");
    let mut problem = Problem::new(ProblemKind::RateLimited, "RATE_LIMITED", text);
    problem.retry_after_seconds = Some(RETRY_AFTER_SECONDS);
    problem
}

/// A stream that is counted until it is dropped.
struct OpenStream {
    frames: Frames,
    proof_ends: Option<ProofEnd>,
    is_over: bool,
    caller: Caller,
    streams: Arc<OpenStreams>,
}

impl Stream for OpenStream {
    type Item = Bytes;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        // The expiry comes before events that are waiting: the caller may not see them any more.
        if let Some(end) = &mut self.proof_ends
            && end.as_mut().poll(context).is_ready()
        {
            self.is_over = true;
            return Poll::Ready(Some(SIGNED_OUT));
        }
        self.frames.as_mut().poll_next(context)
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut counts = self.streams.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.caller) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.caller);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::time::Duration;

    use tokio::time::sleep;

    use super::*;
    use crate::Events;

    async fn next(stream: &mut Frames) -> Option<String> {
        let bytes = poll_fn(|context| stream.as_mut().poll_next(context)).await?;
        Some(String::from_utf8(bytes.to_vec()).unwrap())
    }

    fn opened(streams: &Arc<OpenStreams>, caller: &str) -> Result<Frames, Problem> {
        let frames = Box::pin(Events::default().subscribe("a"));
        streams.open(Caller::Principal(caller.to_owned()), None, frames)
    }

    fn opened_for(streams: &Arc<OpenStreams>, seconds: u64, frames: Frames) -> Frames {
        let end: ProofEnd = Box::pin(sleep(Duration::from_secs(seconds)));
        streams.open(Caller::Unknown, Some(end), frames).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_ends_with_the_proof_of_who_listens_and_says_so() {
        let (events, streams) = (Events::default(), Arc::default());
        let stream = Box::pin(events.subscribe("a"));
        let mut stream = opened_for(&streams, 100, stream);
        events.publish("a", "x", &1);
        assert!(next(&mut stream).await.unwrap().contains("event: x"));
        tokio::time::advance(Duration::from_secs(100)).await;
        events.publish("a", "x", &2);
        let last = next(&mut stream).await.unwrap();
        assert_eq!(last, "event: signed-out\ndata: {\"reason\":\"You are signed out.\"}\n\n");
        assert_eq!(next(&mut stream).await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_waiting_stream_is_woken_when_the_proof_ends() {
        let streams = Arc::default();
        let stream = Box::pin(Events::default().subscribe("a"));
        let mut stream = opened_for(&streams, 10, stream);
        assert!(next(&mut stream).await.unwrap().starts_with("event: signed-out"));
    }

    #[tokio::test]
    async fn each_caller_has_so_many_streams_and_none_is_left_behind() {
        let streams: Arc<OpenStreams> = Arc::default();
        let mut open: Vec<Frames> =
            (0..STREAMS_OF_PRINCIPAL_MAX).map(|_| opened(&streams, "ada").unwrap()).collect();
        let refused = opened(&streams, "ada").err().unwrap();
        assert_eq!((refused.status(), refused.retry_after_seconds), (429, Some(10)));
        let other = opened(&streams, "bob");
        assert!(other.is_ok());
        open.pop();
        open.push(opened(&streams, "ada").unwrap());
        assert!(opened(&streams, "ada").is_err());
        drop((open, other));
        assert!(streams.counts.lock().unwrap().is_empty());
    }
}
