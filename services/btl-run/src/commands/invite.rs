//! Codes to join a match with: what they lead to, and new ones.

use monotable::model::{Transact, create, delete, edit};
use monotable_kit::{Problem, Reply, Request};
use serde_json::json;

use super::create::{invite, invite_code, invite_end};
use super::turn;
use crate::app::App;
use crate::rate::{self, Counted, Limited};
use crate::refusal::Refusal;
use crate::rules::state::{MatchState, ROSTER_MAX, Status, TributeKind};
use crate::table::{BtlRun, BtlRunReads as _, Invite, InviteCode, MatchId, SecretRow};
use crate::tokens;

/// Counts a code that somebody looks up.
///
/// # Errors
/// 429.
pub async fn count(app: &App, call: &Request) -> Result<Counted, Problem> {
    rate::count(app, Limited::Invite, &rate::address(call)).await
}

/// `GET /invite/{code}`: what somebody is invited to.
///
/// # Errors
/// 404 `INVITE_NOT_FOUND` for a code that leads nowhere, or no longer.
pub async fn show(app: &App, call: &Request) -> Result<Reply, Problem> {
    let code = code(call.path.get("code").map_or("", String::as_str))?;
    let invite = app.db.invite(&code).await?.ok_or_else(not_found)?;
    let row = app.find_match(&invite.match_id).await?.ok_or_else(not_found)?;
    let state = &row.state;
    if state.status != Status::Lobby {
        return Err(not_found());
    }
    let players = state.roster.iter().filter(|one| one.kind != TributeKind::Ai).count();
    Ok(Reply::ok(&json!({
        "code": code,
        "matchId": state.match_id,
        "mode": state.mode,
        "rules": state.rules,
        "theme": state.theme,
        "maxDays": state.max_days,
        "maxRealDays": state.max_real_days,
        "timezone": state.timezone,
        "tributeCount": state.roster.len(),
        "playerCount": players,
        "openPlaces": ROSTER_MAX - players.min(ROSTER_MAX),
        "expiresAt": invite.ttl.map(|end| end.as_seconds() * 1000),
    })))
}

/// `POST /match/{id}/invite`: a new code, which takes the place of the old one.
///
/// # Errors
/// 409 if the match has begun.
pub async fn renew(app: &App, call: &Request) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    tokens::host(call, &match_id)?;
    let row = app.match_row(&match_id).await?;
    in_lobby(&row.state)?;
    let secret = turn::secret(app, &match_id).await?;
    let (code, now) = (invite_code(app)?, app.db.now());
    let mut tx = app.db.transact();
    let created = tx.add(create(invite(&code, &match_id, now)));
    // The state stays as it is: an edit of nothing is the check that the lobby is still open.
    tx.add(edit(&row, |_| {}));
    tx.add(edit(&secret, |secret| secret.invite_code = Some(code)));
    withdraw(app, &mut tx, &secret).await?;
    call.commit(tx)
        // Another code is drawn when the request is tried again.
        .retry(created)
        .reply(move |done| {
            let invite = &done[created];
            Reply::created(&json!({
                "matchId": invite.match_id,
                "inviteCode": invite.code,
                "expiresAt": invite.ttl.map(|end| end.as_seconds() * 1000),
            }))
        })
        .await
}

fn in_lobby(state: &MatchState) -> Result<(), Problem> {
    match state.status {
        Status::Lobby => Ok(()),
        Status::Active => Err(Refusal::MatchInProgress.into()),
        Status::Ended => Err(Refusal::MatchEnded.into()),
    }
}

/// A code as somebody typed it.
///
/// # Errors
/// 404 `INVITE_NOT_FOUND` for what can't be one.
pub(crate) fn code(text: &str) -> Result<InviteCode, Problem> {
    InviteCode::new(text.trim().to_ascii_uppercase()).map_err(|_| not_found())
}

/// 404 for a code that leads nowhere.
pub(crate) fn not_found() -> Problem {
    Problem::not_found("INVITE_NOT_FOUND", "There is no such code, or it is no longer good.")
}

/// The code of a match that can be used now. One that has expired may lead to another match.
pub(crate) async fn open_invite(app: &App, secret: &SecretRow) -> Result<Option<Invite>, Problem> {
    let Some(code) = &secret.invite_code else { return Ok(None) };
    let invite = app.db.invite(code).await?;
    Ok(invite.filter(|invite| invite.match_id == secret.match_id))
}

/// Adds that the code of a match can be used for as long again.
pub(crate) async fn extend(
    app: &App,
    tx: &mut Transact<BtlRun>,
    secret: &SecretRow,
) -> Result<(), Problem> {
    let end = invite_end(app.db.now());
    if let Some(invite) = open_invite(app, secret).await? {
        tx.add(edit(&invite, |invite| invite.ttl = Some(end)));
    }
    Ok(())
}

/// Adds that the code of a match can't be used any more.
pub(crate) async fn withdraw(
    app: &App,
    tx: &mut Transact<BtlRun>,
    secret: &SecretRow,
) -> Result<(), Problem> {
    if let Some(invite) = open_invite(app, secret).await? {
        tx.add(delete(&invite));
    }
    Ok(())
}
