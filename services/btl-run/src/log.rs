//! The log of a match in the table: appended by transactions, read forwards and backwards.
//!
//! Rows after the state's last number were left by programs that wrote log and state separately.
//! They are not part of the match, and are never returned here.

use monotable::model::time::EpochSeconds;
use monotable::model::{Cursor, Error, Handle, Page, RowSet, Rows, Transact, create};
use monotable_kit::{Problem, Refusals};
use serde_json::{Map, Value};

use crate::app::App;
use crate::rules::events::Event;
use crate::rules::redact::{EventView, Viewer};
use crate::rules::state::MatchState;
use crate::table::{BtlRun, BtlRunReads as _, EventRow, ShardedEventRow, TurnId};

/// The number of partitions of a spread log.
pub const SHARDS: u32 = 4;

/// The row of an event in a transaction, in one partition or spread over several.
#[derive(Clone, Copy, Debug)]
pub(crate) enum EventHandle {
    One(Handle<EventRow>),
    Sharded(Handle<ShardedEventRow>),
}

impl EventHandle {
    /// Returns a problem if the row exists.
    pub(crate) fn refuse_existing(
        self,
        refusals: Refusals<'_>,
        problem: fn() -> Problem,
    ) -> Refusals<'_> {
        let existing = move |error: &Error| matches!(error, Error::Exists { .. }).then(problem);
        match self {
            Self::One(row) => refusals.refuse_with(row, existing),
            Self::Sharded(row) => refusals.refuse_with(row, existing),
        }
    }
}

/// Adds the row of an event, which must not exist. It expires with its match.
pub(crate) fn append(
    tx: &mut Transact<BtlRun>,
    state: &MatchState,
    event: &Event,
    ttl: Option<EpochSeconds>,
) -> EventHandle {
    let (match_id, number, event) = (state.match_id.clone(), event.seq, event.clone());
    if state.shard_count == 0 {
        EventHandle::One(tx.add(create(EventRow { match_id, number, event, ttl })))
    } else {
        EventHandle::Sharded(tx.add(create(ShardedEventRow { match_id, number, event, ttl })))
    }
}

/// Returns the events after a number, in order, up to a limit. Unreadable events of other programs
/// are skipped; they do not hide later ones.
///
/// # Errors
///
/// Returns the errors of the table.
pub async fn events_after(
    app: &App,
    state: &MatchState,
    seq: u32,
    limit: usize,
) -> Result<Vec<Event>, Problem> {
    let (id, mut events, mut next) = (&state.match_id, Vec::<Event>::new(), None);
    loop {
        let rest = limit - events.len();
        let (found, cursor): (Vec<Event>, _) = match state.shard_count {
            0 => {
                let page = page(app.db.events_after(id, seq), rest, next.as_ref()).await?;
                (page.rows.into_iter().map(|row| row.event).collect(), page.next)
            }
            _ => {
                let rows = app.db.sharded_events_after(id, seq);
                let page = page(rows, rest, next.as_ref()).await?;
                (page.rows.into_iter().map(|row| row.event).collect(), page.next)
            }
        };
        events.extend(found);
        let is_over = events.last().is_some_and(|event| event.seq >= state.log_seq);
        if cursor.is_none() || is_over || events.len() >= limit {
            events.retain(|event| event.seq <= state.log_seq);
            return Ok(events);
        }
        next = cursor;
    }
}

async fn page<S: RowSet>(
    rows: Rows<S>,
    limit: usize,
    next: Option<&Cursor>,
) -> Result<Page<S>, Problem> {
    let rows = rows.take(limit).skip_unreadable();
    let rows = match next {
        Some(cursor) => rows.after(cursor),
        None => rows,
    };
    Ok(rows.page().await?)
}

/// A row of a log.
pub(crate) enum Entry {
    /// An event.
    Known(Box<Event>),
    /// An event of another program.
    Foreign {
        /// Its number in the log.
        seq: u32,
        /// The other members that the program wrote.
        members: Map<String, Value>,
    },
    /// A row that can't be read.
    Unreadable {
        /// Its number in the log.
        seq: u32,
    },
}

impl Entry {
    /// Returns the row as a viewer may see it. Of another program's event only the kind and the
    /// time are shown, because its visibility is unknown.
    pub(crate) fn view(&self, state: &MatchState, viewer: &Viewer) -> Option<EventView> {
        match self {
            Self::Known(event) => EventView::seen_by(event, state, viewer),
            Self::Unreadable { seq } => {
                Some(EventView { seq: *seq, unreadable: Some(true), ..EventView::default() })
            }
            Self::Foreign { seq, members } => Some(EventView {
                seq: *seq,
                timestamp: members.get("timestamp").and_then(Value::as_i64),
                kind: members.get("type").and_then(Value::as_str).map(str::to_owned),
                ..EventView::default()
            }),
        }
    }

