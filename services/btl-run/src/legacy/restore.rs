//! The state of a match from its log, if the state is missing or unreadable.

use monotable::model::Error;
use monotable_kit::{Problem, ProblemKind};
use serde_json::json;

use crate::app::App;
use crate::kv::{Expiry, Key};
use crate::rules::events::{Event, replay};
use crate::table::{BtlRunReads as _, MatchId, MatchRow, Stamps};

/// The result of restoring a state.
pub(crate) enum Restored {
    /// It was written.
    Written,
    /// Another process has written one in the meantime.
    Known,
    /// The log does not result in a state, for this reason.
    Unsound(String),
}

/// Writes the state of a match that results from its complete log, if it is missing or unreadable.
/// A log with a gap, or with a row that is not an event, is left unchanged: the missing part cannot
/// be reconstructed.
///
/// # Errors
///
/// Returns the errors of the table.
pub(crate) async fn restore(app: &App, match_id: &MatchId) -> Result<Restored, Problem> {
    let key = Key::new(format!("match#{match_id}"), "state")?;
    let seen = app.kv.version(&key).await?;
    let version = seen.flatten().unwrap_or(0) + 1;
    let events = match whole_log(app, match_id).await {
        Ok(events) => events,
        Err(error @ (Error::Decode { .. } | Error::Key { .. })) => {
            return Ok(Restored::Unsound(error.to_string()));
        }
        Err(error) => return Err(error.into()),
    };
    let state = match replay(&events, version) {
        Ok(state) => state,
        Err(error) => return Ok(Restored::Unsound(error.to_string())),
    };
    let written = match seen {
        Some(version) => app.kv.replace(&key, version, state, Expiry::Kept).await.map(drop),
        None => {
            let row = MatchRow {
                match_id: match_id.clone(),
                state,
                stamps: Stamps::default(),
                ttl: None,
            };
            app.db.create(&row).await.map(drop).map_err(Problem::from)
        }
    };
    match written {
        Ok(()) => {
            let of = json!({ "matchId": match_id });
            app.repairs.note("state_rebuilt", &of, app.db.now());
            Ok(Restored::Written)
        }
        Err(problem) if matches!(problem.kind, ProblemKind::Conflict | ProblemKind::NotFound) => {
            Ok(Restored::Known)
        }
        Err(problem) => Err(problem),
    }
}

/// Returns every event of a match, in one partition or spread over several.
async fn whole_log(app: &App, match_id: &MatchId) -> Result<Vec<Event>, Error> {
    let mut log = Vec::new();
    let mut rows = app.db.events_after(match_id, 0).stream();
    while let Some(row) = rows.next().await {
        log.push(row?.event);
    }
    if log.is_empty() {
        let mut rows = app.db.sharded_events_after(match_id, 0).stream();
        while let Some(row) = rows.next().await {
            log.push(row?.event);
        }
    }
    Ok(log)
}
