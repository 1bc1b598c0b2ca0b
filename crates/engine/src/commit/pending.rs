//! The result of a write in progress: a future, which a thread can also wait for.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::error::{Error, Result};

/// The result of a write in progress.
///
/// Await it in async code, or [`wait`](Self::wait) in a thread. Dropping it does not stop the write.
#[derive(Debug)]
#[must_use = "the write happens, but whether it succeeded is only known here"]
pub struct Pending<T>(Form<T>);

/// In memory a write is done when the call returns; only on disk there is something to wait for.
#[derive(Debug)]
enum Form<T> {
    Done(Option<Result<T>>),
    OnItsWay(Arc<Slot<T>>),
}

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

/// The other end: fills the slot exactly once, even if it is dropped unfilled.
pub(crate) struct Filler<T>(Option<Arc<Slot<T>>>);

/// Returns a slot and its filler.
pub(crate) fn pending<T>() -> (Filler<T>, Pending<T>) {
    let slot = Arc::new(Slot {
        state: Mutex::new(State { result: None, waker: None }),
        filled: Condvar::new(),
    });
    (Filler(Some(Arc::clone(&slot))), Pending(Form::OnItsWay(slot)))
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
    /// Creates a result that is already known.
    pub(crate) fn ready(result: Result<T>) -> Self {
        Self(Form::Done(Some(result)))
    }

    /// Returns the result if it is known, as it always is in memory; otherwise the pending one.
    ///
    /// # Errors
    /// Returns the pending write as the error.
    pub fn now(self) -> std::result::Result<Result<T>, Self> {
        match self.0 {
            Form::Done(Some(result)) => Ok(result),
            form => Err(Self(form)),
        }
    }

    /// Blocks the thread until the write is acknowledged or has failed.
    pub fn wait(self) -> Result<T> {
        let slot = match self.0 {
            Form::Done(Some(result)) => return result,
            Form::Done(None) => unreachable!("a write is waited for once"),
            Form::OnItsWay(slot) => slot,
        };
        let mut state = slot.lock();
        loop {
            if let Some(result) = state.result.take() {
                return result;
            }
            state = slot.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

// Nothing inside is pinned in place: a result is only ever moved out.
impl<T> Unpin for Pending<T> {}

impl<T> Future for Pending<T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let slot = match &mut self.0 {
            Form::Done(result) => match result.take() {
                Some(result) => return Poll::Ready(result),
                None => unreachable!("a write is awaited once"),
            },
            Form::OnItsWay(slot) => slot,
        };
        let mut state = slot.lock();
        match state.result.take() {
            Some(result) => Poll::Ready(result),
            None => {
                state.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}
