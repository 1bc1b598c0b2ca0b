//! Rows and programs of older versions: what rows lack is derived when they are read, and written by the backfill. Programs of
//! the origin send a user and a team in headers, and never join.

pub(crate) mod backfill;

use monotable::model::time::Timestamp;
use monotable::model::{Error, Store, create, edit};
use monotable_kit::Problem;

use crate::api::play::join::{self, USERS_MAX};
use crate::app::App;
use crate::refusal::Refusal;
use crate::rules::clock::GameState;
use crate::table::{GameId, ScavengerHunt, ScavengerHuntReads as _, TeamId, TeamLevel, UserId};

/// Returns when a team arrived at a level: with its first message there, erased or not. Newer rows say it themselves.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn arrival(
    db: &Store<ScavengerHunt>,
    level: &TeamLevel,
) -> Result<Option<Timestamp>, Problem> {
    if level.game_id.is_some() {
        return Ok(None);
    }
    let mut messages = db.messages_of_team(&level.team_id).including_expired().stream();
    while let Some(message) = messages.next().await {
        let message = message?;
        if message.level_id == level.level_id {
            let at = Timestamp::from_ms(message.ts.as_seconds().saturating_mul(1_000));
            return Ok(at.ok());
        }
    }
    Ok(None)
}

/// Adds a user whom headers name to the team that they name, unless the user is there.
///
/// # Errors
/// Returns 403 if the user is in another team of the game, or the team is closed.
pub(crate) async fn admit(
    app: &App,
    game_id: &GameId,
    team_id: &TeamId,
    user_id: &UserId,
) -> Result<(), Problem> {
    if app.db.user_of(team_id, user_id).await?.is_some() {
        return Ok(());
    }
    let (game, team) = tokio::try_join!(
        app.db.game(game_id).into_future(),
        app.db.team_of(game_id, team_id).into_future()
    )?;
    let (game, team) = game.zip(team).ok_or(Refusal::NotYourTeam)?;
    let is_over = GameState::of(&game, None, app.db.now()).is_over();
    let member = app.db.game_membership(user_id, game_id).await?;
    if is_over || member.is_some() || team.user_count >= USERS_MAX {
        return Err(Refusal::NotYourTeam.into());
    }
    let user = join::new_user(user_id.clone(), &team);
    let mut tx = app.db.transact();
    tx.add(edit(&team, |team| team.user_count += 1));
    tx.add(create(join::membership(&user, game_id)?));
    tx.add(create(user));
    match tx.commit().await {
        // Another request of the same user was faster.
        Err(Error::Transaction { .. }) => Ok(()),
        done => Ok(done.map(drop)?),
    }
}
