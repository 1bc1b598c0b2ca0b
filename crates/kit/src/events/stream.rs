//! One listener: its unread events, and the stream that reads them.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use serde::Serialize;
use tokio::time::{Instant, Sleep, sleep_until};

use super::Events;
use super::frame::{KEEP_ALIVE, MISSED};

/// The number of unread events that a listener may have.
const UNREAD_MAX: usize = 64;
/// How long a stream may be idle.
const SILENCE_MAX: Duration = Duration::from_secs(15);
/// How long a stream lasts. Browsers reconnect by themselves and are authorized again.
const LIFETIME: Duration = Duration::from_secs(15 * 60);
/// The same where other processes may revoke access.
const LIFETIME_SHARED: Duration = Duration::from_secs(60);

/// The unread events of a listener.
#[derive(Default)]
pub(super) struct Inbox {
    state: Mutex<Unread>,
}

#[derive(Default)]
struct Unread {
    events: VecDeque<Bytes>,
    closed: bool,
    waker: Option<Waker>,
}

impl Inbox {
    /// Adds an event. If the inbox is full, all its events are dropped: with a gap they are
    /// useless, and the listener has to fetch the state again. The caller has to wake the returned
    /// waker. Events after the end are ignored.
    pub(super) fn push(&self, event: Bytes) -> Option<Waker> {
        let mut unread = self.lock();
        if unread.closed {
            return None;
        }
        if unread.events.len() >= UNREAD_MAX {
            unread.events.clear();
            unread.events.push_back(MISSED);
        }
        unread.events.push_back(event);
        unread.waker.take()
    }

    /// Ends the stream. The caller has to wake the returned waker.
    pub(super) fn close(&self) -> Option<Waker> {
        let mut unread = self.lock();
        unread.closed = true;
        unread.waker.take()
    }

    fn lock(&self) -> MutexGuard<'_, Unread> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The events of a topic for one listener, as the text of server-sent events. Created by
/// [`Events::subscribe`]; dropping it unsubscribes.
pub struct EventStream {
    events: Events,
    topic: String,
    inbox: Arc<Inbox>,
    /// Created when the first event is requested, because it contains a timer.
    times: Option<Times>,
}

struct Times {
    ends_at: Instant,
    silence: Pin<Box<Sleep>>,
}

impl EventStream {
    pub(super) fn new(events: Events, topic: String, inbox: Arc<Inbox>) -> Self {
        Self { events, topic, inbox, times: None }
    }

    /// Sends an event with the current state to this listener before all others. Read the state
    /// after the subscription, so that no change is lost in between.
    #[must_use]
    pub fn first(self, name: &str, value: &impl Serialize) -> Self {
        if let Some(event) = self.events.frame(name, value) {
            self.inbox.lock().events.push_front(event);
        }
        self
    }

