//! Rows page by page: how much, from where, at what price.

use std::fmt;
use std::sync::Arc;

use monotable_design::meta::Operation;
use monotable_expression::{Condition, KeyCondition};

use super::cursor::{Bookmark, Cursor, Way};
use super::expiry::Expired;
use super::keys::{Arguments, key_condition};
use super::lanes::read_page;
use super::one::Response;
use super::route::Route;
use super::stream::RowStream;
use crate::context::Context;
use crate::entity::RowSet;
use crate::error::{Error, Result};

/// Rows of a page unless [`Rows::take`] says otherwise.
const TAKE_DEFAULT: usize = 50;

/// A request for the rows of a pattern, in the order of their sort keys.
///
/// Nothing happens until [`page`](Self::page), [`first`](Self::first), [`count`](Self::count) or
/// [`stream`](Self::stream) asks for rows.
#[must_use = "a request does nothing until its rows are asked for"]
pub struct Rows<S>(Source<S>);

enum Source<S> {
    Pattern(Result<Box<Selection>>),
    Values(Vec<S>),
}

/// What is read and how.
pub(crate) struct Selection {
    pub(crate) context: Arc<Context>,
    pub(crate) route: &'static Route,
    /// One a shard; none for a scan.
    pub(crate) conditions: Vec<KeyCondition>,
    pub(crate) filter: Option<Condition>,
    pub(crate) consistent: bool,
    pub(crate) expired: Expired,
    pub(crate) unreadable: Unreadable,
    pub(crate) take: usize,
    pub(crate) units_max: f64,
    pub(crate) bookmark: Option<Bookmark>,
}

/// What becomes of rows that can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    Error,
    LeftOut,
}

/// Some rows, and where the ones around them are.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<S> {
    /// The rows, in the order of the pattern.
    pub rows: Vec<S>,
    /// Where the next page starts; none when there are no more rows. A page that used up its budget
    /// has fewer rows than were asked for, and still says where to go on.
    pub next: Option<Cursor>,
    /// Where the page before this one ends; none on the first.
    pub previous: Option<Cursor>,
    /// Read units used, where the backend tells.
    pub units: f64,
    /// The pattern's name.
    pub pattern: &'static str,
    /// Rows that lie in the range and are none of the pattern's entities.
    pub skipped: usize,
    /// Why rows were left out that can't be read, each with its key: where
    /// [`skip_unreadable`](Rows::skip_unreadable) asks for that.
    pub unreadable: Vec<Error>,
}

impl<S> fmt::Debug for Rows<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Rows");
        match &self.0 {
            Source::Pattern(Ok(selection)) => {
                debug.field("pattern", &selection.route.pattern.name).field("take", &selection.take)
            }
            Source::Pattern(Err(error)) => debug.field("error", error),
            Source::Values(rows) => debug.field("rows", &rows.len()),
        };
        debug.finish_non_exhaustive()
    }
}

impl<S: RowSet> Rows<S> {
    pub(super) fn new(
        context: &Arc<Context>,
        route: &'static Route,
        arguments: &Arguments<'_>,
        filter: Result<Option<Condition>>,
    ) -> Self {
        let selection = filter.and_then(|filter| {
            Ok(Box::new(Selection {
                context: Arc::clone(context),
                route,
                conditions: conditions(route, arguments)?,
                filter,
                consistent: route.pattern.is_consistent,
                expired: Expired::Absent,
                unreadable: Unreadable::Error,
                take: TAKE_DEFAULT,
                units_max: f64::INFINITY,
                bookmark: None,
            }))
        });
        Self(Source::Pattern(selection))
    }

    /// A request that is answered with these rows: for programs that stand in for a table in tests.
    pub fn from_rows(rows: Vec<S>) -> Self {
        Self(Source::Values(rows))
    }

    fn change(mut self, change: impl FnOnce(&mut Selection) -> Result<()>) -> Self {
        if let Source::Pattern(Ok(selection)) = &mut self.0
            && let Err(error) = change(selection)
        {
            self.0 = Source::Pattern(Err(error));
        }
        self
    }

    /// Sets how many rows a page has: filters and expired rows do not make it shorter, only the end of
    /// the rows and the budget do.
    pub fn take(self, rows: usize) -> Self {
        self.change(|selection| {
            selection.take = rows.max(1);
            Ok(())
        })
    }

    /// Goes on behind a page: with its [`next`](Page::next).
    pub fn after(self, cursor: &Cursor) -> Self {
        self.change(|selection| selection.open(cursor, Way::Onward))
    }

