//! Rows page by page: how many, from where, at what cost.

use std::fmt;
use std::sync::Arc;

use monotable_design::meta::{Operation, TableMeta};
use monotable_expression::{Condition, KeyCondition};
use monotable_types::Item;

use super::cursor::{Bookmark, Cursor, Way};
use super::expiry::Expired;
use super::filter::{Filter, all_of};
use super::keys::{Arguments, key_condition};
use super::lanes::{RawPage, read_page};
use super::recognise::{EntitySet, RawRow};
use super::route::Route;
use super::stream::RowStream;
use crate::context::Context;
use crate::entity::{Entity, RowSet};
use crate::error::{Error, Result};
use crate::write::{key_text, under_own_key};

/// The rows of a page unless [`Rows::take`] sets another number.
const TAKE_DEFAULT: usize = 50;

/// A request for the rows of a pattern, in the order of their sort keys.
///
/// Nothing is sent until [`page`](Self::page), [`first`](Self::first), [`count`](Self::count) or
/// [`stream`](Self::stream) is called.
#[must_use = "a request does nothing until its rows are read"]
pub struct Rows<S>(pub(super) Source<S>);

pub(super) enum Source<S> {
    Pattern(Result<Box<Selection>>),
    Values(Vec<S>),
}

/// What to read, and how.
pub(crate) struct Selection {
    pub(crate) context: Arc<Context>,
    pub(crate) route: &'static Route,
    /// The entities that the rows may be.
    pub(crate) entities: EntitySet,
    /// One condition per shard; none for a scan.
    pub(crate) conditions: Vec<KeyCondition>,
    pub(crate) filter: Option<Condition>,
    pub(crate) consistent: bool,
    pub(crate) expired: Expired,
    pub(crate) unreadable: Unreadable,
    /// The rows of a page.
    pub(crate) take: usize,
    /// The rows of a stream or a count; all unless the request has a limit.
    pub(super) rows_max: usize,
    pub(crate) units_max: f64,
    pub(crate) bookmark: Option<Bookmark>,
}

/// What happens to rows that cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    Error,
    LeftOut,
}

/// Some rows, with cursors to the rows around them.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<S> {
    /// The rows, in the order of the pattern.
    pub rows: Vec<S>,
    /// The start of the next page; `None` if there are no more rows. A page that used up its budget
    /// has fewer rows than requested, but still a cursor.
    pub next: Option<Cursor>,
    /// The end of the previous page; `None` on the first.
    pub previous: Option<Cursor>,
    /// The consumed read units, if the backend reports them.
    pub units: f64,
    /// The name of the pattern.
    pub pattern: &'static str,
    /// The number of rows in the range that are not one of the pattern's entities.
    pub skipped: usize,
    /// The errors of rows that cannot be decoded, each with its key, if
    /// [`skip_unreadable`](Rows::skip_unreadable) was called.
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
    pub(super) fn new(selection: Result<Box<Selection>>) -> Self {
        Self(Source::Pattern(selection))
    }

    /// Returns a request whose response is these rows, for fakes of a table in tests.
    pub fn from_rows(rows: Vec<S>) -> Self {
        Self(Source::Values(rows))
    }

    fn change(mut self, change: impl FnOnce(&mut Selection)) -> Self {
        if let Source::Pattern(Ok(selection)) = &mut self.0 {
            change(selection);
        }
        self
    }

    fn open(mut self, cursor: &Cursor, way: Way) -> Self {
        if let Source::Pattern(selection) = &mut self.0
            && let Ok(Err(error)) = selection.as_mut().map(|selection| selection.open(cursor, way))
        {
            *selection = Err(error);
        }
        self
    }

    /// Sets how many rows are read, at least one: those of a page, of a [`stream`](Self::stream) or
    /// of a [`count`](Self::count). Filters and expired rows do not reduce the number, only the end
    /// of the rows and the budget of a page do. By default a page has 50 rows, and a stream all.
    pub fn take(self, rows: usize) -> Self {
        self.change(|selection| {
            selection.take = rows.max(1);
            selection.rows_max = selection.take;
        })
    }

    /// Continues after a page, with its [`next`](Page::next).
    pub fn after(self, cursor: &Cursor) -> Self {
        self.open(cursor, Way::Onward)
    }

    /// Goes back to the rows before a page, with its [`previous`](Page::previous).
    pub fn before(self, cursor: &Cursor) -> Self {
        self.open(cursor, Way::Back)
    }

    /// Reads all acknowledged writes; only for the table and for local indexes.
    pub fn consistent(self) -> Self {
        self.change(|selection| selection.consistent = true)
    }

    /// Returns expired rows too, as long as they have not been removed.
    pub fn including_expired(self) -> Self {
        self.change(|selection| selection.expired = Expired::Included)
    }

    /// Skips rows that cannot be decoded, because another program wrote them or the entity changed.
    /// A page lists their errors in [`unreadable`](Page::unreadable). Without this, one such row
    /// fails the whole page.
    pub fn skip_unreadable(self) -> Self {
        self.change(|selection| selection.unreadable = Unreadable::LeftOut)
    }

    /// Sets how many read units a page may use before it ends early.
    pub fn units_max(self, units: f64) -> Self {
        self.change(|selection| selection.units_max = units)
    }

    /// Reads one page.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidCursor`] for a cursor of another query, [`Error::Decode`] for a row that
    /// cannot be decoded, and errors of the backend.
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
        let (page, selection) = read_page(selection).await?;
        selection.decode(page, |row, table| row.decode(table))
    }

    /// Returns the first row.
    ///
    /// # Errors
    /// As [`page`](Self::page).
    pub async fn first(self) -> Result<Option<S>> {
        self.change(|selection| selection.rows_max = 1).stream().next().await.transpose()
    }

    /// Reads all rows, or as many as [`take`](Self::take) has set.
    ///
    /// # Errors
    /// As [`page`](Self::page).
    pub async fn all(self) -> Result<Vec<S>> {
        let mut stream = self.stream();
        let mut rows = Vec::new();
        while let Some(row) = stream.next().await {
            rows.push(row?);
        }
        Ok(rows)
    }

    /// Returns the number of rows; at most as many as [`take`](Self::take) has set.
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

    /// Returns a stream of all rows, or of as many as [`take`](Self::take) has set, which reads
    /// pages on demand.
    pub fn stream(self) -> RowStream<S> {
        match self.0 {
            Source::Pattern(selection) => RowStream::of_selection(selection),
            Source::Values(rows) => RowStream::of_rows(rows),
        }
    }
}

