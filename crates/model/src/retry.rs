//! Retries: for which errors, how often, and after which delays.
//!
//! Only a request that certainly had no effect is sent again. A throttled request was refused
//! before it did anything, so a conditional write is as safe to repeat as a read.

use std::sync::Arc;
use std::time::Duration;

use crate::backend::request::{
    BatchGet, BatchGetResponse, Get, GetResponse, PageResponse, Query, Scan, TableShape,
    TransactionGet, TransactionGetResponse,
};
use crate::backend::{Backend, BackendError, Reason, Reply};
use crate::context::Context;
use crate::error::{Error, Result};

/// The longest delays of a throttled request, one before each retry.
const THROTTLED: [Duration; 3] =
    [Duration::from_millis(100), Duration::from_millis(200), Duration::from_millis(400)];

/// The same for a request that conflicted with another one.
const CONTENDED: [Duration; 4] = [
    Duration::from_millis(50),
    Duration::from_millis(100),
    Duration::from_millis(200),
    Duration::from_millis(400),
];

/// The reason of a transient failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The backend does not accept more requests at the moment.
    Throttled,
    /// Another request uses the same row, or was faster.
    Contended,
}

impl Cause {
    /// Returns the transient reason of a request that certainly had no effect.
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

    /// Returns the reason of a cancelled transaction, if all failures of its actions are transient.
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

    /// Returns the cause with the longer delays.
    pub(crate) fn or(self, other: Option<Self>) -> Self {
        match (self, other) {
            (Self::Contended, None | Some(Self::Contended)) => Self::Contended,
            (Self::Throttled, _) | (_, Some(Self::Throttled)) => Self::Throttled,
        }
    }
}

/// The retries of one operation.
#[derive(Default)]
pub(crate) struct Retry {
    throttled: usize,
    contended: usize,
}

impl Retry {
    /// Returns the state before the first attempt.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Waits before the next attempt. Returns `false` if there have been enough.
    ///
    /// # Errors
    ///
    /// The backend cannot wait, or there is no source of randomness.
    pub(crate) async fn pause(&mut self, backend: &dyn Backend, cause: Cause) -> Result<bool> {
        let (waits, count): (&[Duration], _) = match cause {
            Cause::Throttled => (&THROTTLED, &mut self.throttled),
            Cause::Contended => (&CONTENDED, &mut self.contended),
        };
        let Some(longest) = waits.get(*count) else { return Ok(false) };
        *count += 1;
        // Random, so that callers that conflicted once do not conflict again.
        let share = match cause {
            Cause::Throttled => 0.5 + random()? / 2.0,
            Cause::Contended => random()?,
        };
        backend.pause(longest.mul_f64(share)).await?;
        Ok(true)
    }
}

/// Reads are repeated while the backend throttles them.
impl Context {
    pub(crate) fn get(&self, request: Get) -> Reply<GetResponse> {
        self.read(request, |backend, request| backend.get(request))
    }

    pub(crate) fn query(&self, request: Query) -> Reply<PageResponse> {
        self.read(request, |backend, request| backend.query(request))
    }

    pub(crate) fn scan(&self, request: Scan) -> Reply<PageResponse> {
        self.read(request, |backend, request| backend.scan(request))
    }

    pub(crate) fn batch_get(&self, request: BatchGet) -> Reply<BatchGetResponse> {
        self.read(request, |backend, request| backend.batch_get(request))
    }

    pub(crate) fn transact_get(&self, request: TransactionGet) -> Reply<TransactionGetResponse> {
        self.read(request, |backend, request| backend.transact_get(request))
    }

    pub(crate) fn describe_table(&self) -> Reply<Option<TableShape>> {
        self.read(Arc::clone(&self.table_name), |backend, name| backend.describe_table(&name))
    }

    /// Sends a request, and repeats it if that can help. If the response is available at once, or
    /// the backend is never busy, no future is allocated.
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
            Ok(response) => return Reply::ready(response),
            Err(reply) => reply,
        };
        let backend = Arc::clone(&self.backend);
        Reply::pending(async move {
            let mut retry = Retry::new();
            let mut response = reply.await;
            while let Some(cause) = response.as_ref().err().and_then(Cause::of)
                && retry.pause(&*backend, cause).await.unwrap_or(false)
            {
                response = send(&*backend, request.clone()).await;
            }
            response
        })
    }
}

/// Returns a random number from 0 to 1.
fn random() -> Result<f64> {
    let mut bytes = [0; 4];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::Settings(format!("the operating system provides no randomness: {error}"))
    })?;
    Ok(f64::from(u32::from_be_bytes(bytes)) / f64::from(u32::MAX))
}
