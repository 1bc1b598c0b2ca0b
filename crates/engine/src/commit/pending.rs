//! A result that is on its way: a future, and something a thread can wait for.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::error::{Error, Result};

/// The result of a write that is on its way.
///
/// Await it in async code, or [`wait`](Self::wait) in a thread. Dropping it does not stop the write.
#[derive(Debug)]
#[must_use = "the write happens, but whether it succeeded is only known here"]
pub struct Pending<T>(Arc<Slot<T>>);

#[derive(Debug)]
struct Slot<T> {
    state: Mutex<State<T>>,
    filled: Condvar,
}

#[derive(Debug)]
struct State<T> {
    result: Option<Result<T>>,
    waker: Option<Waker>,
}

impl<T> Slot<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The other end: fills the slot exactly once, also when it is dropped unfilled.
pub(crate) struct Filler<T>(Option<Arc<Slot<T>>>);

/// A slot and its filler.
pub(crate) fn pending<T>() -> (Filler<T>, Pending<T>) {
    let slot = Arc::new(Slot {
        state: Mutex::new(State { result: None, waker: None }),
        filled: Condvar::new(),
    });
    (Filler(Some(Arc::clone(&slot))), Pending(slot))
}

impl<T> Filler<T> {
    pub(crate) fn fill(mut self, result: Result<T>) {
        self.fill_once(result);
    }

    fn fill_once(&mut self, result: Result<T>) {
        if let Some(slot) = self.0.take() {
            let mut state = slot.lock();
            state.result = Some(result);
            let waker = state.waker.take();
            drop(state);
            slot.filled.notify_one();
            if let Some(waker) = waker {
                waker.wake();
            }
        }
    }
}

impl<T> Drop for Filler<T> {
    fn drop(&mut self) {
        self.fill_once(Err(Error::Poisoned("the committer stopped".to_owned())));
    }
}

impl<T> Pending<T> {
    /// A result that is there already.
    pub(crate) fn ready(result: Result<T>) -> Self {
        let (filler, pending) = pending();
        filler.fill(result);
        pending
    }

    /// Blocks the thread until the write is acknowledged or has failed.
    pub fn wait(self) -> Result<T> {
        let mut state = self.0.lock();
        loop {
            if let Some(result) = state.result.take() {
                return result;
            }
            state = self.0.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<T> Future for Pending<T> {
    type Output = Result<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.0.lock();
        match state.result.take() {
            Some(result) => Poll::Ready(result),
            None => {
                state.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}
