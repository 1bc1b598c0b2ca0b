//! `POST /api/games/{gameId}/users/{userId}/move`: moves a player to another team.

use super::user;
use crate::api::play::join::{USERS_MAX, membership};
use crate::api::{announce, prelude::*};

/// Where to move a player.
#[derive(Debug, Body)]
pub(crate) struct NewTeamOfUser {
    team_id: TeamId,
}

/// Moves a player to another team of the game. The player keeps the token.
#[operation(
    POST "/api/games/{gameId}/users/{userId}/move", once,
    refuses(refusal::CONTROLLING, UserNotFound, TeamNotFound, AlreadyInTeam, TeamFull)
)]
pub(crate) async fn move_user(
    app: &App,
    call: &Call<UserPath, NewTeamOfUser>,
) -> Answer<NoContent> {
    let game = policy::game(app, call, &call.path.game_id, Action::Control).await?;
    let user = user(app, &game, &call.path.user_id).await?;
    let (game_id, team_id) = (&game.id, &call.body.team_id);
    let from = app.db.team_of(game_id, &user.team_id).await?.ok_or(Refusal::TeamNotFound)?;
    let to = app.db.team_of(game_id, team_id).await?.ok_or(Refusal::TeamNotFound)?;
    Refusal::AlreadyInTeam.unless(from.id != to.id)?;
    Refusal::TeamFull.unless(to.user_count < USERS_MAX)?;
    let mut moved = user.clone();
    moved.team_id = to.id.clone();
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(edit(&from, |team| team.user_count = team.user_count.saturating_sub(1)));
    tx.add(edit(&to, |team| team.user_count += 1));
    match app.db.game_membership(&user.id, game_id).await? {
        Some(row) => _ = tx.add(edit(&row, |row| row.team_id = to.id.clone())),
        None => _ = tx.expect(create(membership(&moved, game_id)?)),
    }
    if let Some(hash) = &user.token_hash
        && let Some(token) = app.db.access_token(hash).await?
    {
        tx.add(edit(&token, |token| token.team_id = Some(to.id.clone())));
    }
    tx.add(rekey(&user, &moved));
    let audit = app.audit(call, game_id, "moveUser", format!("USER#{}", user.id))?;
    tx.add(create(audit.was("team", from.id.as_str()).is("team", to.id.as_str())));
    tx.afterwards(async move {
        // Phones of the team connect again, and are asked again whose they are.
        app.events.close(&announce::of_team(&call.path.game_id, &user.team_id));
        announce::changed(app, &call.path.game_id, &user.team_id).await;
        announce::changed(app, &call.path.game_id, team_id).await;
    })
    .respond(|_| NoContent)
    .await
}
