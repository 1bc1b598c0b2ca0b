//! All rows of a request, one after the other.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use super::lanes::{RawPage, read_page};
use super::rows::Selection;
use crate::entity::RowSet;
use crate::error::{Error, Result};

/// Rows read at a time where all are wanted.
const TAKE_ALL: usize = 500;

type Step<S> = Pin<Box<dyn Future<Output = Result<(RawPage<S>, Box<Selection>)>> + Send>>;

/// All rows of a [`Rows`](super::Rows), read page by page as they are asked for.
#[must_use = "a stream reads nothing until it is polled"]
pub struct RowStream<S> {
    rows: VecDeque<Result<S>>,
    next: Next<S>,
    units: f64,
}

enum Next<S> {
    Ask(Box<Selection>),
    Asked(Step<S>),
    Failed(Error),
    End,
}

impl<S: RowSet> RowStream<S> {
    pub(super) fn of_selection(selection: Result<Box<Selection>>) -> Self {
        let next = match selection {
            Ok(mut selection) => {
                selection.take = TAKE_ALL;
                Next::Ask(selection)
            }
            Err(error) => Next::Failed(error),
        };
        Self { rows: VecDeque::new(), next, units: 0.0 }
    }

    pub(super) fn of_rows(rows: Vec<S>) -> Self {
        Self { rows: rows.into_iter().map(Ok).collect(), next: Next::End, units: 0.0 }
    }

    /// Read units used so far, where the backend tells.
    pub fn units(&self) -> f64 {
        self.units
    }

    /// The next row; nothing at the end.
    ///
    /// # Errors
    /// [`Error::Decode`] for a row that can't be read: the stream goes on behind it. What the backend
    /// says: after that there is nothing more.
    pub async fn next(&mut self) -> Option<Result<S>> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }
}

impl<S> fmt::Debug for RowStream<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RowStream")
            .field("read_ahead", &self.rows.len())
            .finish_non_exhaustive()
    }
}

// Rows are handed out whole and the future is behind a box: nothing inside is pinned in place.
impl<S> Unpin for RowStream<S> {}

impl<S: RowSet> Stream for RowStream<S> {
    type Item = Result<S>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(row) = self.rows.pop_front() {
                return Poll::Ready(Some(row));
            }
            self.next = match std::mem::replace(&mut self.next, Next::End) {
                Next::End => return Poll::Ready(None),
                Next::Failed(error) => return Poll::Ready(Some(Err(error))),
                Next::Ask(selection) => Next::Asked(Box::pin(async move {
                    let page = read_page::<S>(&selection).await?;
                    Ok((page, selection))
                })),
                Next::Asked(mut step) => match step.as_mut().poll(context) {
                    Poll::Pending => {
                        self.next = Next::Asked(step);
                        return Poll::Pending;
                    }
                    Poll::Ready(Err(error)) => Next::Failed(error),
                    Poll::Ready(Ok((page, mut selection))) => {
                        self.rows = page.rows.into();
                        self.units += page.units;
                        match page.onward {
                            None => Next::End,
                            Some(bookmark) => {
                                selection.bookmark = Some(bookmark);
                                Next::Ask(selection)
                            }
                        }
                    }
                },
            };
        }
    }
}
