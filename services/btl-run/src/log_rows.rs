//! The rows of a log, for the code that may change them: the archive, erasures, and repairs.

use monotable::model::time::EpochSeconds;
use monotable::model::{Entity as _, RowSet, Rows, Transact, edit};
use monotable_kit::Problem;

use crate::app::App;
use crate::rules::events::Event;
use crate::rules::state::MatchState;
use crate::table::{BtlRun, BtlRunReads as _, EventRow, ShardedEventRow};

/// The row of an event, in one partition or spread over several.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LogRow {
    One(EventRow),
    Sharded(ShardedEventRow),
}

impl LogRow {
    /// Returns the event.
    pub(crate) fn event(&self) -> &Event {
        match self {
            Self::One(row) => &row.event,
            Self::Sharded(row) => &row.event,
        }
    }

    /// Returns the number in its key.
    pub(crate) fn number(&self) -> u32 {
        match self {
            Self::One(row) => row.number,
            Self::Sharded(row) => row.number,
        }
    }

    /// Returns its expiry.
    pub(crate) fn ttl(&self) -> Option<EpochSeconds> {
        match self {
            Self::One(row) => row.ttl,
            Self::Sharded(row) => row.ttl,
        }
    }

    /// Adds a replacement of the event, if it has not changed since it was read.
    pub(crate) fn replace_event(&self, tx: &mut Transact<BtlRun>, event: Event) {
        match self {
            Self::One(row) => {
                tx.add(edit(row, |row| row.event = event));
            }
            Self::Sharded(row) => {
                tx.add(edit(row, |row| row.event = event));
            }
        }
    }

    /// Sets its expiry.
    pub(crate) fn forget_at(&self, tx: &mut Transact<BtlRun>, ttl: Option<EpochSeconds>) {
        match self {
            Self::One(row) => tx.add(EventRow::update(&row.key()).ttl(ttl)),
            Self::Sharded(row) => tx.add(ShardedEventRow::update(&row.key()).ttl(ttl)),
        };
    }
}

/// Returns the readable rows after a number, in order, up to a limit: also those after the last
/// number of the state.
///
/// # Errors
///
/// Returns the errors of the table.
pub(crate) async fn rows_after(
    app: &App,
    state: &MatchState,
    number: u32,
    limit: usize,
) -> Result<Vec<LogRow>, Problem> {
    let id = &state.match_id;
    Ok(match state.shard_count {
        0 => readable(|| app.db.events_after(id, number).take(limit))
            .await?
            .into_iter()
            .map(LogRow::One)
            .collect(),
        _ => readable(|| app.db.sharded_events_after(id, number).take(limit))
            .await?
            .into_iter()
            .map(LogRow::Sharded)
            .collect(),
    })
}

/// Returns the first page with readable rows: one without them is not the end.
async fn readable<S: RowSet>(asked: impl Fn() -> Rows<S>) -> Result<Vec<S>, Problem> {
    let mut page = asked().skip_unreadable().page().await?;
    while let (true, Some(next)) = (page.rows.is_empty(), &page.next) {
        page = asked().skip_unreadable().after(next).page().await?;
    }
    Ok(page.rows)
}
