//! Topics in this process, which clients follow as server-sent events.
//!
//! Events are not kept for later subscribers, and publishers don't wait: a slow listener loses the
//! events that it has not read, and gets an event that reports it. This module does not know what
//! the topics are about.
//!
//! If several processes work on the same tables, each publishes the current state of the topics
//! that its own listeners follow ([`Events::followed`]) every second, so that changes of other
//! processes appear here, too. Listeners don't get the same state twice.

mod frame;
mod open;
mod stream;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::Waker;

use bytes::Bytes;
use serde::Serialize;

pub(crate) use open::{OpenStreams, ProofEnd};
pub use stream::EventStream;

use self::stream::Inbox;

/// Topics and their listeners. Clones are handles to the same ones.
///
/// ```
/// use monotable_kit::Events;
///
/// let events = Events::default();
/// let listener = events.subscribe("game-1");
/// events.publish("game-1", "score", &serde_json::json!({ "us": 3 }));
/// drop(listener);
/// assert_eq!(events.topics(), 0);
/// ```
#[derive(Clone, Default)]
pub struct Events {
    topics: Arc<Mutex<Topics>>,
    /// Whether other processes change the subjects of topics.
    is_shared: bool,
}

#[derive(Default)]
struct Topics {
    by_name: HashMap<String, Topic>,
    /// The number of the last event, of all topics.
    last_id: u64,
}

/// A topic with listeners.
#[derive(Default)]
struct Topic {
    listeners: Vec<Weak<Inbox>>,
    /// The name and the data of the last event, where they must not be repeated.
    last: Option<(String, String)>,
}

impl Events {
    /// Creates topics whose subjects are changed by other processes, too. An event that equals the
    /// last one of its topic is not sent again. Streams last a minute: browsers reconnect by
    /// themselves and are authorized again, because a process does not see what another one has
    /// revoked.
    pub fn shared() -> Self {
        Self { is_shared: true, ..Self::default() }
    }

    /// Lists the topics with listeners whose subjects other processes change. The caller publishes
    /// the current state of each again.
    pub fn followed(&self) -> Vec<String> {
        if self.is_shared { self.lock().by_name.keys().cloned().collect() } else { Vec::new() }
    }

    /// Sends an event to all listeners of a topic. The name and the value become the type and the
    /// data of the event in a browser.
    pub fn publish(&self, topic: &str, name: &str, value: &impl Serialize) {
        let mut topics = self.lock();
        let Some(known) = topics.by_name.get_mut(topic) else { return };
        // A value without a JSON form is not sent.
        let Ok(data) = serde_json::to_string(value) else { return };
        if self.is_shared {
            let event = Some((name.to_owned(), data.clone()));
            if known.last == event {
                return;
            }
            known.last = event;
        }
        let event = topics.next(name, &data);
        // All listeners get the events in the order of their ids because of the lock. They wake
        // after it is released, because a listener may leave when it wakes.
        let listeners = topics.inboxes(topic);
        let wakers: Vec<Waker> =
            listeners.iter().filter_map(|inbox| inbox.push(event.clone())).collect();
        drop(topics);
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Subscribes to a topic from now on.
    pub fn subscribe(&self, topic: &str) -> EventStream {
        let inbox = Arc::new(Inbox::default());
        let mut topics = self.lock();
        let listeners = &mut topics.by_name.entry(topic.to_owned()).or_default().listeners;
        listeners.push(Arc::downgrade(&inbox));
        EventStream::new(self.clone(), topic.to_owned(), inbox)
    }

    /// Ends the streams of all listeners of a topic, after the events that they have not read yet:
    /// when no more events will come, or when listeners are no longer authorized.
    pub fn close(&self, topic: &str) {
        let inboxes = self.lock().inboxes(topic);
        inboxes.iter().filter_map(|inbox| inbox.close()).for_each(Waker::wake);
    }

    /// Ends the streams of all listeners of topics with a prefix.
    pub fn close_all(&self, prefix: &str) {
        let topics: Vec<String> = self.lock().by_name.keys().cloned().collect();
        topics.iter().filter(|topic| topic.starts_with(prefix)).for_each(|topic| self.close(topic));
    }

    /// Returns the number of topics with listeners.
    pub fn topics(&self) -> usize {
        self.lock().by_name.len()
    }

    /// Returns an event for one listener only.
    fn frame(&self, name: &str, value: &impl Serialize) -> Option<Bytes> {
        let data = serde_json::to_string(value).ok()?;
        Some(self.lock().next(name, &data))
    }

    /// Removes a listener, and the topic with its last listener.
    fn leave(&self, topic: &str, inbox: &Arc<Inbox>) {
        let mut topics = self.lock();
        if let Some(known) = topics.by_name.get_mut(topic) {
            known.listeners.retain(|listener| !std::ptr::eq(listener.as_ptr(), Arc::as_ptr(inbox)));
            if known.listeners.is_empty() {
                topics.by_name.remove(topic);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Topics> {
        self.topics.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Topics {
    /// Returns the next event as text.
    fn next(&mut self, name: &str, data: &str) -> Bytes {
        self.last_id += 1;
        frame::event(self.last_id, name, data)
    }

    fn inboxes(&self, topic: &str) -> Vec<Arc<Inbox>> {
        let known = self.by_name.get(topic);
        known.into_iter().flat_map(|it| &it.listeners).filter_map(Weak::upgrade).collect()
    }
}

/// Declares the response of an operation that sends server-sent events: 200, and what the events
/// are.
///
/// ```
/// monotable_kit::event_stream!(
///     /// 200 with the figures as events.
///     Figures,
///     "Events named `figures`, now and after changes."
/// );
///
/// let stream = monotable_kit::Events::default().subscribe("figures");
/// let reply = monotable_kit::Response::into_reply(Figures(stream));
/// assert_eq!(reply.status, 200);
/// ```
#[macro_export]
macro_rules! event_stream {
    ($(#[$about:meta])* $Stream:ident, $meaning:literal) => {
        $(#[$about])*
        pub(crate) struct $Stream(pub(crate) $crate::EventStream);

        impl $crate::Response for $Stream {
            const MEDIA_TYPES: &'static [&'static str] = &["text/event-stream"];

            fn describe() -> $crate::Answered {
                $crate::Answered { status: 200, meaning: $meaning, example: None, schema: None }
            }

            fn into_reply(self) -> $crate::Reply {
                $crate::Reply::new(200, $crate::ReplyBody::Events(Box::pin(self.0)))
            }
        }
    };
}
