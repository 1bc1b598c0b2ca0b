//! Codes to join a match with.

use crate::api::prelude::*;
use monotable::model::time::{EpochSeconds, Timestamp};
use std::time::Duration;

/// How long a code is valid, extended whenever something happens in the lobby.
const INVITE_KEPT: Duration = Duration::from_secs(30 * 60);
/// Unambiguous letters and digits: no 0, O, 1 or I.
const ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const CODE_CHARACTERS: usize = 6;

/// Generates an unguessable code: six of 32 letters and digits.
pub(crate) fn invite_code(app: &App) -> Result<InviteCode, Problem> {
    let mut bytes = [0; CODE_CHARACTERS];
    app.randomness.fill(&mut bytes);
    let text: String =
        bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect();
    InviteCode::new(text).map_err(|error| Problem::internal(error.to_string()))
}

/// Reads a code as it was typed.
///
/// # Errors
/// Returns 404 `INVITE_NOT_FOUND` for a text that can't be one.
pub(super) fn typed_code(text: &str) -> Result<InviteCode, Refusal> {
    InviteCode::new(text.trim().to_ascii_uppercase()).map_err(|_| Refusal::InviteNotFound)
}

/// Returns the row of a code that is valid from now on.
pub(crate) fn new_invite(code: &InviteCode, match_id: &MatchId, now: Timestamp) -> Invite {
    Invite {
        code: code.clone(),
        match_id: match_id.clone(),
        created_at: now.as_ms(),
        stamps: Stamps::default(),
        ttl: Some(invite_end(now)),
    }
}

/// Returns the expiry of a code that is used now.
pub(super) fn invite_end(now: Timestamp) -> EpochSeconds {
    EpochSeconds::new(now.as_ms() / 1000) + INVITE_KEPT
}

/// Returns the code of a match if it is valid. An expired one may belong to another match.
pub(super) async fn open_invite(app: &App, secret: &SecretRow) -> Result<Option<Invite>, Problem> {
    let Some(code) = &secret.invite_code else { return Ok(None) };
    let invite = app.db.invite(code).await?;
    Ok(invite.filter(|invite| invite.match_id == secret.match_id))
}

/// Extends the validity of a match's code.
pub(super) async fn extend(
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

/// Ends the code of a match; `code` replaces it.
pub(crate) async fn replace(
    app: &App,
    tx: &mut Transact<BtlRun>,
    secret: &SecretRow,
    code: Option<InviteCode>,
) -> Result<(), Problem> {
    tx.add(edit(secret, |secret| secret.invite_code = code));
    if let Some(invite) = open_invite(app, secret).await? {
        tx.add(delete(&invite));
    }
    Ok(())
}
