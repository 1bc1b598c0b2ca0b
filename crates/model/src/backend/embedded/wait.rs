//! Waiting without a runtime.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;

use crate::backend::Reply;

/// A wait, shared by the one who waits and the thread that ends it.
#[derive(Default)]
struct Wait {
    is_over: bool,
    waker: Option<Waker>,
}

/// Waits for so long. Only a fault mode makes callers wait, so that a thread for each is affordable; where
/// there is none to be had, nobody waits.
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

/// Lets others go on first.
pub(super) fn give_way() -> Reply<()> {
    let mut has_given_way = false;
    Reply::pending(poll_fn(move |context| {
        if std::mem::replace(&mut has_given_way, true) {
            return Poll::Ready(Ok(()));
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }))
}
