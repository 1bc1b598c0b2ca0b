//! The memory for large bodies, which is allocated as they arrive.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

use crate::limits::Limits;

/// The shared state of all bodies. Bodies that each hold a part and wait for the rest would wait
/// for each other forever; so when the common memory is used up, one of them at a time may
/// complete, for which the memory of one whole body is reserved.
#[derive(Debug)]
pub(crate) struct BodyMemory {
    /// One permit per byte.
    common: Arc<Semaphore>,
    /// The right to complete without a permit for each byte.
    way_out: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// The memory of one body, returned when it is dropped.
#[derive(Debug, Default)]
pub(crate) struct BodyShare {
    common: Option<OwnedSemaphorePermit>,
    way_out: Option<OwnedSemaphorePermit>,
}

impl BodyShare {
    pub(crate) fn is_empty(&self) -> bool {
        self.common.is_none() && self.way_out.is_none()
    }

    fn add(&mut self, permit: OwnedSemaphorePermit) {
        match &mut self.common {
            Some(common) => common.merge(permit),
            none => *none = Some(permit),
        }
    }
}

impl BodyMemory {
    pub(crate) fn new(limits: &Limits) -> Self {
        let common = limits.bodies_bytes_max.saturating_sub(limits.body_bytes_max);
        Self {
            common: Arc::new(Semaphore::new(common.min(Semaphore::MAX_PERMITS))),
            way_out: Arc::new(Semaphore::new(1)),
            waiting: AtomicUsize::new(0),
        }
    }

    /// Returns whether a body is waiting for memory: then slow senders must be cut off.
    pub(crate) fn is_wanted(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Waits until a body may use this much more memory.
    pub(crate) async fn grow(&self, share: &mut BodyShare, bytes: usize) {
        if share.way_out.is_some() {
            return;
        }
        let permits = u32::try_from(bytes).unwrap_or(u32::MAX);
        if let Ok(permit) = Arc::clone(&self.common).try_acquire_many_owned(permits) {
            return share.add(permit);
        }
        let _waiting = Waiting::new(&self.waiting);
        tokio::select! {
            biased;
            permit = Arc::clone(&self.common).acquire_many_owned(permits) => {
                share.add(never_closed(permit));
            }
            permit = Arc::clone(&self.way_out).acquire_owned() => {
                share.way_out = Some(never_closed(permit));
            }
        }
    }
}

fn never_closed(permit: Result<OwnedSemaphorePermit, AcquireError>) -> OwnedSemaphorePermit {
    match permit {
        Ok(permit) => permit,
        Err(_) => unreachable!("the semaphores are never closed"),
    }
}

/// A waiting body, counted until it is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::task::{Context, Waker};

    use super::*;

    fn memory(bodies_bytes_max: usize) -> BodyMemory {
        let limits = Limits { bodies_bytes_max, body_bytes_max: 100, ..Limits::default() };
        BodyMemory::new(&limits)
    }

    /// Returns whether the body gets the memory at once.
    fn grows(memory: &BodyMemory, share: &mut BodyShare, bytes: usize) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        Box::pin(memory.grow(share, bytes)).as_mut().poll(&mut context).is_ready()
    }

    #[test]
    fn one_body_goes_on_when_the_common_memory_is_used_up() {
        let memory = memory(180);
        let (mut first, mut second) = (BodyShare::default(), BodyShare::default());
        assert!(grows(&memory, &mut first, 40) && grows(&memory, &mut second, 40));
        assert!(grows(&memory, &mut first, 40));
        assert!(grows(&memory, &mut first, 20));
        assert!(!grows(&memory, &mut second, 1));
        drop(first);
        assert!(grows(&memory, &mut second, 40));
        assert!(second.way_out.is_none());
    }

    #[test]
    fn those_who_wait_are_known_until_they_give_up() {
        let memory = memory(0);
        let (mut first, mut second) = (BodyShare::default(), BodyShare::default());
        assert!(second.is_empty() && !memory.is_wanted());
        assert!(grows(&memory, &mut first, 1));
        let mut context = Context::from_waker(Waker::noop());
        let mut waiting = Box::pin(memory.grow(&mut second, 1));
        assert!(waiting.as_mut().poll(&mut context).is_pending() && memory.is_wanted());
        drop(waiting);
        assert!(second.is_empty() && !memory.is_wanted());
    }
}
