//! Codes with which people join a game by themselves.

pub(crate) mod make_code;
pub(crate) mod use_code;

use std::time::Duration;

use crate::api::prelude::*;

/// How long a code is valid.
const LIFETIME: Duration = Duration::from_secs(12 * 60 * 60);
/// Letters and digits that people do not confuse.
const ALPHABET: [u8; 32] = *b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// The characters of a code.
const CODE_LENGTH: usize = 8;

/// Makes a code.
fn new_code(app: &App) -> Result<JoinCode, Problem> {
    let mut bytes = [0; CODE_LENGTH];
    app.randomness.fill(&mut bytes);
    let code: String =
        bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect();
    JoinCode::new(code).map_err(|error| Problem::internal(error.to_string()))
}

/// Returns a code and its game, as long as people can join.
///
/// # Errors
/// Returns 404 if there is no such code, or 409 if it has expired or the game is finished.
pub(crate) async fn open(app: &App, code: &str) -> Result<(Join, Game), Problem> {
    let unknown = || Refusal::NotFound.text("There is no such code.");
    let code = JoinCode::new(code.trim().to_uppercase()).map_err(|_| unknown())?;
    let join = app.db.join(&code).including_expired().await?.ok_or_else(unknown)?;
    let now = app.db.now().epoch_seconds();
    Refusal::JoinClosed.unless(join.ttl_epoch.is_none_or(|end| end > now))?;
    let game = app.db.game(&join.game_id).await?;
    let is_open = |game: &Game| matches!(game.status, GameStatus::Scheduled | GameStatus::Live);
    Ok((join, game.filter(is_open).ok_or(Refusal::JoinClosed)?))
}
