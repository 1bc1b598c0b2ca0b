//! Topics in this process, read as server-sent events by those who listen right now.
//!
//! Nothing is kept for those who come later, and nobody is waited for: a listener that is too slow
//! loses what it has not read, and gets an event that says so. Nothing here knows what the topics are about.

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
    shared: Arc<Mutex<Topics>>,
}

#[derive(Default)]
struct Topics {
    listeners: HashMap<String, Vec<Weak<Inbox>>>,
    /// The number of the last event, of all topics.
    last_id: u64,
}

impl Events {
    /// Tells everybody who listens to a topic. The name and the value are what a browser calls the
    /// type and the data of an event.
    pub fn publish(&self, topic: &str, name: &str, value: &impl Serialize) {
        let mut topics = self.lock();
        if !topics.listeners.contains_key(topic) {
            return;
        }
        let Some(event) = topics.frame(name, value) else { return };
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
        let listeners = topics.listeners.entry(topic.to_owned()).or_default();
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
        let topics: Vec<String> = self.lock().listeners.keys().cloned().collect();
        topics.iter().filter(|topic| topic.starts_with(prefix)).for_each(|topic| self.close(topic));
    }

    /// How many topics somebody listens to.
    pub fn topics(&self) -> usize {
        self.lock().listeners.len()
    }

    /// An event that is for one listener only.
    fn frame(&self, name: &str, value: &impl Serialize) -> Option<Bytes> {
        self.lock().frame(name, value)
    }

    /// Forgets a listener that is gone, and the topic with the last of them.
    fn leave(&self, topic: &str, inbox: &Arc<Inbox>) {
        let mut topics = self.lock();
        if let Some(listeners) = topics.listeners.get_mut(topic) {
            listeners.retain(|listener| !std::ptr::eq(listener.as_ptr(), Arc::as_ptr(inbox)));
            if listeners.is_empty() {
                topics.listeners.remove(topic);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Topics> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Topics {
    /// The next event as text; `None` for a value that has no form in JSON.
    fn frame(&mut self, name: &str, value: &impl Serialize) -> Option<Bytes> {
        let data = serde_json::to_string(value).ok()?;
        self.last_id += 1;
        Some(frame::event(self.last_id, name, &data))
    }

    fn inboxes(&self, topic: &str) -> Vec<Arc<Inbox>> {
        let listeners = self.listeners.get(topic).into_iter().flatten();
        listeners.filter_map(Weak::upgrade).collect()
    }
}