    /// Goes back before a page: with its [`previous`](Page::previous).
    pub fn before(self, cursor: &Cursor) -> Self {
        self.change(|selection| selection.open(cursor, Way::Back))
    }

    /// Sees every write acknowledged before; of the table and of local indexes only.
    pub fn consistent(self) -> Self {
        self.change(|selection| {
            selection.consistent = true;
            Ok(())
        })
    }

    /// Returns expired rows too, as long as they were not removed.
    pub fn including_expired(self) -> Self {
        self.change(|selection| {
            selection.expired = Expired::Included;
            Ok(())
        })
    }

    /// Leaves rows out that can't be read, because another program wrote them or the entity changed. A
    /// page tells why in [`unreadable`](Page::unreadable); otherwise one such row fails all of it.
    pub fn skip_unreadable(self) -> Self {
        self.change(|selection| {
            selection.unreadable = Unreadable::LeftOut;
            Ok(())
        })
    }

    /// Sets how many read units a page may use before it comes short.
    pub fn units_max(self, units: f64) -> Self {
        self.change(|selection| {
            selection.units_max = units;
            Ok(())
        })
    }

    /// Reads one page.
    ///
    /// # Errors
    /// [`Error::InvalidCursor`] for a cursor of another query, [`Error::Decode`] for a row that can't be
    /// read, and what the backend says.
    pub async fn page(self) -> Result<Page<S>> {
        let selection = match self.0 {
            Source::Pattern(selection) => selection?,
            Source::Values(rows) => {
                return Ok(Page {
                    rows,
                    next: None,
                    previous: None,
                    units: 0.0,
                    pattern: "",
                    skipped: 0,
                    unreadable: Vec::new(),
                });
            }
        };
        let page = read_page(&selection).await?;
        let seal = |bookmark: Option<Bookmark>| {
            bookmark.map(|bookmark| Cursor::seal(&selection, &bookmark)).transpose()
        };
        Ok(Page {
            rows: page.rows.into_iter().collect::<Result<_>>()?,
            next: seal(page.onward)?,
            previous: seal(page.back)?,
            units: page.units,
            pattern: selection.route.pattern.name,
            skipped: page.skipped,
            unreadable: page.unreadable,
        })
    }

    /// The first row.
    ///
    /// # Errors
    /// As [`page`](Self::page).
    pub async fn first(self) -> Result<Option<S>> {
        Ok(self.first_response().await?.value)
    }

    /// The first row with what it cost to find it.
    pub(super) async fn first_response(self) -> Result<Response<Option<S>>> {
        let mut selection = match self.0 {
            Source::Pattern(selection) => selection?,
            Source::Values(rows) => {
                let value = rows.into_iter().next();
                return Ok(Response { value, units: 0.0, pattern: "" });
            }
        };
        selection.take = 1;
        let (mut units, pattern) = (0.0, selection.route.pattern.name);
        loop {
            let page = read_page::<S>(&selection).await?;
            units += page.units;
            match (page.rows.into_iter().next().transpose()?, page.onward) {
                (None, Some(onward)) => selection.bookmark = Some(onward),
                (value, _) => return Ok(Response { value, units, pattern }),
            }
        }
    }

    /// How many rows there are.
    ///
    /// # Errors
    /// As [`page`](Self::page).
    pub async fn count(self) -> Result<usize> {
        let mut rows = self.stream();
        let mut count = 0;
        while let Some(row) = rows.next().await {
            row?;
            count += 1;
        }
        Ok(count)
    }

    /// All rows, one after the other, read as they are asked for.
    pub fn stream(self) -> RowStream<S> {
        match self.0 {
            Source::Pattern(selection) => RowStream::of_selection(selection),
            Source::Values(rows) => RowStream::of_rows(rows),
        }
    }
}

fn conditions(route: &'static Route, arguments: &Arguments<'_>) -> Result<Vec<KeyCondition>> {
    if route.pattern.operation == Operation::Scan {
        return Ok(Vec::new());
    }
    match route.pattern.shards {
        None => Ok(vec![key_condition(route, arguments, None)?]),
        Some(count) => {
            (0..count).map(|shard| key_condition(route, arguments, Some(shard))).collect()
        }
    }
}

impl Selection {
    /// How many partitions are read side by side.
    pub(crate) fn lanes(&self) -> usize {
        self.conditions.len().max(1)
    }

    fn open(&mut self, cursor: &Cursor, way: Way) -> Result<()> {
        let bookmark = cursor.open(self)?;
        if bookmark.way != way || bookmark.positions.len() != self.lanes() {
            return Err(Error::InvalidCursor);
        }
        self.bookmark = Some(bookmark);
        Ok(())
    }
}
