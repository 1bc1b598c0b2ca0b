//! The state of a match without a user, and the events that it follows from.

use monotable::model::Transact;
use monotable_kit::Problem;

use super::PAGE;
use crate::app::App;
use crate::erase::Erasure;
use crate::events::{Event, EventBody};
use crate::log_rows::{LogRow, rows_after};
use crate::patterns::{BtlRun, BtlRunReads as _};
use crate::rows::MatchRow;
use crate::state::MatchState;

/// The events of a match before its first turn.
pub(super) async fn lobby_of(app: &App, state: &MatchState) -> Result<Vec<Event>, Problem> {
    let mut events: Vec<Event> = Vec::new();
    loop {
        let after = events.last().map_or(0, |event| event.seq);
        let rows = rows_after(app, state, after, PAGE).await?;
        if rows.is_empty() {
            return Ok(events);
        }
        for row in rows {
            if matches!(row.event().body, EventBody::MatchStarted(_)) {
                return Ok(events);
            }
            events.push(row.event().clone());
        }
    }
}

/// The state without the user, the events that it follows from, and the end of the user's tokens.
pub(super) async fn take_out(
    app: &App,
    row: &MatchRow,
    erasure: &Erasure,
) -> Result<Transact<BtlRun>, Problem> {
    let mut out = app.db.transact().edit(row, |row| {
        row.state = erasure.state(&row.state);
        row.state.version = row.ver + 1;
    });
    if let Some(secret) = app.db.secret(&row.match_id).await? {
        out = out.edit(&secret, |secret| {
            let players = &mut secret.token_hashes.players;
            erasure.tributes().for_each(|id| drop(players.remove(id)));
        });
    }
    for origin in origins(app, &row.state, erasure).await? {
        let told = erasure.event(origin.event());
        out = origin.retell(out, told);
    }
    Ok(out)
}

/// The events that give the state what is taken out of it: who created the match, who joined, what is
/// about to be done, and what the narrator remembers.
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
