//! Reads a page: one lane per partition, merged in the order of the sort keys.
//!
//! Most patterns have one lane, and then nothing is compared. A sharded partition has one lane per
//! shard.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use monotable_design::meta::Operation;
use monotable_types::{AttributeValue, Item};

use super::cursor::{Bookmark, Position, Way};
use super::recognise::{Mirrors, RawRow, Recognised, recognise};
use super::route::Route;
use super::rows::Selection;
use crate::backend::request::{PageResponse, Query, Scan};
use crate::backend::{BackendError, Reply, Row};
use crate::error::{Error, Result};

/// The most requests per partition for one page, whatever its filter drops.
const ROUNDS_MAX: usize = 20;

/// The fewest rows that a request with a filter evaluates.
const FILTERED_LIMIT_MIN: usize = 50;

/// A page before its rows are decoded and its cursors are signed.
pub(crate) struct RawPage {
    pub(crate) rows: Vec<RawRow>,
    pub(crate) onward: Option<Bookmark>,
    pub(crate) back: Option<Bookmark>,
    pub(crate) units: f64,
    pub(crate) skipped: usize,
}

/// Reads one page of a selection, starting at its bookmark. The selection is returned with the
/// page.
///
/// The future is boxed here, because one that other crates await would be compiled there again.
pub(crate) fn read_page(selection: Box<Selection>) -> Reply<(RawPage, Box<Selection>), Error> {
    Reply::pending(async move {
        let mut lanes = Lanes::new(&selection);
        let more = lanes.fill_page().await?;
        let page = lanes.finish(more);
        Ok((page, selection))
    })
}

/// The lanes of one page.
struct Lanes<'a> {
    selection: &'a Selection,
    way: Way,
    forward: bool,
    lanes: Vec<Lane>,
    /// The rows of the page, with the lane of each.
    page: Vec<(usize, Candidate)>,
    units: f64,
    skipped: usize,
}

/// The reader of one partition.
struct Lane {
    incoming: Position,
    start: Option<Item>,
    buffer: VecDeque<Candidate>,
    is_done: bool,
    rounds: usize,
}

/// A row that may become part of the page.
struct Candidate {
    raw: RawRow,
    /// The sort key, for merging several lanes.
    order: Vec<Option<AttributeValue>>,
}

impl<'a> Lanes<'a> {
    fn new(selection: &'a Selection) -> Self {
        let way = selection.bookmark.as_ref().map_or(Way::Onward, |bookmark| bookmark.way);
        let positions = match &selection.bookmark {
            Some(bookmark) => bookmark.positions.clone(),
            None => vec![Position::Edge; selection.lanes()],
        };
        Self {
            selection,
            way,
            forward: selection.route.pattern.is_descending == (way == Way::Back),
            lanes: positions.into_iter().map(Lane::new).collect(),
            page: Vec::new(),
            units: 0.0,
            skipped: 0,
        }
    }

    /// Moves rows to the page until it is full, and returns whether there are or may be more.
    async fn fill_page(&mut self) -> Result<bool> {
        loop {
            while self.lanes.iter().any(Lane::is_empty) {
                if self.is_over_budget() {
                    return Ok(true);
                }
                self.fetch().await?;
            }
            let Some(next) = self.first_lane() else { return Ok(false) };
            let missing = self.selection.take - self.page.len();
            if missing == 0 {
                return Ok(true);
            }
            // A single lane is already in order.
            let is_alone = self.lanes.len() == 1;
            let buffer = &mut self.lanes[next].buffer;
            let count = if is_alone { buffer.len().min(missing) } else { 1 };
            self.page.extend(buffer.drain(..count).map(|candidate| (next, candidate)));
        }
    }

    /// Returns whether the page must end early. Its first requests are always made, so that every
    /// page makes progress.
    fn is_over_budget(&self) -> bool {
        let hungry = self.lanes.iter().filter(|lane| lane.is_empty());
        let rounds = hungry.map(|lane| lane.rounds).max().unwrap_or(0);
        rounds >= ROUNDS_MAX || (rounds > 0 && self.units >= self.selection.units_max)
    }

