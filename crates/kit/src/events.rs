//! Topics in this process, read as server-sent events by those who listen right now.
//!
//! Nothing is kept for those who come later, and nobody is waited for: a listener that is too slow
//! loses what it has not read, and gets an event that says so. Nothing here knows what the topics are about.
//!
//! Where several processes work on the same tables, each of them publishes again, every second, how the topics stand
//! that its own listeners follow ([`Events::followed`]): an event of another process is then seen here, too. What
//! listeners have seen already is not sent twice.

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
    /// Whether other processes change what the topics are about.
    is_shared: bool,
}

#[derive(Default)]
struct Topics {
    by_name: HashMap<String, Topic>,
    /// The number of the last event, of all topics.
    last_id: u64,
}

/// A topic that somebody listens to.
#[derive(Default)]
struct Topic {
    listeners: Vec<Weak<Inbox>>,
    /// The name and the data of the last event, where they must not be repeated.
    last: Option<(String, String)>,
}

impl Events {
    /// Topics of things that other processes change, too. An event that is the same as the last of its topic is not
    /// sent again, and streams last a minute: browsers connect again by themselves, and are asked again whether
    /// they may, for a process does not see what another one has forbidden.
    pub fn shared() -> Self {
        Self { is_shared: true, ..Self::default() }
    }

    /// Lists the topics that somebody listens to, if other processes change what they are about: each of them
    /// is to be published again as it stands.
    pub fn followed(&self) -> Vec<String> {
        if self.is_shared { self.lock().by_name.keys().cloned().collect() } else { Vec::new() }
    }

    /// Sends an event to everybody who listens to a topic. The name and the value are what a browser calls the
    /// type and the data of an event.
    pub fn publish(&self, topic: &str, name: &str, value: &impl Serialize) {
        let mut topics = self.lock();
        let Some(known) = topics.by_name.get_mut(topic) else { return };
        // A value that has no form in JSON is no event.
        let Ok(data) = serde_json::to_string(value) else { return };
        if self.is_shared {
            let event = Some((name.to_owned(), data.clone()));
            if known.last == event {
                return;
            }
            known.last = event;
        }
        let event = topics.next(name, &data);
        // Under the lock, so that all listeners have the events in the order of their ids; they wake
        // behind it, because a listener may leave when it wakes.
        let listeners = topics.inboxes(topic);
        let wakers: Vec<Waker> =
            listeners.iter().filter_map(|inbox| inbox.push(event.clone())).collect();
        drop(topics);
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Listens to a topic from now on.
    pub fn subscribe(&self, topic: &str) -> EventStream {
        let inbox = Arc::new(Inbox::default());
        let mut topics = self.lock();
        let listeners = &mut topics.by_name.entry(topic.to_owned()).or_default().listeners;
        listeners.push(Arc::downgrade(&inbox));
        EventStream::new(self.clone(), topic.to_owned(), inbox)
    }

    /// Ends the streams of everybody who listens to a topic, behind what they have not read yet: when
    /// there is nothing more to come, or they may not listen any more.
    pub fn close(&self, topic: &str) {
        let inboxes = self.lock().inboxes(topic);
        inboxes.iter().filter_map(|inbox| inbox.close()).for_each(Waker::wake);
    }

    /// Ends the streams of everybody who listens to a topic that begins with a text.
    pub fn close_all(&self, prefix: &str) {
        let topics: Vec<String> = self.lock().by_name.keys().cloned().collect();
        topics.iter().filter(|topic| topic.starts_with(prefix)).for_each(|topic| self.close(topic));
    }

    /// How many topics somebody listens to.
    pub fn topics(&self) -> usize {
        self.lock().by_name.len()
    }

    /// An event that is for one listener only.
    fn frame(&self, name: &str, value: &impl Serialize) -> Option<Bytes> {
        let data = serde_json::to_string(value).ok()?;
        Some(self.lock().next(name, &data))
    }

    /// Forgets a listener that is gone, and the topic with the last of them.
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
    /// The next event as text.
    fn next(&mut self, name: &str, data: &str) -> Bytes {
        self.last_id += 1;
        frame::event(self.last_id, name, data)
    }

    fn inboxes(&self, topic: &str) -> Vec<Arc<Inbox>> {
        let known = self.by_name.get(topic);
        known.into_iter().flat_map(|it| &it.listeners).filter_map(Weak::upgrade).collect()
    }
}

/// Declares the response of an operation that reports something as server-sent events: 200, and what the events are.
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