    /// Returns the next event that is waiting.
    fn unread(&self, context: &Context<'_>) -> Poll<Option<Bytes>> {
        let mut unread = self.inbox.lock();
        match (unread.events.pop_front(), unread.closed) {
            (Some(event), _) => Poll::Ready(Some(event)),
            (None, true) => Poll::Ready(None),
            (None, false) => {
                unread.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Stream for EventStream {
    type Item = Bytes;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let now = Instant::now();
        let found = self.unread(context);
        let lifetime = if self.events.is_shared { LIFETIME_SHARED } else { LIFETIME };
        let times = self.times.get_or_insert_with(|| Times {
            ends_at: now + lifetime,
            silence: Box::pin(sleep_until(now + SILENCE_MAX)),
        });
        let next = match found {
            Poll::Ready(next) => next,
            Poll::Pending if now >= times.ends_at => None,
            Poll::Pending => match times.silence.as_mut().poll(context) {
                Poll::Ready(()) => Some(KEEP_ALIVE),
                Poll::Pending => return Poll::Pending,
            },
        };
        times.silence.as_mut().reset(now + SILENCE_MAX);
        Poll::Ready(next)
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        self.events.leave(&self.topic, &self.inbox);
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use serde_json::json;

    use super::*;

    async fn next(stream: &mut EventStream) -> Option<String> {
        let bytes = poll_fn(|context| Pin::new(&mut *stream).poll_next(context)).await?;
        Some(String::from_utf8(bytes.to_vec()).unwrap())
    }

    #[tokio::test(start_paused = true)]
    async fn each_listener_of_the_topic_hears_each_event_in_order() {
        let events = Events::default();
        let (mut one, mut two) = (events.subscribe("a"), events.subscribe("a"));
        let mut other = events.subscribe("b");
        events.publish("a", "x", &1);
        events.publish("nobody listens", "x", &1);
        events.publish("a", "y", &json!("two\nlines"));
        for stream in [&mut one, &mut two] {
            assert_eq!(next(stream).await.unwrap(), "id: 1\nevent: x\ndata: 1\n\n");
            assert_eq!(next(stream).await.unwrap(), "id: 2\nevent: y\ndata: \"two\\nlines\"\n\n");
        }
        assert_eq!(next(&mut other).await.unwrap(), ": keep-alive\n\n");
    }

    #[tokio::test(start_paused = true)]
    async fn how_things_are_comes_before_what_happened_meanwhile() {
        let events = Events::default();
        let stream = events.subscribe("a");
        events.publish("a", "changed", &1);
        let mut stream = stream.first("state", &0);
        assert!(next(&mut stream).await.unwrap().contains("event: state"));
        assert!(next(&mut stream).await.unwrap().contains("event: changed"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_listener_is_told_that_it_missed_something() {
        let events = Events::default();
        let mut slow = events.subscribe("a");
        for number in 0..1_000 {
            events.publish("a", "n", &number);
        }
        assert!(slow.inbox.lock().events.len() <= UNREAD_MAX);
        assert_eq!(next(&mut slow).await.unwrap(), "event: missed\ndata: {}\n\n");
        // After the gap, nothing is left out.
        let mut last = None;
        while last != Some(999) {
            let frame = next(&mut slow).await.unwrap();
            let data = frame.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
            let number: u32 = data.parse().unwrap();
            assert!(last.is_none_or(|last| last + 1 == number));
            last = Some(number);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_ends_when_its_topic_is_closed_or_its_time_is_over() {
        let events = Events::default();
        let (mut closed, mut old) = (events.subscribe("a"), events.subscribe("b"));
        events.publish("a", "last", &1);
        events.close("a");
        events.publish("a", "too late", &2);
        assert!(next(&mut closed).await.is_some());
        assert_eq!(next(&mut closed).await, None);

        let started = Instant::now();
        while next(&mut old).await.is_some() {}
        assert_eq!(started.elapsed().as_secs(), LIFETIME.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_published_again_unchanged_is_not_sent_twice_where_processes_share_topics() {
        let events = Events::shared();
        let (mut one, started) = (events.subscribe("a"), Instant::now());
        assert_eq!(events.followed(), ["a"]);
        for value in [1, 1, 2, 2, 1] {
            events.publish("a", "x", &value);
        }
        events.publish("a", "y", &1);
        for expected in ["x\ndata: 1", "x\ndata: 2", "x\ndata: 1", "y\ndata: 1"] {
            let frame = next(&mut one).await.unwrap();
            assert!(frame.ends_with(&format!("event: {expected}\n\n")), "{frame}");
        }
        // The authorization is checked again after a minute.
        while next(&mut one).await.is_some() {}
        assert_eq!(started.elapsed().as_secs(), LIFETIME_SHARED.as_secs());
        drop(one);
        assert!(events.followed().is_empty());
        // In one process nothing needs to be published again.
        let events = Events::default();
        let _one = events.subscribe("a");
        assert!(events.followed().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn topics_go_with_their_last_listener() {
        let events = Events::default();
        let (one, two) = (events.subscribe("a"), events.subscribe("a"));
        drop(one);
        assert_eq!(events.topics(), 1);
        events.close("a");
        drop(two);
        assert_eq!(events.topics(), 0);
    }

    #[tokio::test]
    async fn an_event_wakes_who_waits_for_it() {
        let events = Events::default();
        let mut stream = events.subscribe("a");
        let waiting = tokio::spawn(async move { next(&mut stream).await });
        tokio::task::yield_now().await;
        events.publish("a", "x", &1);
        assert!(waiting.await.unwrap().unwrap().contains("event: x"));
    }
}