    /// Requests more rows for every lane that has none, concurrently.
    async fn fetch(&mut self) -> Result<()> {
        let limit = self.limit();
        let mut replies = Vec::new();
        for (position, lane) in self.lanes.iter_mut().enumerate() {
            if lane.is_empty() {
                lane.rounds += 1;
                let start_key = lane.start.clone();
                replies
                    .push((position, self.selection.ask(position, self.forward, limit, start_key)));
            }
        }
        for (position, response) in responses(replies).await {
            self.take_answer(position, response?);
        }
        Ok(())
    }

    /// Returns how many rows to evaluate in one request: the rest of the page, and one row to
    /// detect whether there are more.
    fn limit(&self) -> u32 {
        let missing = self.selection.take.saturating_add(1) - self.page.len();
        let share = match self.lanes.len() {
            1 => missing,
            lanes => missing.min(missing / lanes + 8),
        };
        let limit = match self.selection.filter {
            Some(_) => share.max(FILTERED_LIMIT_MIN),
            None => share,
        };
        let limit = u32::try_from(limit).unwrap_or(u32::MAX);
        self.selection.route.pattern.limit.map_or(limit, |limit_max| limit.min(limit_max.max(1)))
    }

    fn take_answer(&mut self, position: usize, response: PageResponse) {
        let Selection { context, route, entities, expired, .. } = self.selection;
        let several = self.lanes.len() > 1;
        let mirrors = match route.pattern.operation {
            Operation::Scan => Mirrors::Skipped,
            _ => Mirrors::Included,
        };
        let lane = &mut self.lanes[position];
        self.units += response.units;
        lane.is_done = response.last_key.is_none();
        if response.last_key.is_some() {
            lane.start = response.last_key;
        }
        lane.buffer.reserve(response.rows.len());
        for row in response.rows {
            let raw = match recognise(context, entities, row, mirrors, *expired) {
                Recognised::Row(raw) => raw,
                Recognised::Expired => continue,
                Recognised::Foreign => {
                    self.skipped += 1;
                    continue;
                }
            };
            let order = if several {
                let key = [Some(context.table.partition_key), context.table.sort_key];
                let names = route.sort.iter().copied().chain(key.into_iter().flatten());
                names.map(|name| raw.row.get(name)).collect()
            } else {
                Vec::new()
            };
            lane.buffer.push_back(Candidate { raw, order });
        }
    }

    /// Returns the lane whose next row comes first.
    fn first_lane(&self) -> Option<usize> {
        let heads = self.lanes.iter().enumerate().filter_map(|(position, lane)| {
            lane.buffer.front().map(|candidate| (position, candidate))
        });
        let first = heads.min_by(|(_, left), (_, right)| {
            let order = compare(&left.order, &right.order);
            if self.forward { order } else { order.reverse() }
        });
        first.map(|(position, _)| position)
    }

    /// Returns the rows in the order of the pattern, and the bookmarks at both ends of the page.
    fn finish(self, more: bool) -> RawPage {
        let ahead = more.then(|| self.bookmark_ahead());
        let back = self.selection.bookmark.is_some().then(|| self.bookmark_back());
        let mut rows: Vec<RawRow> =
            self.page.into_iter().map(|(_, candidate)| candidate.raw).collect();
        let (onward, back) = match self.way {
            Way::Onward => (ahead, back),
            Way::Back => {
                rows.reverse();
                (back, ahead)
            }
        };
        RawPage { rows, onward, back, units: self.units, skipped: self.skipped }
    }

    /// Returns the bookmark for the same direction: after the last row of the page in each lane.
    fn bookmark_ahead(&self) -> Bookmark {
        let positions = self.lanes.iter().enumerate().map(|(position, lane)| {
            let last = self.page.iter().rev().find(|(from, _)| *from == position);
            match (last, &lane.start) {
                (_, Some(start)) if lane.buffer.is_empty() && !lane.is_done => {
                    Position::Key(start.clone())
                }
                (Some((_, candidate)), _) => Position::Key(self.key_of(&candidate.raw.row)),
                (None, _) => lane.incoming.clone(),
            }
        });
        Bookmark { way: self.way, positions: positions.collect() }
    }

