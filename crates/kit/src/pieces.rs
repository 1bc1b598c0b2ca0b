//! A text that is made while it is sent, so that a long response needs little memory.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;

/// What comes next of a text, with the state for what follows it; `None` at the end.
type Next<S> = Pin<Box<dyn Future<Output = Option<(String, S)>> + Send>>;

/// A text in pieces, each made when the one before was taken.
///
/// ```
/// use monotable_kit::{Pieces, ReplyBody};
///
/// let countdown = Pieces::new(3, |left| async move {
///     (left > 0).then(|| (format!("{left}\n"), left - 1))
/// });
/// let body = ReplyBody::Pieces { content_type: "text/plain", pieces: countdown };
/// # drop(body);
/// ```
pub struct Pieces(Pin<Box<dyn Stream<Item = Bytes> + Send>>);

impl Pieces {
    /// Makes pieces by a function that gets the state that it returned before.
    pub fn new<S, F, R>(state: S, step: F) -> Self
    where
        S: Send + 'static,
        F: Fn(S) -> R + Send + 'static,
        R: Future<Output = Option<(String, S)>> + Send + 'static,
    {
        let step = Box::new(move |state| Box::pin(step(state)) as Next<S>);
        Self(Box::pin(Unfolding { next: Some(step(state)), step }))
    }
}

impl Stream for Pieces {
    type Item = Bytes;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        self.0.as_mut().poll_next(context)
    }
}

/// A state, and the function that goes on from it.
struct Unfolding<S> {
    next: Option<Next<S>>,
    step: Box<dyn Fn(S) -> Next<S> + Send>,
}

impl<S> Stream for Unfolding<S> {
    type Item = Bytes;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let Some(next) = &mut self.next else { return Poll::Ready(None) };
        match next.as_mut().poll(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(None) => {
                self.next = None;
                Poll::Ready(None)
            }
            Poll::Ready(Some((text, state))) => {
                self.next = Some((self.step)(state));
                Poll::Ready(Some(Bytes::from(text)))
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
                (number < 2).then(|| (number.to_string(), number + 1))
            }
        });
        for (text, count) in [(Some("0"), 1), (Some("1"), 2), (None, 3), (None, 3)] {
            let piece = poll_fn(|context| Pin::new(&mut pieces).poll_next(context)).await;
            assert_eq!(piece.as_deref(), text.map(str::as_bytes));
            assert_eq!(made.load(Ordering::Relaxed), count);
        }
    }
}
