//! `DELETE /api/games/{gameId}/users/{userId}`: removes a player and erases what is kept of the player.

use super::user;
use crate::api::{announce, prelude::*};
use crate::jobs::erase_user as job;

/// Steps that the request does itself.
const STEPS_AT_ONCE: usize = 100;

/// Removes a player from a game, and erases messages, photos and positions.
#[operation(
    DELETE "/api/games/{gameId}/users/{userId}", once, refuses(refusal::CONTROLLING, UserNotFound)
)]
pub(crate) async fn remove_user(app: &App, call: &Call<UserPath>) -> Answer<NoContent> {
    let game = policy::game(app, call, &call.path.game_id, Action::Erase).await?;
    let user = user(app, &game, &call.path.user_id).await?;
    erase_user(app, call, &game.id, &user).await
}

/// Erases a user: the row and the token at once, and everything else in steps, of which the request does the first.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn erase_user(
    app: &App,
    call: &Request,
    game_id: &GameId,
    user: &User,
) -> Answer<NoContent> {
    let now = app.db.now();
    let team = app.db.team_of(game_id, &user.team_id).await?;
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(edit(user, |user| user.stamps.expires = Some(now.epoch_seconds())));
    if let Some(token) = &user.token_hash {
        tx.add(delete_by_key(&AccessTokenKey::new(token.clone())));
    }
    if let Some(team) = &team {
        tx.add(edit(team, |team| team.user_count = team.user_count.saturating_sub(1)));
    }
    tx.expect(create(job::ticket(&user.id, now)?));
    tx.add(create(app.audit(call, game_id, "eraseUser", format!("USER#{}", user.id))?));
    tx.afterwards(async move {
        app.jobs.begin(job::KIND, user.id.as_str(), STEPS_AT_ONCE).await;
        // Phones of the team connect again, if they still may.
        app.events.close(&announce::of_team(game_id, &user.team_id));
        announce::changed(app, game_id, &user.team_id).await;
    })
    .respond(|_| NoContent)
    .await
}
