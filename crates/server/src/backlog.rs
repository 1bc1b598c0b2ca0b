//! How much of their responses the clients of one worker have not taken yet.

use std::cell::Cell;

/// The bytes that wait to be read, of all connections of a worker.
#[derive(Debug, Default)]
pub(crate) struct Backlog {
    bytes: Cell<usize>,
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
}

impl Unread<'_> {
    /// The client took so much more.
    pub(crate) fn take(&mut self, bytes: usize) {
        self.bytes -= bytes;
        self.backlog.bytes.set(self.backlog.bytes.get() - bytes);
    }
}

impl Drop for Unread<'_> {
    fn drop(&mut self) {
        self.take(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_or_given_up_counts_no_longer() {
        let backlog = Backlog::default();
        let mut first = backlog.add(70);
        let second = backlog.add(50);
        first.take(40);
        assert_eq!(backlog.bytes(), 80);
        drop(second);
        assert_eq!(backlog.bytes(), 30);
        drop(first);
        assert_eq!(backlog.bytes(), 0);
    }
}
