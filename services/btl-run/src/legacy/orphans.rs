//! Rows of a log after the last number of its state, written by programs that wrote log and state
//! separately. They are not part of the match, and have the keys of its next events.

use monotable::model::{Entity as _, check, delete_by_key};
use monotable_kit::{Problem, Refusals};
use serde_json::{Value, json};

use super::Orphan;
use crate::app::App;
use crate::kv::{log_records, seq};
use crate::rules::state::MatchState;
use crate::table::{EventRowKey, MatchRow, ShardedEventRowKey};

/// How many orphans of a partition are removed at once, and a fifth as many unreadable ones: those
/// of all partitions fit in a transaction.
const ORPHANS_PER_PARTITION: u32 = 20;

/// Removes the orphans of a match, conditional on the version of the state that was read, and
/// returns them.
///
/// # Errors
///
/// Returns a version conflict after a concurrent change of the match.
pub(crate) async fn remove_orphans(app: &App, row: &MatchRow) -> Result<Vec<Orphan>, Problem> {
    let mut removed = Vec::new();
    loop {
        let orphans = orphans_of(app, &row.state).await?;
        if orphans.is_empty() {
            return Ok(removed);
        }
        remove(app, row, &orphans).await?;
        for orphan in &orphans {
            let of = json!({ "matchId": orphan.match_id, "seq": orphan.seq });
            app.repairs.note("orphaned_event_removed", &of, app.db.now());
        }
        removed.extend(orphans);
    }
}

/// Returns some rows after the state's last number, whatever they contain.
async fn orphans_of(app: &App, state: &MatchState) -> Result<Vec<Orphan>, Problem> {
    let (id, first) = (&state.match_id, state.log_seq.saturating_add(1));
    let mut orphans = Vec::new();
    for rows in log_records::<Value>(id, state.shard_count, first) {
        let page = app.kv.query(rows.limit(ORPHANS_PER_PARTITION)).await?;
        let readable = page.entries.into_iter().map(|row| (row.sort, row.stored.value.to_string()));
        let unreadable = page.unreadable.into_iter().map(|row| (row.sort, row.error.to_string()));
        let unreadable = unreadable.take(ORPHANS_PER_PARTITION as usize / 5);
        orphans.extend(readable.chain(unreadable).filter_map(|(sort, event)| {
            Some(Orphan { match_id: id.clone(), seq: seq(&sort)?, event })
        }));
    }
    Ok(orphans)
}

async fn remove(app: &App, row: &MatchRow, orphans: &[Orphan]) -> Result<(), Problem> {
    let mut tx = app.db.transact();
    let state = tx.add(check(&row.key(), row.unchanged()));
    for Orphan { match_id, seq, .. } in orphans {
        if row.state.shard_count == 0 {
            tx.add(delete_by_key(&EventRowKey::new(match_id.clone(), *seq)));
        } else {
            tx.add(delete_by_key(&ShardedEventRowKey::new(match_id.clone(), *seq)));
        }
    }
    tx.await.map_err(|error| Refusals::new().retry(state).problem(error))?;
    Ok(())
}
