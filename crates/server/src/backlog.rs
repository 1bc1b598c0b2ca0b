//! The memory of responses that clients have not read yet, and the requests that wait for it.

use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Mutex, Notify};

/// A large response: 16 MiB of items, which is the maximum of AWS, as JSON.
const RESPONSE_BYTES_MAX: usize = 24 * 1024 * 1024;

/// How large a response can become; its size is unknown before it is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResponseSize {
    /// About an item.
    Item,
    /// Many items.
    Page,
}

/// The unread responses of all workers. A response is held until its last byte is sent, so it
/// counts fully until then.
#[derive(Debug)]
pub(crate) struct Backlog {
    bytes: AtomicUsize,
    bytes_max: usize,
    /// The bound plus one response per worker, which each may have started before the others were
    /// known.
    bytes_end: usize,
    came_free: Notify,
    /// Waiting requests are served in order.
    items: Mutex<()>,
    pages: Mutex<()>,
}

/// An unread response, counted until it is dropped.
#[derive(Debug)]
pub(crate) struct Unread<'a> {
    backlog: &'a Backlog,
    bytes: usize,
}

impl Backlog {
    pub(crate) fn new(bytes_max: usize, workers: usize) -> Self {
        Self {
            bytes: AtomicUsize::new(0),
            bytes_max,
            bytes_end: bytes_max.saturating_add(workers.saturating_mul(RESPONSE_BYTES_MAX)),
            came_free: Notify::new(),
            items: Mutex::new(()),
            pages: Mutex::new(()),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes() == 0
    }

    /// Returns whether slow readers must be cut off.
    pub(crate) fn is_full(&self) -> bool {
        !self.has_room(ResponseSize::Page)
    }

    /// Waits until a response may be created.
    pub(crate) async fn room(&self, size: ResponseSize) {
        let turn = match size {
            ResponseSize::Item => &self.items,
            ResponseSize::Page => &self.pages,
        };
        let _turn = turn.lock().await;
        loop {
            let mut came_free = pin!(self.came_free.notified());
            // From here on no released memory is missed.
            came_free.as_mut().enable();
            if self.has_room(size) {
                return;
            }
            came_free.await;
        }
    }

    /// Counts a response. Returns `None` if there is far too much already: many writes that return
    /// items may start before any of them has been answered.
    pub(crate) fn add(&self, bytes: usize) -> Option<Unread<'_>> {
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let unread = Unread { backlog: self, bytes };
        (before < self.bytes_end).then_some(unread)
    }

    /// Pages leave half of the memory to items: few large responses must not block the many small
    /// ones. When nothing is unread, any response is admitted, however large it becomes.
    fn has_room(&self, size: ResponseSize) -> bool {
        let bytes = self.bytes();
        let bytes_max = match size {
            ResponseSize::Item => self.bytes_max,
            ResponseSize::Page => self.bytes_max / 2,
        };
        bytes == 0 || bytes < bytes_max
    }

    fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }
}

impl Drop for Unread<'_> {
    fn drop(&mut self) {
        self.backlog.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
        self.backlog.came_free.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::task::{Context, Waker};

    use super::ResponseSize::{Item, Page};
    use super::*;

    #[test]
    fn pages_leave_a_half_to_items() {
        let backlog = Backlog::new(100, 1);
        let first = backlog.add(50).unwrap();
        assert_eq!((backlog.has_room(Page), backlog.has_room(Item)), (false, true));
        let second = backlog.add(50).unwrap();
        assert_eq!((backlog.has_room(Page), backlog.has_room(Item)), (false, false));
        drop(first);
        assert!(backlog.is_full());
        drop(second);
        assert!(backlog.is_empty() && !backlog.is_full());
    }

    #[test]
    fn a_response_is_let_in_whatever_its_size_until_there_is_far_too_much() {
        let backlog = Backlog::new(0, 2);
        let alone = backlog.add(2 * RESPONSE_BYTES_MAX).unwrap();
        assert!(backlog.add(1).is_none());
        drop(alone);
        assert!(backlog.is_empty());
        let _first = backlog.add(2 * RESPONSE_BYTES_MAX - 1).unwrap();
        let _second = backlog.add(1_000).unwrap();
        assert!(backlog.add(1).is_none());
        assert_eq!(backlog.bytes(), 2 * RESPONSE_BYTES_MAX + 999);
    }

    #[test]
    fn who_waits_comes_in_one_behind_the_other() {
        let backlog = Backlog::new(100, 1);
        let mut context = Context::from_waker(Waker::noop());
        let large = backlog.add(100).unwrap();
        let mut first = Box::pin(backlog.room(Page));
        let mut second = Box::pin(backlog.room(Page));
        assert!(first.as_mut().poll(&mut context).is_pending());
        assert!(second.as_mut().poll(&mut context).is_pending());
        drop(large);
        assert!(second.as_mut().poll(&mut context).is_pending(), "the first was there before");
        assert!(first.as_mut().poll(&mut context).is_ready());
        let _again = backlog.add(100).unwrap();
        assert!(second.as_mut().poll(&mut context).is_pending());
    }
}