    fn seq(&self) -> u32 {
        match self {
            Self::Known(event) => event.seq,
            Self::Foreign { seq, .. } | Self::Unreadable { seq } => *seq,
        }
    }
}

/// Returns the entries of the log after a number, and the number up to which they are complete,
/// within a limit.
///
/// # Errors
///
/// Returns the errors of the table.
pub(crate) async fn entries_after(
    app: &App,
    state: &MatchState,
    seq: u32,
    limit: u32,
) -> Result<(Vec<Entry>, u32), Problem> {
    let until = seq.saturating_add(limit).min(state.log_seq);
    let (id, shards) = (&state.match_id, state.shard_count);
    let found = app.kv.events::<Value>(id, shards, Some(seq), limit).await?;
    let entries = found.entries.into_iter().filter(|entry| entry.seq <= until);
    let entries = entries.map(|entry| match serde_json::from_value(entry.event.clone()) {
        Ok(event) => Entry::Known(Box::new(event)),
        Err(_) => {
            let members = entry.event.as_object().into_iter().flatten();
            let members = members.filter(|(name, _)| matches!(name.as_str(), "timestamp" | "type"));
            let members: Map<_, _> =
                members.map(|(name, value)| (name.clone(), value.clone())).collect();
            if members.contains_key("type") {
                Entry::Foreign { seq: entry.seq, members }
            } else {
                Entry::Unreadable { seq: entry.seq }
            }
        }
    });
    let unreadable = found.unreadable.into_iter().filter(|seq| *seq <= until);
    let mut entries: Vec<Entry> =
        entries.chain(unreadable.map(|seq| Entry::Unreadable { seq })).collect();
    entries.sort_by_key(Entry::seq);
    Ok((entries, until))
}

/// How many events are read at once.
const PAGE: usize = 500;

/// Returns all events of a match, in order.
///
/// # Errors
///
/// Returns the errors of the table.
pub async fn all_events(app: &App, state: &MatchState) -> Result<Vec<Event>, Problem> {
    let mut events: Vec<Event> = Vec::new();
    loop {
        let seq = events.last().map_or(0, |event| event.seq);
        if seq >= state.log_seq {
            return Ok(events);
        }
        let page = events_after(app, state, seq, PAGE).await?;
        if page.is_empty() {
            return Ok(events);
        }
        events.extend(page);
    }
}

/// Returns the events of the open day, in order.
///
/// # Errors
///
/// Returns the errors of the table.
pub(crate) async fn events_of_day(app: &App, state: &MatchState) -> Result<Vec<Event>, Problem> {
    let (mut events, mut below) = (Vec::new(), state.log_seq);
    while below > 0 {
        let above = below.saturating_sub(u32::try_from(DAY_PAGE).unwrap_or(u32::MAX));
        let page = events_after(app, state, above, DAY_PAGE).await?;
        let is_older = page.iter().any(|event| event.day < state.day);
        let of_day = page.into_iter().filter(|event| event.seq <= below && event.day == state.day);
        events.splice(0..0, of_day);
        if is_older {
            break;
        }
        below = above;
    }
    Ok(events)
}

/// Returns the events of a resolved turn, with earlier ones back to the first for which `is_enough`
/// returns `true`, in order.
///
/// # Errors
///
/// Returns the errors of the table.
pub(crate) async fn events_until_turn(
    app: &App,
    state: &MatchState,
    turn_id: &TurnId,
    is_enough: impl Fn(&Event) -> bool,
) -> Result<Vec<Event>, Problem> {
    let (mut events, mut below) = (Vec::<Event>::new(), state.log_seq);
    let of_turn = |event: &Event| event.turn_id.as_ref() == Some(turn_id);
    while below > 0 {
        let above = below.saturating_sub(u32::try_from(DAY_PAGE).unwrap_or(u32::MAX));
        let mut page = events_after(app, state, above, DAY_PAGE).await?;
        page.retain(|event| event.seq <= below);
        events.splice(0..0, page);
        if let Some(last) = events.iter().rposition(of_turn) {
            events.truncate(last + 1);
            let first = events.iter().position(of_turn).unwrap_or(0);
            if let Some(enough) = events[..first].iter().rposition(&is_enough) {
                events.drain(..=enough);
                break;
            }
        } else {
            events.clear();
        }
        below = above;
    }
    Ok(events)
}

/// How many events are read at once, backwards to the beginning of a day or a turn. A day of twelve
/// tributes has about twelve.
const DAY_PAGE: usize = 40;
