//! The connections of one worker: which of them are idle, and how they are asked to close.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::task::Waker;
use std::time::Duration;

use tokio::time::Instant;

/// A client whose last request is this recent will probably send another one.
const IDLE_TIME_MIN: Duration = Duration::from_secs(1);

/// The state of one connection.
#[derive(Debug, Default)]
pub(crate) struct Place {
    /// Since when it has been idle.
    idle_since: Cell<Option<Instant>>,
    must_leave: Cell<bool>,
    /// How to wake it while it is idle.
    waker: RefCell<Option<Waker>>,
}

impl Place {
    /// Marks the connection as idle.
    pub(crate) fn set_idle(&self, since: Instant) {
        self.idle_since.set(Some(since));
    }

    /// Marks the connection as busy; it is not asked to close any more.
    pub(crate) fn set_busy(&self) {
        self.idle_since.set(None);
        self.must_leave.set(false);
    }

    pub(crate) fn must_leave(&self) -> bool {
        self.must_leave.get()
    }

    /// Stores the waker; it is nearly always the same.
    pub(crate) fn register(&self, waker: &Waker) {
        let mut known = self.waker.borrow_mut();
        if !known.as_ref().is_some_and(|known| known.will_wake(waker)) {
            *known = Some(waker.clone());
        }
    }

    fn wake(&self) {
        if let Some(waker) = &*self.waker.borrow() {
            waker.wake_by_ref();
        }
    }
}

/// The connections of a worker.
#[derive(Debug, Default)]
pub(crate) struct Places {
    taken: RefCell<HashMap<u64, Rc<Place>>>,
    id_next: Cell<u64>,
}

impl Places {
    /// Adds a connection; returns its state and the id to remove it.
    pub(crate) fn take(&self) -> (u64, Rc<Place>) {
        let id = self.id_next.get();
        self.id_next.set(id + 1);
        let place = Rc::new(Place::default());
        self.taken.borrow_mut().insert(id, Rc::clone(&place));
        (id, place)
    }

    pub(crate) fn give_back(&self, id: u64) {
        self.taken.borrow_mut().remove(&id);
    }

    /// Returns since when the longest idle connection has been idle, unless it was used just now.
    /// One that was asked to close counts until it has closed, so that no other one is closed
    /// instead.
    pub(crate) fn longest_idle_since(&self, now: Instant) -> Option<Instant> {
        self.longest_idle(now).map(|(since, _)| since)
    }

    /// Asks the longest idle connection to close.
    pub(crate) fn free_one(&self, now: Instant) {
        if let Some((_, place)) = self.longest_idle(now) {
            place.must_leave.set(true);
            place.wake();
        }
    }

    /// Wakes every idle connection.
    pub(crate) fn wake_all(&self) {
        for place in self.taken.borrow().values() {
            place.wake();
        }
    }

    fn longest_idle(&self, now: Instant) -> Option<(Instant, Rc<Place>)> {
        let taken = self.taken.borrow();
        let idle = taken.values().filter_map(|place| Some((place.idle_since.get()?, place)));
        let (since, place) = idle.min_by_key(|(since, _)| *since)?;
        (now.saturating_duration_since(since) >= IDLE_TIME_MIN).then(|| (since, Rc::clone(place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_idle_leaves_first_and_nobody_who_is_busy() {
        let places = Places::default();
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let all: Vec<_> = (0..4).map(|_| places.take()).collect();
        for ((_, place), seconds) in all.iter().zip([3, 1, 2, 0]) {
            place.set_idle(at(seconds));
        }
        all[3].1.set_busy();
        assert_eq!(places.longest_idle_since(at(1)), None);
        assert_eq!(places.longest_idle_since(at(2)), Some(at(1)));
        // Two calls close one connection.
        places.free_one(at(9));
        places.free_one(at(9));
        let leave = all.iter().map(|(_, place)| place.must_leave());
        assert_eq!(leave.collect::<Vec<_>>(), [false, true, false, false]);
        places.give_back(all[1].0);
        assert_eq!(places.longest_idle_since(at(9)), Some(at(2)));
    }

    #[test]
    fn who_gets_a_request_stays() {
        let places = Places::default();
        let now = Instant::now();
        let (_, place) = places.take();
        place.set_idle(now);
        places.free_one(now + IDLE_TIME_MIN);
        assert!(place.must_leave());
        place.set_busy();
        assert!(!place.must_leave());
    }
}