    /// Returns where to go in the other way: before the first row of the page in each lane, or before the row
    /// that would have come next.
    fn bookmark_back(&self) -> Bookmark {
        let positions = self.lanes.iter().enumerate().map(|(position, lane)| {
            let first = self.page.iter().find(|(from, _)| *from == position);
            match (first.map(|(_, candidate)| candidate).or(lane.buffer.front()), &lane.start) {
                (Some(candidate), _) => Position::Key(self.key_of(&candidate.raw.row)),
                (None, Some(start)) if !lane.is_done => Position::Key(start.clone()),
                (None, _) => Position::Edge,
            }
        });
        Bookmark { way: self.way.other(), positions: positions.collect() }
    }

    /// Returns the attributes that identify the position of a row.
    fn key_of(&self, row: &Row) -> Item {
        let table = self.selection.context.table;
        let Route { partition, sort, .. } = self.selection.route;
        let key = [Some(table.partition_key), table.sort_key];
        let names = key.into_iter().flatten().chain(partition.iter().chain(*sort).copied());
        names.filter_map(|name| Some((name.to_owned(), row.get(name)?))).collect()
    }
}

impl Lane {
    fn new(incoming: Position) -> Self {
        let start = match &incoming {
            Position::Edge => None,
            Position::Key(key) => Some(key.clone()),
        };
        Self { incoming, start, buffer: VecDeque::new(), is_done: false, rounds: 0 }
    }

    /// Returns whether the next row has not been read yet.
    fn is_empty(&self) -> bool {
        self.buffer.is_empty() && !self.is_done
    }
}

impl Selection {
    fn ask(
        &self,
        lane: usize,
        forward: bool,
        limit: u32,
        start_key: Option<Item>,
    ) -> Reply<PageResponse> {
        let table = Arc::clone(&self.context.table_name);
        let (index, consistent, limit) = (self.route.pattern.index, self.consistent, Some(limit));
        let filter = self.filter.clone();
        match self.conditions.get(lane) {
            Some(key_condition) => self.context.query(Query {
                table,
                index,
                key_condition: key_condition.clone(),
                filter,
                forward,
                consistent,
                limit,
                start_key,
            }),
            None => {
                debug_assert_eq!(self.route.pattern.operation, Operation::Scan);
                self.context.scan(Scan {
                    table,
                    index,
                    filter,
                    consistent,
                    limit,
                    start_key,
                    segment: None,
                })
            }
        }
    }
}

/// Awaits all responses concurrently.
async fn responses(
    replies: Vec<(usize, Reply<PageResponse>)>,
) -> Vec<(usize, Result<PageResponse, BackendError>)> {
    let mut waiting = replies;
    let mut responses = Vec::with_capacity(waiting.len());
    poll_fn(move |context| {
        waiting.retain_mut(|(position, reply)| match Pin::new(reply).poll(context) {
            Poll::Ready(response) => {
                responses.push((*position, response));
                false
            }
            Poll::Pending => true,
        });
        if waiting.is_empty() { Poll::Ready(std::mem::take(&mut responses)) } else { Poll::Pending }
    })
    .await
}

/// Returns the order of rows by their sort keys, then by their primary keys.
fn compare(left: &[Option<AttributeValue>], right: &[Option<AttributeValue>]) -> Ordering {
    let values = left.iter().zip(right).map(|(left, right)| match (left, right) {
        (Some(AttributeValue::S(left)), Some(AttributeValue::S(right))) => left.cmp(right),
        (Some(AttributeValue::N(left)), Some(AttributeValue::N(right))) => left.cmp(right),
        (Some(AttributeValue::B(left)), Some(AttributeValue::B(right))) => left.cmp(right),
        _ => Ordering::Equal,
    });
    values.fold(Ordering::Equal, Ordering::then)
}
