//! Texts and files that are generated while they are sent, so that a long response needs little
//! memory.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;

use crate::problem::Problem;

/// The next piece of a text, with the state for the following one; `None` at the end.
type Next<P, S> = Pin<Box<dyn Future<Output = Result<Option<(P, S)>, Problem>> + Send>>;

/// A text or a file in pieces, each generated when the one before was sent. If a piece can't be
/// generated, the connection is closed without the end of the response, so that clients don't take
/// the text for complete.
///
/// ```
/// use monotable_kit::{Pieces, ReplyBody};
///
/// let countdown = Pieces::new(3, |left| async move {
///     Ok((left > 0).then(|| (format!("{left}\n"), left - 1)))
/// });
/// let body = ReplyBody::Pieces { content_type: "text/plain", pieces: countdown };
/// # drop(body);
/// ```
pub struct Pieces(Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>);

impl Pieces {
    /// Generates pieces with a function that gets the state from its last call.
    pub fn new<P, S, F, R>(state: S, step: F) -> Self
    where
        P: Into<Bytes> + 'static,
        S: Send + 'static,
        F: Fn(S) -> R + Send + 'static,
        R: Future<Output = Result<Option<(P, S)>, Problem>> + Send + 'static,
    {
        let step = Box::new(move |state| Box::pin(step(state)) as Next<P, S>);
        Self(Box::pin(Unfolding { next: Some(step(state)), step }))
    }
}

impl Stream for Pieces {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context)
    }
}

/// A state, and the function that continues from it.
struct Unfolding<P, S> {
    next: Option<Next<P, S>>,
    step: Box<dyn Fn(S) -> Next<P, S> + Send>,
}

impl<P: Into<Bytes>, S> Stream for Unfolding<P, S> {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(next) = &mut self.next else { return Poll::Ready(None) };
        match next.as_mut().poll(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(Ok(None)) => {
                self.next = None;
                Poll::Ready(None)
            }
            Poll::Ready(Ok(Some((text, state)))) => {
                self.next = Some((self.step)(state));
                Poll::Ready(Some(Ok(text.into())))
            }
            Poll::Ready(Err(problem)) => {
                self.next = None;
                Poll::Ready(Some(Err(io::Error::other(problem.message))))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test]
    async fn each_piece_is_made_when_it_is_asked_for() {
        let made = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&made);
        let mut pieces = Pieces::new(0, move |number| {
            let made = Arc::clone(&counted);
            async move {
                made.fetch_add(1, Ordering::Relaxed);
                Ok((number < 2).then(|| (number.to_string(), number + 1)))
            }
        });
        for (text, count) in [(Some("0"), 1), (Some("1"), 2), (None, 3), (None, 3)] {
            let piece = poll_fn(|context| Pin::new(&mut pieces).poll_next(context)).await;
            assert_eq!(piece.map(Result::unwrap).as_deref(), text.map(str::as_bytes));
            assert_eq!(made.load(Ordering::Relaxed), count);
        }
    }

    #[tokio::test]
    async fn nothing_follows_a_piece_that_can_not_be_made() {
        let mut pieces = Pieces::new(0, |number| async move {
            if number == 1 { Err(Problem::internal("gone")) } else { Ok(Some(("0".to_owned(), 1))) }
        });
        let mut next = async || poll_fn(|context| Pin::new(&mut pieces).poll_next(context)).await;
        assert!(next().await.unwrap().is_ok());
        assert!(next().await.unwrap().is_err());
        assert!(next().await.is_none());
    }
}