impl<E: Entity> Rows<E> {
    /// Reads one page, and treats rows whose fields render another key than their own as
    /// unreadable.
    pub(crate) async fn page_of_own_keys(self) -> Result<Page<E>> {
        let selection = match self.0 {
            Source::Pattern(selection) => selection?,
            Source::Values(_) => return self.page().await,
        };
        let (page, selection) = read_page(selection).await?;
        let context = &selection.context;
        selection.decode(page, |row, table| {
            let key = primary_key_of(table, &row);
            under_own_key(context, &key, row.decode(table)?).map_err(|error| match error {
                Error::Key { entity, error } => {
                    let message = format!("`{}`: {error}", key_text(table, &key));
                    Error::Decode { entity, message }
                }
                error => error,
            })
        })
    }
}

fn primary_key_of(table: &TableMeta, row: &RawRow) -> Item {
    let names = [Some(table.partition_key), table.sort_key];
    let values =
        names.into_iter().flatten().map(|name| Some((name.to_owned(), row.row.get(name)?)));
    values.flatten().collect()
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
    /// Returns the rows of a pattern for these arguments.
    pub(super) fn new(
        context: &Arc<Context>,
        route: &'static Route,
        entities: EntitySet,
        arguments: &Arguments<'_>,
        filters: &[Filter],
    ) -> Result<Box<Self>> {
        Ok(Box::new(Self {
            context: Arc::clone(context),
            route,
            entities,
            filter: all_of(route.pattern, filters)?,
            conditions: conditions(route, arguments)?,
            consistent: route.pattern.is_consistent,
            expired: Expired::Absent,
            unreadable: Unreadable::Error,
            take: TAKE_DEFAULT,
            rows_max: usize::MAX,
            units_max: f64::INFINITY,
            bookmark: None,
        }))
    }

    /// Decodes the rows of a page.
    fn decode<S>(
        &self,
        page: RawPage,
        decode: impl Fn(RawRow, &'static TableMeta) -> Result<S>,
    ) -> Result<Page<S>> {
        let mut rows = Vec::with_capacity(page.rows.len());
        let mut unreadable = Vec::new();
        for row in page.rows {
            match decode(row, self.context.table) {
                Ok(row) => rows.push(row),
                Err(error) if self.unreadable == Unreadable::LeftOut => unreadable.push(error),
                Err(error) => return Err(error),
            }
        }
        Ok(Page {
            rows,
            next: self.seal(page.onward)?,
            previous: self.seal(page.back)?,
            units: page.units,
            pattern: self.route.pattern.name,
            skipped: page.skipped,
            unreadable,
        })
    }

    /// Signs the bookmark at an end of a page.
    fn seal(&self, bookmark: Option<Bookmark>) -> Result<Option<Cursor>> {
        bookmark.map(|bookmark| Cursor::seal(self, &bookmark)).transpose()
    }

    /// Returns how many partitions are read concurrently.
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
