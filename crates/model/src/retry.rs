//! Trying again: why, how often, and how long to wait in between.
//!
//! Only what certainly did not happen is sent again. A throttled request was refused before it did
//! anything, so that a conditional write is as safe to repeat as a read.

use std::sync::Arc;
use std::time::Duration;

use crate::backend::request::{
    BatchGet, BatchGetAnswer, Get, GetAnswer, PageAnswer, Query, Scan, TableShape, TransactionGet,
    TransactionGetAnswer,
};
use crate::backend::{Backend, BackendError, Reason, Reply};
use crate::context::Context;
use crate::error::{Error, Result};

/// The longest waits of a request that is throttled, one before each repeat.
const THROTTLED: [Duration; 3] =
    [Duration::from_millis(100), Duration::from_millis(200), Duration::from_millis(400)];

/// The same for a request that met another one.
const CONTENDED: [Duration; 4] = [
    Duration::from_millis(50),
    Duration::from_millis(100),
    Duration::from_millis(200),
    Duration::from_millis(400),
];

/// A reason that passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The backend takes no more requests at the moment.
    Throttled,
    /// Another request works on the same row, or was faster.
    Contended,
}

impl Cause {
    /// Why a request certainly did nothing, if that passes.
    pub(crate) fn of(error: &BackendError) -> Option<Self> {
        match error {
            BackendError::Throttled(_) => Some(Self::Throttled),
            BackendError::Conflict => Some(Self::Contended),
            BackendError::Cancelled { reasons } => Self::of_cancelled(reasons),
            BackendError::ConditionFailed { .. }
            | BackendError::TokenReused
            | BackendError::NoTable(_)
            | BackendError::TableExists(_)
            | BackendError::Refused(_)
            | BackendError::Failed(_) => None,
        }
    }

    /// A transaction may be repeated if everything that was wrong with it passes.
    fn of_cancelled(reasons: &[Reason]) -> Option<Self> {
        let mut cause = None;
        for reason in reasons {
            let one = match reason {
                Reason::Fine => continue,
                Reason::Throttled => Self::Throttled,
                Reason::Conflict => Self::Contended,
                Reason::ConditionFailed { .. } | Reason::Refused(_) => return None,
            };
            cause = Some(one.or(cause));
        }
        cause
    }

    /// The cause that needs more patience.
    pub(crate) fn or(self, other: Option<Self>) -> Self {
        match (self, other) {
            (Self::Contended, None | Some(Self::Contended)) => Self::Contended,
            (Self::Throttled, _) | (_, Some(Self::Throttled)) => Self::Throttled,
        }
    }
}

/// The repeats of one operation.
#[derive(Default)]
pub(crate) struct Retry {
    throttled: usize,
    contended: usize,
}

impl Retry {
    /// Before the first attempt has failed.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Waits before the next attempt. `false` says that there have been enough.
    ///
    /// # Errors
    /// If the backend can't wait, or there is no randomness.
    pub(crate) async fn pause(&mut self, backend: &dyn Backend, cause: Cause) -> Result<bool> {
        let (waits, count): (&[Duration], _) = match cause {
            Cause::Throttled => (&THROTTLED, &mut self.throttled),
            Cause::Contended => (&CONTENDED, &mut self.contended),
        };
        let Some(longest) = waits.get(*count) else { return Ok(false) };
        *count += 1;
        // So that callers that met once do not meet again.
        let share = match cause {
            Cause::Throttled => 0.5 + random()? / 2.0,
            Cause::Contended => random()?,
        };
        backend.pause(longest.mul_f64(share)).await?;
        Ok(true)
    }
}

/// Reads, repeated while the backend throttles them.
impl Context {
    pub(crate) fn get(&self, request: Get) -> Reply<GetAnswer> {
        self.read(request, |backend, request| backend.get(request))
    }

    pub(crate) fn query(&self, request: Query) -> Reply<PageAnswer> {
        self.read(request, |backend, request| backend.query(request))
    }

    pub(crate) fn scan(&self, request: Scan) -> Reply<PageAnswer> {
        self.read(request, |backend, request| backend.scan(request))
    }

    pub(crate) fn batch_get(&self, request: BatchGet) -> Reply<BatchGetAnswer> {
        self.read(request, |backend, request| backend.batch_get(request))
    }

    pub(crate) fn transact_get(&self, request: TransactionGet) -> Reply<TransactionGetAnswer> {
        self.read(request, |backend, request| backend.transact_get(request))
    }

    pub(crate) fn describe_table(&self) -> Reply<Option<TableShape>> {
        self.read(Arc::clone(&self.table_name), |backend, name| backend.describe_table(&name))
    }

    /// Sends a request, again if that helps. Where the answer is there at once, or the backend is never
    /// busy, nothing is allocated for the future.
    fn read<R: Clone + Send + 'static, A: Send + 'static>(
        &self,
        request: R,
        send: fn(&dyn Backend, R) -> Reply<A>,
    ) -> Reply<A> {
        if !self.retries {
            return send(&*self.backend, request);
        }
        let reply = match send(&*self.backend, request.clone()).now() {
            Ok(Err(error)) if Cause::of(&error).is_some() => Reply::ready(Err(error)),
            Ok(answer) => return Reply::ready(answer),
            Err(reply) => reply,
        };
        let backend = Arc::clone(&self.backend);
        Reply::pending(async move {
            let mut retry = Retry::new();
            let mut answer = reply.await;
            while let Some(cause) = answer.as_ref().err().and_then(Cause::of)
                && retry.pause(&*backend, cause).await.unwrap_or(false)
            {
                answer = send(&*backend, request.clone()).await;
            }
            answer
        })
    }
}

/// A random number from 0 to 1.
fn random() -> Result<f64> {
    let mut bytes = [0; 4];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::Settings(format!("the operating system gives no randomness: {error}"))
    })?;
    Ok(f64::from(u32::from_be_bytes(bytes)) / f64::from(u32::MAX))
}
