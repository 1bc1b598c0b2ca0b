//! Who may do what: actions and the roles that may take them, and the league that decides about a season, a
//! match day or a game.

use monotable_kit::{Policy, Principal, Problem, Request};

use crate::api::accounts;
use crate::app::App;
use crate::legacy::addresses;
use crate::refusal::Refusal;
use crate::table::{
    Acl, Game, GameId, GameStatus, League, LeagueId, Role, Season, SeasonId, Session, SessionId,
    ThreeFcReads as _, UserId,
};

/// What is done in a league, as far as roles decide it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// See the league, its seasons, sessions and games.
    View,
    /// Change and delete the league, its seasons and teams; delete games; give and take roles.
    Administer,
    /// Make sessions, games and players; run games that are not finished.
    Score,
    /// Change a finished game, or reopen it.
    Correct,
}

/// What each role may do in its league.
pub const POLICY: Policy<Action, Role> = {
    use Role::{Admin, Scorekeeper, Viewer};
    Policy::new(&[
        (Action::View, &[Admin, Scorekeeper, Viewer]),
        (Action::Administer, &[Admin]),
        (Action::Score, &[Admin, Scorekeeper]),
        (Action::Correct, &[Admin]),
    ])
};

/// A league with the caller's role in it.
#[derive(Clone, Debug)]
pub struct Granted {
    /// The league.
    pub league: League,
    /// The caller's grant.
    pub grant: Acl,
    /// The caller.
    pub user_id: UserId,
}

impl Granted {
    /// Requires that the caller may do this.
    ///
    /// # Errors
    /// Returns 403 if the role does not allow it.
    pub fn allow(&self, action: Action) -> Result<(), Problem> {
        if POLICY.allows(action, self.grant.role) {
            return Ok(());
        }
        Err(match action {
            Action::View | Action::Score => Refusal::LeagueAccessRequired.into(),
            Action::Administer => Refusal::AdminRequired.into(),
            Action::Correct => Refusal::GameLocked.into(),
        })
    }
}

/// Returns the caller.
///
/// # Errors
/// Returns 401 if the caller is not signed in or has a name that can't be part of a key.
pub fn caller(call: &Request) -> Result<UserId, Problem> {
    user_id(call.principal()?)
}

/// Returns the id of somebody who is known.
///
/// # Errors
/// Returns 401 if the name can't be part of a key.
pub fn user_id(principal: &Principal) -> Result<UserId, Problem> {
    let refused = |error| Problem::unauthenticated(format!("The token's subject: {error}."));
    UserId::new(&principal.id).map_err(refused)
}

/// Returns a verified e-mail address, in lower case.
pub fn verified_email(principal: &Principal) -> Option<String> {
    let email = principal.email.as_deref().filter(|_| principal.email_verified)?;
    Some(email.trim().to_lowercase())
}

/// Returns the grant of the caller in a league. Older programs wrote grants under the e-mail address: such a grant
/// moves to the account that has the address.
///
/// # Errors
/// Returns 401 if the caller is not signed in, or the account was deleted.
pub async fn grant(
    app: &App,
    call: &Request,
    league_id: &LeagueId,
) -> Result<Option<Acl>, Problem> {
    let user_id = caller(call)?;
    if let Some(grant) = app.db.grant(league_id, &user_id).await? {
        return Ok(Some(grant));
    }
    let principal = call.principal()?;
    let Some(email) = verified_email(principal) else { return Ok(None) };
    let Ok(address) = UserId::new(&email) else { return Ok(None) };
    let Some(old) = app.db.grant(league_id, &address).await? else { return Ok(None) };
    let user = accounts::of(app, principal).await?;
    if user.email == Some(email) && addresses::move_grant(&app.db, &old, &user_id).await? {
        return Ok(app.db.grant(league_id, &user_id).await?);
    }
    Ok(Some(old))
}

/// Authorizes the caller to do something in a league.
///
/// # Errors
/// Returns 404 if there is no such league, or 403 if the caller does not have the permission.
pub async fn league(
    app: &App,
    call: &Request,
    league_id: &LeagueId,
    action: Action,
) -> Result<Granted, Problem> {
    let user_id = caller(call)?;
    let league = app.db.league(league_id).await?;
    let league = league.filter(|league| league.deleted_at.is_none());
    let league = league.ok_or(Refusal::AclScopeNotFound)?;
    let grant = grant(app, call, league_id).await?;
    let grant = grant.ok_or(Refusal::LeagueAccessRequired)?;
    let granted = Granted { league, grant, user_id };
    granted.allow(action)?;
    Ok(granted)
}

/// Authorizes the caller to do something in a season. The row under the season's own id decides which
/// league it belongs to.
///
/// # Errors
/// Returns 404 if there is no such season, or 403 if the caller does not have the permission.
pub async fn season(
    app: &App,
    call: &Request,
    season_id: &SeasonId,
    action: Action,
) -> Result<(Season, Granted), Problem> {
    let season = crate::legacy::whole::season(&app.db, season_id).await?;
    let season = season.ok_or(Refusal::AclScopeNotFound)?;
    let granted = league(app, call, &season.league_id, action).await?;
    Ok((season, granted))
}

/// Authorizes the caller to do something in a session.
///
/// # Errors
/// Returns 404 if there is no such session, or 403 if the caller does not have the permission.
pub async fn session(
    app: &App,
    call: &Request,
    session_id: &SessionId,
    action: Action,
) -> Result<(Session, Season, Granted), Problem> {
    let session = crate::legacy::whole::session(&app.db, session_id).await?;
    let session = session.ok_or(Refusal::AclScopeNotFound)?;
    let (season, granted) = season(app, call, &session.season_id, action).await?;
    Ok((session, season, granted))
}

/// Authorizes the caller to do something to a game: its own row names the league.
///
/// # Errors
/// Returns 404 if there is no such game, or 403 if the caller does not have the permission.
pub async fn game(
    app: &App,
    call: &Request,
    game_id: &GameId,
    action: Action,
) -> Result<(Game, Granted), Problem> {
    let game = app.db.game(game_id).await?;
    let game = game.filter(|game| game.status != GameStatus::Deleting);
    let game = game.ok_or(Refusal::AclScopeNotFound)?;
    let granted = league(app, call, &game.league_id, action).await?;
    Ok((game, granted))
}

/// Authorizes the caller to change a game: scorekeepers until it is finished, admins also afterwards.
///
/// # Errors
/// Returns 404 if there is no such game, or 403 if the caller does not have the permission.
pub async fn open_game(
    app: &App,
    call: &Request,
    game_id: &GameId,
) -> Result<(Game, Granted), Problem> {
    let (game, granted) = game(app, call, game_id, Action::Score).await?;
    if game.status == GameStatus::Finished {
        granted.allow(Action::Correct)?;
    }
    Ok((game, granted))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn roles_may_do_what_the_table_lists() {
        let roles = [Role::Admin, Role::Scorekeeper, Role::Viewer];
        expect![[r#"
            | | Admin | Scorekeeper | Viewer |
            |---|---|---|---|
            | View | yes | yes | yes |
            | Administer | yes | | |
            | Score | yes | yes | |
            | Correct | yes | | |
        "#]]
        .assert_eq(&POLICY.document(&POLICY.actions().collect::<Vec<_>>(), &roles));
    }
}
