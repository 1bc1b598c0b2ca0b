//! The connections of one worker: which of them wait for a request, and how they are told to leave.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::task::Waker;
use std::time::Duration;

use tokio::time::Instant;

/// Who asked for something so recently is about to ask again.
const IDLE_TIME_MIN: Duration = Duration::from_secs(1);

/// The place of one connection.
#[derive(Debug, Default)]
pub(crate) struct Place {
    /// Since when it waits for a request.
    idle_since: Cell<Option<Instant>>,
    must_leave: Cell<bool>,
    /// How to reach it while it waits.
    waker: RefCell<Option<Waker>>,
}

impl Place {
    /// The connection waits for a request from now on.
    pub(crate) fn set_idle(&self, since: Instant) {
        self.idle_since.set(Some(since));
    }

    /// The connection has a request; nobody wants it to leave any more.
    pub(crate) fn set_busy(&self) {
        self.idle_since.set(None);
        self.must_leave.set(false);
    }

    pub(crate) fn must_leave(&self) -> bool {
        self.must_leave.get()
    }

    /// Notes whom to wake; it is nearly always the same.
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

/// The places of a worker.
#[derive(Debug, Default)]
pub(crate) struct Places {
    taken: RefCell<HashMap<u64, Rc<Place>>>,
    id_next: Cell<u64>,
}

impl Places {
    /// A new place, and the id to give it back with.
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

    /// Since when the longest idle connection waits, unless it was used just now. One that was told to
    /// leave counts until it has left, so that it is not taken for a place that others must free.
    pub(crate) fn longest_idle_since(&self, now: Instant) -> Option<Instant> {
        self.longest_idle(now).map(|(since, _)| since)
    }

    /// Tells the longest idle connection to leave.
    pub(crate) fn free_one(&self, now: Instant) {
        if let Some((_, place)) = self.longest_idle(now) {
            place.must_leave.set(true);
            place.wake();
        }
    }

    /// Lets every connection that waits look at what has changed.
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
        // Asking twice for a place frees one.
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
