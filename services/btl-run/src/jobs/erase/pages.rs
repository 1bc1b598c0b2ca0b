//! The next events of a log that still contain data of a user.

use monotable::model::Transact;
use monotable_kit::Problem;

use super::{PAGE, Progress, ROWS_MAX};
use crate::app::App;
use crate::log::events_until_turn;
use crate::log_rows::{LogRow, rows_after};
use crate::rules::erasure::Erasure;
use crate::rules::events::{Event, EventBody};
use crate::rules::narration::{Offline, Prompt};
use crate::rules::state::MatchState;
use crate::table::BtlRun;

/// Rows after which a page ends even if little is in it.
const READ_MAX: usize = 2_000;

/// The part of a log to rewrite next.
#[derive(Default)]
struct Page {
    changed: Vec<(LogRow, Event)>,
    /// The last action of the user in a turn whose result is not in the page yet: the result
    /// repeats its text, and both change together.
    open: Option<usize>,
    /// The last row that was read.
    last: u32,
    read: usize,
}

impl Page {
    /// Adds the next row, and its rewritten event.
    fn add(&mut self, row: LogRow, rewritten: Event) {
        self.last = row.number();
        self.read += 1;
        if rewritten == *row.event() {
            return self.close_with(&row);
        }
        if matches!(rewritten.body, EventBody::TributeActionSubmitted { .. }) {
            self.open = Some(self.changed.len());
        }
        self.close_with(&row);
        self.changed.push((row, rewritten));
    }

    fn close_with(&mut self, row: &LogRow) {
        if matches!(row.event().body, EventBody::TurnResolved(_)) {
            self.open = None;
        }
    }

    fn is_full(&self) -> bool {
        let free = self.changed.len() - usize::from(self.open.is_some());
        free >= ROWS_MAX - 1 || self.open.is_none() && self.read >= READ_MAX
    }
}

/// Returns the event without the user. A story whose narrator knew the user's texts may paraphrase
/// them, so it is written again.
async fn rewritten(
    app: &App,
    state: &MatchState,
    erasure: &Erasure,
    event: &Event,
) -> Result<Event, Problem> {
    let mut event = erasure.event(event);
    if let EventBody::NarrationAttached(story) = &mut event.body
        && erasure.is_quoted(&story.turn_id)
    {
        let events = events_until_turn(app, state, &story.turn_id, |_| true).await?;
        let events: Vec<Event> = events.iter().map(|event| erasure.event(event)).collect();
        let prompt = Prompt::of_turn(state, &story.turn_id, &events);
        story.narration = Offline::write(&prompt);
        story.tags = Offline::tags(&prompt).into_iter().map(str::to_owned).collect();
        story.fallback = true;
    }
    Ok(event)
}

/// Adds the next page, and returns its last event; `None` after the end of the log.
pub(super) async fn next_page(
    app: &App,
    tx: &mut Transact<BtlRun>,
    state: &MatchState,
    progress: &Progress,
) -> Result<Option<u32>, Problem> {
    let mut page = Page { last: progress.after_seq, ..Page::default() };
    while !page.is_full() {
        let rows = rows_after(app, state, page.last, PAGE).await?;
        let rows: Vec<LogRow> =
            rows.into_iter().filter(|row| row.number() <= state.log_seq).collect();
        if rows.is_empty() {
            // The turn that is open now was changed with the state.
            page.open = None;
            break;
        }
        for row in rows {
            let rewritten = rewritten(app, state, &progress.erasure, row.event()).await?;
            page.add(row, rewritten);
            if page.is_full() {
                break;
            }
        }
    }
    if page.last == progress.after_seq {
        return Ok(None);
    }
    let mut last = page.last;
    if let Some(open) = page.open {
        let (row, _) = page.changed.remove(open);
        last = row.number() - 1;
    }
    for (row, event) in page.changed {
        row.replace_event(tx, event);
    }
    Ok(Some(last))
}
