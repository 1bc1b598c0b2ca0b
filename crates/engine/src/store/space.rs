//! Decides when removed rows are worth a merge of all tables, which frees their space.
//!
//! Merging level by level removes rows only where the levels above are full, which may never happen
//! after the last change. A merge of everything costs as much as all remaining rows, so it waits
//! for a quiet moment and for enough removed rows.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Fewer changed rows than this between two calls are a quiet second.
const QUIET_ROWS_MAX: u64 = 200;
/// The number of quiet calls in a row that make a quiet moment.
const QUIET_CALLS: u32 = 5;
/// All tables are merged when one row was removed for this many remaining ones.
const LEFT_PER_REMOVED: u64 = 4;
/// Larger tables are merged level by level only: a merge of all would take minutes.
const MERGED_BYTES_MAX: u64 = 8 << 30;

/// Counts changed and removed rows.
#[derive(Default)]
pub(super) struct Space(Mutex<State>);

#[derive(Default)]
struct State {
    /// Rows changed since the last call of [`Space::is_merge_worthwhile`].
    changed: u64,
    /// Rows removed since the last merge of all tables.
    removed: u64,
    quiet_calls: u32,
}

impl Space {
    /// Counts changed rows, some of which were removed.
    pub(super) fn count(&self, changed: u64, removed: u64) {
        let mut state = self.state();
        state.changed += changed;
        state.removed += removed;
    }

    /// Returns whether all tables should be merged now; called every second. `bytes` is the size of
    /// the tables; `entries` counts rows and removals, including those in memory.
    pub(super) fn is_merge_worthwhile(&self, entries: u64, bytes: u64) -> bool {
        let mut state = self.state();
        let is_quiet = std::mem::take(&mut state.changed) < QUIET_ROWS_MAX;
        state.quiet_calls = if is_quiet { state.quiet_calls + 1 } else { 0 };
        // A removed row is two entries until it is merged: the row, and its removal.
        let left = entries.saturating_sub(2 * state.removed);
        let is_enough = state.removed > 0 && state.removed * LEFT_PER_REMOVED >= left;
        state.quiet_calls >= QUIET_CALLS && is_enough && bytes <= MERGED_BYTES_MAX
    }

    /// Resets the counter of removed rows: a merge of all tables starts.
    pub(super) fn begin_merge(&self) {
        self.state().removed = 0;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet_calls(space: &Space, entries: u64) -> u32 {
        (1..=20).find(|_| space.is_merge_worthwhile(entries, 1)).unwrap_or(0)
    }

    #[test]
    fn a_merge_waits_for_a_quiet_moment_and_enough_removed_rows() {
        let space = Space::default();
        assert_eq!(quiet_calls(&space, 1_000), 0, "nothing was removed");
        space.count(1_000, 100);
        assert_eq!(quiet_calls(&space, 1_000), 0, "too little was removed");
        space.count(1_000, 100);
        assert_eq!(quiet_calls(&space, 1_000), 6, "the first call was not quiet");
        assert!(!space.is_merge_worthwhile(1_000, MERGED_BYTES_MAX + 1));
        space.begin_merge();
        assert_eq!(quiet_calls(&space, 600), 0);
    }
}
