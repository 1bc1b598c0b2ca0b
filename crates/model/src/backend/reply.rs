//! A response that is available at once or pending.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::BackendError;

/// The response of a [`Backend`](super::Backend): a future that costs nothing if the response is
/// already available.
#[must_use = "the result is known only when the response is awaited"]
pub struct Reply<T, E = BackendError>(State<T, E>);

enum State<T, E> {
    Ready(Option<Result<T, E>>),
    Pending(Pin<Box<dyn Future<Output = Result<T, E>> + Send>>),
}

impl<T, E> fmt::Debug for Reply<T, E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match &self.0 {
            State::Ready(Some(_)) => "Reply(ready)",
            State::Ready(None) => "Reply(taken)",
            State::Pending(_) => "Reply(pending)",
        })
    }
}

impl<T, E> Reply<T, E> {
    /// Returns a response that is available.
    pub fn ready(result: Result<T, E>) -> Self {
        Self(State::Ready(Some(result)))
    }

    /// Returns a pending response.
    pub fn pending(future: impl Future<Output = Result<T, E>> + Send + 'static) -> Self {
        Self(State::Pending(Box::pin(future)))
    }

    /// Converts the response once it is available.
    pub(crate) fn then<U>(self, convert: fn(T) -> Result<U, E>) -> Reply<U, E>
    where
        T: Send + 'static,
        U: 'static,
        E: Send + 'static,
    {
        match self.now() {
            Ok(result) => Reply::ready(result.and_then(convert)),
            Err(reply) => Reply(State::Pending(Box::pin(Converted { reply, convert }))),
        }
    }

    /// Returns the response if it is available, or the future otherwise.
    pub fn now(self) -> Result<Result<T, E>, Self> {
        match self.0 {
            State::Ready(Some(result)) => Ok(result),
            state => Err(Self(state)),
        }
    }
}

/// A response that is converted once it is available.
struct Converted<T, U, E> {
    reply: Reply<T, E>,
    convert: fn(T) -> Result<U, E>,
}

impl<T, U, E> Future for Converted<T, U, E> {
    type Output = Result<U, E>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match Pin::new(&mut self.reply).poll(context) {
            Poll::Ready(Ok(response)) => Poll::Ready((self.convert)(response)),
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => Poll::Pending,
        }
    }
}

// Nothing inside is pinned in place: the pending future is in its own box.
impl<T, E> Unpin for Reply<T, E> {}

impl<T, E> Future for Reply<T, E> {
    type Output = Result<T, E>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            State::Ready(result) => match result.take() {
                Some(result) => Poll::Ready(result),
                None => unreachable!("a reply is awaited once"),
            },
            State::Pending(future) => future.as_mut().poll(context),
        }
    }
}
