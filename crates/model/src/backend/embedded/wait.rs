//! Waits without a runtime.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;

use crate::backend::Reply;

/// A wait, shared by the waiting task and the thread that ends it.
#[derive(Default)]
struct Wait {
    is_over: bool,
    waker: Option<Waker>,
}

/// Waits for this long. Only fault modes make callers wait, so a thread per wait is affordable; if
/// no thread can be started, the wait ends at once.
pub(super) fn wait(duration: Duration) -> Reply<()> {
    let wait = Arc::new(Mutex::new(Wait::default()));
    let ended = Arc::clone(&wait);
    let end = move || {
        thread::sleep(duration);
        let mut wait = ended.lock().unwrap_or_else(PoisonError::into_inner);
        wait.is_over = true;
        if let Some(waker) = wait.waker.take() {
            waker.wake();
        }
    };
    if thread::Builder::new().spawn(end).is_err() {
        return Reply::ready(Ok(()));
    }
    Reply::pending(poll_fn(move |context| {
        let mut wait = wait.lock().unwrap_or_else(PoisonError::into_inner);
        if wait.is_over {
            return Poll::Ready(Ok(()));
        }
        wait.waker = Some(context.waker().clone());
        Poll::Pending
    }))
}

/// Lets other tasks run first.
pub(super) fn yield_now() -> Reply<()> {
    let mut has_given_way = false;
    Reply::pending(poll_fn(move |context| {
        if std::mem::replace(&mut has_given_way, true) {
            return Poll::Ready(Ok(()));
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }))
}
