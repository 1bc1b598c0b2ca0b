//! How much of their responses the clients of one worker have not taken yet.

use std::cell::Cell;

use tokio::sync::Notify;

/// The bytes that wait to be read, of all connections of a worker.
#[derive(Debug, Default)]
pub(crate) struct Backlog {
    bytes: Cell<usize>,
    shrunk: Notify,
}

/// A response that waits to be read, counted until it is dropped.
#[derive(Debug)]
pub(crate) struct Unread<'a> {
    backlog: &'a Backlog,
    bytes: usize,
}

impl Backlog {
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.get()
    }

    /// Counts a response of which so much is left.
    pub(crate) fn add(&self, bytes: usize) -> Unread<'_> {
        self.bytes.set(self.bytes.get() + bytes);
        Unread { backlog: self, bytes }
    }

    /// Waits until less than this is left.
    pub(crate) async fn wait_below(&self, bytes_max: usize) {
        while self.bytes.get() >= bytes_max {
            self.shrunk.notified().await;
        }
    }
}

impl Unread<'_> {
    /// The client took so much more.
    pub(crate) fn take(&mut self, bytes: usize) {
        self.bytes -= bytes;
        self.backlog.bytes.set(self.backlog.bytes.get() - bytes);
        self.backlog.shrunk.notify_waiters();
    }
}

impl Drop for Unread<'_> {
    fn drop(&mut self) {
        self.take(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Waker};

    use super::*;

    #[test]
    fn whoever_waits_goes_on_when_enough_was_read() {
        let backlog = Backlog::default();
        let mut first = backlog.add(70);
        let second = backlog.add(50);
        let mut context = Context::from_waker(Waker::noop());
        let mut wait = pin!(backlog.wait_below(60));
        assert!(wait.as_mut().poll(&mut context).is_pending());
        first.take(40);
        assert_eq!(backlog.bytes(), 80);
        assert!(wait.as_mut().poll(&mut context).is_pending());
        drop(second);
        assert!(wait.as_mut().poll(&mut context).is_ready());
        drop(first);
        assert_eq!(backlog.bytes(), 0);
    }
}
