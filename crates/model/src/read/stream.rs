//! Streams of all rows of a request, or of the first ones.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::vec;

use futures_core::Stream;
use monotable_design::meta::TableMeta;

use super::lanes::{RawPage, read_page};
use super::raw::{Fetched, RawOne};
use super::recognise::RawRow;
use super::rows::{Selection, Unreadable};
use crate::backend::Reply;
use crate::entity::RowSet;
use crate::error::{Error, Result};

/// How many rows are read at a time if all are requested.
const TAKE_ALL: usize = 500;

/// All rows of a [`Rows`](super::Rows), read page by page on demand.
#[must_use = "a stream reads nothing until it is polled"]
pub struct RowStream<S>(Source<S>);

enum Source<S> {
    Raw(RawStream),
    Values(vec::IntoIter<S>),
    Failed(Option<Error>),
}

impl<S: RowSet> RowStream<S> {
    pub(super) fn of_selection(selection: Result<Box<Selection>>) -> Self {
        Self(match selection {
            Ok(selection) => Source::Raw(RawStream::new(selection)),
            Err(error) => Source::Failed(Some(error)),
        })
    }

    pub(super) fn of_rows(rows: Vec<S>) -> Self {
        Self(Source::Values(rows.into_iter()))
    }

    /// Returns the consumed read units so far, if the backend reports them.
    pub fn units(&self) -> f64 {
        match &self.0 {
            Source::Raw(raw) => raw.units,
            Source::Values(_) | Source::Failed(_) => 0.0,
        }
    }

    /// Returns the next row, or `None` at the end.
    ///
    /// # Errors
    ///
    /// [`Error::Decode`] for a row that cannot be decoded; the stream continues after it. After an
    /// error of the backend the stream ends.
    pub async fn next(&mut self) -> Option<Result<S>> {
        std::future::poll_fn(|context| self.poll_row(context)).await
    }

    fn poll_row(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<S>>> {
        let raw = match &mut self.0 {
            Source::Raw(raw) => raw,
            Source::Values(rows) => return Poll::Ready(rows.next().map(Ok)),
            Source::Failed(error) => return Poll::Ready(error.take().map(Err)),
        };
        loop {
            let row = match raw.poll_row(context) {
                Poll::Ready(Some(Ok(row))) => row,
                Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(Err(error))),
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Pending => return Poll::Pending,
            };
            let row = row.decode(raw.table);
            if row.is_ok() || !raw.leave_out() {
                return Poll::Ready(Some(row));
            }
        }
    }
}

impl<S> fmt::Debug for RowStream<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let read_ahead = match &self.0 {
            Source::Raw(raw) => raw.rows.len(),
            Source::Values(rows) => rows.len(),
            Source::Failed(_) => 0,
        };
        formatter.debug_struct("RowStream").field("read_ahead", &read_ahead).finish_non_exhaustive()
    }
}

// Rows are returned by value and the future is boxed, so nothing inside is pinned in place.
impl<S> Unpin for RowStream<S> {}

impl<S: RowSet> Stream for RowStream<S> {
    type Item = Result<S>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_row(context)
    }
}

/// The rows of a selection before they are decoded, read page by page.
pub(super) struct RawStream {
    rows: vec::IntoIter<RawRow>,
    next: Next,
    table: &'static TableMeta,
    unreadable: Unreadable,
    /// The number of rows to read after those of the page.
    remaining: usize,
    units: f64,
}

enum Next {
    Ask(Box<Selection>),
    Asked(Reply<(RawPage, Box<Selection>), Error>),
    End,
}

impl RawStream {
    fn new(selection: Box<Selection>) -> Self {
        Self {
            rows: Vec::new().into_iter(),
            table: selection.context.table,
            unreadable: selection.unreadable,
            remaining: selection.rows_max,
            units: 0.0,
            next: Next::Ask(selection),
        }
    }

    /// Returns whether a row that cannot be decoded is skipped; then another one is read instead.
    fn leave_out(&mut self) -> bool {
        let is_left_out = self.unreadable == Unreadable::LeftOut;
        if is_left_out {
            self.remaining = self.remaining.saturating_add(1);
        }
        is_left_out
    }

    fn poll_row(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<RawRow>>> {
        loop {
            if let Some(row) = self.rows.next() {
                return Poll::Ready(Some(Ok(row)));
            }
            self.next = match std::mem::replace(&mut self.next, Next::End) {
                Next::End => return Poll::Ready(None),
                Next::Ask(_) if self.remaining == 0 => Next::End,
                Next::Ask(mut selection) => {
                    selection.take = TAKE_ALL.min(self.remaining);
                    Next::Asked(read_page(selection))
                }
                Next::Asked(mut page) => match Pin::new(&mut page).poll(context) {
                    Poll::Pending => {
                        self.next = Next::Asked(page);
                        return Poll::Pending;
                    }
                    Poll::Ready(Err(error)) => return Poll::Ready(Some(Err(error))),
                    Poll::Ready(Ok((page, selection))) => self.take_page(page, selection),
                },
            };
        }
    }

    fn take_page(&mut self, page: RawPage, mut selection: Box<Selection>) -> Next {
        self.remaining = self.remaining.saturating_sub(page.rows.len());
        self.rows = page.rows.into_iter();
        self.units += page.units;
        match page.onward {
            None => Next::End,
            bookmark => {
                selection.bookmark = bookmark;
                Next::Ask(selection)
            }
        }
    }

    async fn next(&mut self) -> Option<Result<RawRow>> {
        std::future::poll_fn(|context| self.poll_row(context)).await
    }
}

/// Reads the first row of a selection.
pub(super) fn fetch_first(mut selection: Box<Selection>) -> Reply<Fetched<RawOne>, Error> {
    selection.rows_max = 1;
    let (table, pattern) = (selection.context.table, selection.route.pattern.name);
    Reply::pending(async move {
        let mut stream = RawStream::new(selection);
        let rows = match stream.next().await {
            Some(row) => RawOne::Row(row?),
            None => RawOne::None,
        };
        Ok(Fetched { rows, table, units: stream.units, pattern })
    })
}

/// Reads all rows of a selection.
///
/// # Errors
///
/// [`Error::LimitReached`] if there are more rows than the pattern's `items_max`.
pub(super) fn fetch_all(selection: Box<Selection>) -> Reply<Fetched<Vec<RawRow>>, Error> {
    let (table, pattern) = (selection.context.table, selection.route.pattern);
    let items_max = pattern.items_max.map(|items| items as usize);
    Reply::pending(async move {
        let mut stream = RawStream::new(selection);
        let mut rows = Vec::new();
        while let Some(row) = stream.next().await {
            if items_max.is_some_and(|items_max| rows.len() == items_max) {
                let what =
                    format!("pattern `{}` with its items_max of {}", pattern.name, rows.len());
                return Err(Error::LimitReached { what, retry_after_seconds: None });
            }
            rows.push(row?);
        }
        Ok(Fetched { rows, table, units: stream.units, pattern: pattern.name })
    })
}
