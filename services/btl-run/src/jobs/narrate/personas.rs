//! The personas of AI tributes, written by a language model: their catchphrases and habits. Their
//! actions follow from their archetype, which no model changes.
//!
//! Personas are decoration: without a model, a budget or time before the start, the tributes keep
//! their defaults.

use monotable::model::rows::Held;
use monotable_kit::{Problem, repeat};

use super::asking::Asking;
use super::locked;
use crate::app::App;
use crate::change::Change;
use crate::rules::decide;
use crate::rules::moderation::is_violation;
use crate::rules::narration::Prompt;
use crate::rules::state::{PERSONA_CHARACTERS_MAX, Persona, Status, Tribute, TributeKind};
use crate::table::{MatchId, TributeId};

/// Habits of a tribute at most.
const QUIRKS_MAX: usize = 3;

/// Requests the personas of a new match, concurrently with the response.
pub(crate) fn personas_soon(app: &App, match_id: &MatchId) {
    if !app.narrates_at_once {
        return;
    }
    let (app, match_id) = (app.clone(), match_id.clone());
    tokio::spawn(async move { give_personas(&app, &match_id).await.is_ok() });
}

/// Gives the AI tributes of a lobby personas of their own, and returns how many got one.
///
/// # Errors
///
/// Returns the errors of the table.
pub async fn give_personas(app: &App, match_id: &MatchId) -> Result<usize, Problem> {
    let Some(held) = locked(app, match_id).await? else { return Ok(0) };
    let given = give_all(app, &held, match_id).await;
    // After the lease has ended there is nothing to release.
    let _ = app.kv.release(match_id, &held).await;
    given
}

async fn give_all(app: &App, held: &Held, match_id: &MatchId) -> Result<usize, Problem> {
    let Some(row) = app.find_match(match_id).await? else { return Ok(0) };
    let is_plain =
        |one: &&Tribute| one.kind == TributeKind::Ai && one.persona.catchphrase.is_none();
    let mut asking = Asking::new(app, match_id, held);
    let mut given = 0;
    for tribute in row.state.roster.iter().filter(is_plain) {
        let reply = asking.refined(Prompt::of_persona(&row.state, tribute)).await;
        let Some((says, habits)) = reply else { break };
        let Some(persona) = persona_of(tribute, says, habits) else { continue };
        if !repeat(|| give(app, match_id, &tribute.id, &persona)).await? {
            break;
        }
        given += 1;
    }
    app.narration.tokens.add(asking.tokens_used);
    Ok(given)
}

/// Returns the tribute's archetype with a model's text, if that is acceptable for all readers.
fn persona_of(tribute: &Tribute, says: String, habits: Vec<String>) -> Option<Persona> {
    let is_short = says.chars().count() <= PERSONA_CHARACTERS_MAX && !says.contains('\n');
    if !is_short || is_violation(&says) {
        return None;
    }
    let habits = habits.into_iter().filter(|habit| !is_violation(habit));
    let mut quirks: Vec<String> = habits.take(QUIRKS_MAX).collect();
    if quirks.is_empty() {
        quirks.clone_from(&tribute.persona.quirks);
    }
    let archetype = tribute.persona.archetype.clone();
    Some(Persona { archetype, quirks, catchphrase: Some(says) })
}

/// Stores a persona; returns false if the match has started or the tribute is gone.
async fn give(
    app: &App,
    match_id: &MatchId,
    tribute_id: &TributeId,
    persona: &Persona,
) -> Result<bool, Problem> {
    let row = app.match_row(match_id).await?;
    if row.state.status != Status::Lobby {
        return Ok(false);
    }
    let Ok(events) = decide::give_persona(&row.state, tribute_id, persona, app.now_ms()) else {
        return Ok(true);
    };
    Change::new(app, row, events).await?.commit_unasked(app).await?;
    Ok(true)
}
