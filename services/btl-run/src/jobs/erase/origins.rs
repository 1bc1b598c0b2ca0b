//! The state of a match without a user, and the events that it results from.

use monotable::model::{Transact, edit};
use monotable_kit::Problem;

use super::PAGE;
use crate::app::App;
use crate::log_rows::{LogRow, rows_after};
use crate::rules::erasure::Erasure;
use crate::rules::events::{Event, EventBody};
use crate::rules::state::MatchState;
use crate::table::{BtlRun, BtlRunReads as _, MatchRow};

/// Returns the events that contain the users of a match and the texts of its turns.
pub(super) async fn signs_of(app: &App, state: &MatchState) -> Result<Vec<Event>, Problem> {
    let is_sign = |event: &&Event| {
        matches!(event.body, EventBody::TributeJoined { .. } | EventBody::TurnResolved(_))
    };
    let (mut events, mut after) = (Vec::new(), 0);
    loop {
        let rows = rows_after(app, state, after, PAGE).await?;
        let Some(last) = rows.last() else { return Ok(events) };
        after = last.number();
        events.extend(rows.iter().map(LogRow::event).filter(is_sign).cloned());
    }
}

/// Adds the state without the user, the events that it results from, and the removal of the user's
/// tokens.
pub(super) async fn take_out(
    app: &App,
    tx: &mut Transact<BtlRun>,
    row: &MatchRow,
    erasure: &Erasure,
) -> Result<(), Problem> {
    tx.add(edit(row, |row| {
        row.state = erasure.state(&row.state);
        row.state.version = row.stamps.version + 1;
    }));
    if let Some(secret) = app.db.secret(&row.match_id).await? {
        tx.add(edit(&secret, |secret| {
            let players = &mut secret.token_hashes.players;
            erasure.tributes().for_each(|id| drop(players.remove(id)));
        }));
    }
    for origin in origins(app, &row.state, erasure).await? {
        origin.replace_event(tx, erasure.event(origin.event()));
    }
    Ok(())
}

/// Returns the events that the erased parts of the state come from: the creator of the match, the
/// joins, pending actions, and the narrator's memory.
async fn origins(app: &App, state: &MatchState, erasure: &Erasure) -> Result<Vec<LogRow>, Problem> {
    let (mut people, mut pending, mut memory) = (Vec::new(), None, None);
    let mut after = 0;
    loop {
        let rows = rows_after(app, state, after, PAGE).await?;
        let Some(last) = rows.last() else { break };
        after = last.number();
        for row in rows.into_iter().filter(|row| row.number() <= state.log_seq) {
            match &row.event().body {
                EventBody::MatchCreated(_) => people.push(row),
                EventBody::TributeJoined { tribute, .. }
                    if state.tribute(&tribute.id).is_some() =>
                {
                    people.push(row);
                }
                EventBody::TributeActionSubmitted { tribute_id, .. }
                    if row.event().turn_id == state.turn_id
                        && erasure.tributes().any(|id| id == tribute_id) =>
                {
                    pending = Some(row);
                }
                EventBody::NarrationAttached(story) if story.memory.is_some() => {
                    memory = Some(row);
                }
                _ => {}
            }
        }
    }
    let origins = people.into_iter().chain(pending).chain(memory);
    Ok(origins.filter(|row| erasure.event(row.event()) != *row.event()).collect())
}
