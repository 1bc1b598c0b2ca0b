//! Messages among allies: nobody else sees them.

use monotable::model::create;
use monotable_kit::{Problem, Reply, Request};
use serde::Deserialize;
use serde_json::{Value, json};

use super::page::Page;
use super::turn;
use crate::app::App;
use crate::rate::{self, Counted, Limited};
use crate::refusal::Refusal;
use crate::rules::moderation;
use crate::rules::state::{MatchState, Status};
use crate::table::{AllianceId, AllianceMessage, BtlRunReads as _, MatchId, TributeId};
use crate::tokens;

/// Characters of a message at most.
pub(crate) const MESSAGE_CHARACTERS_MAX: usize = 280;
/// How often the next number is tried because an ally was faster.
const TRIES_MAX: usize = 20;
/// The code of a problem that only [`send`] sees.
const NUMBER_TAKEN: &str = "MESSAGE_NUMBER_TAKEN";

#[derive(Deserialize)]
struct MessageBody {
    text: String,
}

/// Counts a message of a player.
///
/// # Errors
/// 401, 403 or 429.
pub async fn count(app: &App, call: &Request) -> Result<Counted, Problem> {
    let match_id: MatchId = call.id("id")?;
    let tribute_id = tokens::player(call, &match_id)?;
    rate::count(app, Limited::AllianceMessage, &format!("{match_id}:{tribute_id}")).await
}

/// `POST /match/{id}/alliance/messages`.
///
/// # Errors
/// 400 `CONTENT_VIOLATION`, 401 and 403 for others than players, 409 for the dead and for those without
/// allies.
pub async fn send(app: &App, call: &Request) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    let tribute_id = tokens::player(call, &match_id)?;
    let MessageBody { text } = call.read()?;
    moderation::check("text", &text)?;
    let row = turn::current(app, &match_id).await?;
    let alliance_id = alliance(&row.state, &tribute_id)?.ok_or_else(|| {
        Problem::conflict("NO_ALLIANCE", "The tribute has no allies to write to.")
    })?;
    let (mut seen, mut tried) = (None, 0);
    for _ in 0..TRIES_MAX {
        let last = app.db.last_messages(&match_id, &alliance_id).take(1).skip_unreadable();
        let last = last.page().await?.rows.first().map_or(0, |last| last.seq);
        // A row that nobody can read has a number, too.
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
            .reply(move |done| Reply::created(&view(&done[message])))
            .await;
        match sent {
            Err(problem) if problem.code == NUMBER_TAKEN => {}
            sent => return sent,
        }
    }
    Err(Problem::unavailable("Your allies write faster; try again."))
}

/// `GET /match/{id}/alliance/messages`: those of the alliance that the player's tribute is in.
///
/// # Errors
/// 401 and 403 for others than players, 404.
pub async fn list(app: &App, call: &Request) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    let tribute_id = tokens::player(call, &match_id)?;
    let state = turn::seen(app, &match_id).await?.state;
    let tribute = state.tribute(&tribute_id).ok_or(Refusal::UnknownTribute)?;
    let Some(alliance_id) = &tribute.alliance_id else {
        let page = Page::of(app, call, format!("messages {match_id}"))?;
        return Ok(page.reply(app, &[], None));
    };
    let page = Page::of(app, call, format!("messages {match_id} {alliance_id}"))?;
    let (mut found, mut unreadable, mut next) = (Vec::new(), 0, None);
    loop {
        let rows = app.db.messages_after(&match_id, alliance_id, page.after).skip_unreadable();
        let rows = rows.take(page.limit - found.len());
        let rows = match &next {
            Some(cursor) => rows.after(cursor),
            None => rows,
        };
        let read = rows.page().await?;
        found.extend(read.rows);
        unreadable += read.unreadable.len();
        next = read.next;
        if next.is_none() || found.len() >= page.limit {
            break;
        }
    }
    let items: Vec<Value> = found.iter().map(view).collect();
    let last = next.and(found.last()).map(|row| row.seq);
    let mut shown = page.shown(app, &items, last);
    if unreadable > 0 {
        shown["unreadable"] = unreadable.into();
    }
    Ok(Reply::ok(&shown))
}

/// The alliance that a living tribute can write to.
fn alliance(state: &MatchState, tribute_id: &TributeId) -> Result<Option<AllianceId>, Refusal> {
    match state.status {
        Status::Lobby => return Err(Refusal::NotStarted),
        Status::Ended => return Err(Refusal::MatchEnded),
        Status::Active => {}
    }
    let tribute = state.tribute(tribute_id).ok_or(Refusal::UnknownTribute)?;
    if !tribute.alive {
        return Err(Refusal::TributeDead);
    }
    let is_ally = |id: &&TributeId| state.are_allies(id, tribute_id) && *id != tribute_id;
    let has_ally = state.living().map(|one| &one.id).any(|id| is_ally(&id));
    Ok(tribute.alliance_id.clone().filter(|_| has_ally))
}

fn view(message: &AllianceMessage) -> Value {
    json!({
        "seq": message.seq,
        "allianceId": message.alliance_id,
        "tributeId": message.tribute_id,
        "text": message.text,
        "timestamp": message.timestamp,
    })
}
