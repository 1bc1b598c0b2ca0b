//! Players, as organisers treat them.

pub(crate) mod erase;
pub(crate) mod export;
pub(crate) mod export_zip;
pub(crate) mod move_user;

use crate::api::prelude::*;

/// Returns the user of a game that a path names. The row that keeps the user in one team tells where the user is.
///
/// # Errors
/// Returns 404 if there is none.
async fn user(app: &App, game: &Game, user_id: &UserId) -> Result<User, Problem> {
    let member = app.db.game_membership(user_id, &game.id).await?;
    let team_id = match member {
        Some(member) => Some(member.team_id),
        // Users of older programs have no such row.
        None => app.db.user(user_id).await?.map(|user| user.team_id),
    };
    let Some(team_id) = team_id else { return Err(Refusal::UserNotFound.into()) };
    app.db.team_of(&game.id, &team_id).await?.ok_or(Refusal::UserNotFound)?;
    app.db.user_of(&team_id, user_id).await?.ok_or_else(|| Refusal::UserNotFound.into())
}
