//! `POST /match/{id}/alliance/messages`: writes to allies.

use super::MessageView;
use crate::api::prelude::*;

/// How often a player may write.
const MESSAGES: CallLimit = CallLimit::per_minute("alliance_message", 20);
/// How often the next number is tried after losing a race.
const TRIES_MAX: usize = 20;
/// The code of a problem that only this operation sees.
const NUMBER_TAKEN: &str = "MESSAGE_NUMBER_TAKEN";

/// A message to write.
#[derive(Debug, Body)]
pub(crate) struct Message {
    #[body(length = 1..=280, example = "Meet me at the mill.")]
    text: String,
}

/// Writes to the allies of the player's tribute.
#[operation(
    POST "/match/{id}/alliance/messages", once, queue = id, limit(MESSAGES, player),
    refuses(refusal::PLAYER_ONLY, ContentViolation, NotStarted, MatchEnded, TributeDead, NoAlliance)
)]
pub(crate) async fn send_message(
    app: &App,
    call: &Call<MatchPath, Message>,
) -> Answer<Created<MessageView>> {
    let (match_id, text) = (&call.path.id, &call.body.text);
    let tribute_id = tokens::player(call, match_id)?;
    moderation::check("text", text)?;
    let row = turn::current(app, match_id).await?;
    let alliance_id = alliance(&row.state, &tribute_id)?;
    let (mut seen, mut tried) = (None, 0);
    for _ in 0..TRIES_MAX {
        let last = app.db.last_messages(match_id, &alliance_id).take(1).skip_unreadable();
        let last = last.page().await?.rows.first().map_or(0, |last| last.seq);
        // An unreadable row has a number, too.
        tried = if seen == Some(last) { tried + 1 } else { last + 1 };
        seen = Some(last);
        let mut tx = app.db.transact();
        let message = tx.add(create(AllianceMessage {
            match_id: match_id.clone(),
            alliance_id: alliance_id.clone(),
            seq: tried,
            tribute_id: tribute_id.clone(),
            text: text.clone(),
            timestamp: app.now_ms(),
            ttl: row.ttl,
        }));
        let sent = call
            .commit(tx)
            .refuse(message, Problem::conflict(NUMBER_TAKEN, "The number is taken."))
            .respond(move |done| Created(MessageView::of(&done[message])))
            .await;
        match sent {
            Err(problem) if problem.code == NUMBER_TAKEN => {}
            sent => return sent,
        }
    }
    Err(Problem::unavailable("Your allies write faster; try again."))
}

/// Returns the subject of the limit.
fn player(call: &Call<MatchPath, Message>) -> Result<String, Problem> {
    let match_id = &call.path.id;
    Ok(format!("{match_id}:{}", tokens::player(call, match_id)?))
}

/// Returns the alliance that a living tribute can write to.
fn alliance(state: &MatchState, tribute_id: &TributeId) -> Result<AllianceId, Refusal> {
    match state.status {
        Status::Lobby => return Err(Refusal::NotStarted),
        Status::Ended => return Err(Refusal::MatchEnded),
        Status::Active => {}
    }
    let tribute = state.tribute(tribute_id).ok_or(Refusal::UnknownTribute)?;
    if !tribute.alive {
        return Err(Refusal::TributeDead);
    }
    let is_ally = |id: &TributeId| state.are_allies(id, tribute_id) && id != tribute_id;
    let has_ally = state.living().any(|one| is_ally(&one.id));
    tribute.alliance_id.clone().filter(|_| has_ally).ok_or(Refusal::NoAlliance)
}
