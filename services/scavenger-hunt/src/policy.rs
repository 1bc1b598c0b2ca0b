//! Who may do what: organisers control a game, observers watch it, players play for one team.
//!
//! Organisers and observers are users with that role, which a host grants, or bearers of a token of one game. A player is the
//! bearer of a token of one user of one team, for as long as that user is in the team and the game is not long over.

use std::time::Duration;

use monotable::model::time::Timestamp;
use monotable::model::{Entity as _, Store, check};
use monotable_kit::{Commit, Policy, Principal, Problem, Refuse as _, Request};

use crate::app::App;
use crate::legacy;
use crate::refusal::Refusal;
use crate::rules::clock::{GameState, ended_at};
use crate::table::{
    DashboardControl, Game, GameId, ScavengerHunt, ScavengerHuntReads as _, Team, TeamId, User,
    UserId, user,
};
use crate::tokens::{self, Bearer};

/// How long players can look at a game after its end.
const AFTERWARDS: Duration = Duration::from_secs(24 * 60 * 60);

/// What somebody is to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Controls it.
    Organiser,
    /// Watches it.
    Observer,
    /// Plays it.
    Player,
}

/// What is done, as far as roles decide it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Create, configure, control, adjust, broadcast, delete.
    Control,
    /// See the dashboard: games, teams, tracks, checkpoints, photos.
    Watch,
    /// See the state, scan, write, photograph, report positions: for the own team.
    Play,
    /// See the leaderboard; players only if the game allows it.
    SeeLeaderboard,
    /// Erase data: organisers of everybody, players their own.
    Erase,
}

/// What each role may do.
pub const POLICY: Policy<Action, Role> = {
    use Role::{Observer, Organiser, Player};
    Policy::new(&[
        (Action::Control, &[Organiser]),
        (Action::Watch, &[Organiser, Observer]),
        (Action::Play, &[Player]),
        (Action::SeeLeaderboard, &[Organiser, Observer, Player]),
        (Action::Erase, &[Organiser, Player]),
    ])
};

/// A player, with what the player plays.
#[derive(Clone, Debug)]
pub struct Playing {
    /// The game.
    pub game: Game,
    /// Its clock.
    pub control: Option<DashboardControl>,
    /// What it is doing.
    pub state: GameState,
    /// The player.
    pub user: User,
}

impl Playing {
    /// Returns the team.
    pub fn team_id(&self) -> &TeamId {
        &self.user.team_id
    }

    /// Returns the row of the team.
    ///
    /// # Errors
    /// Returns 404 if it was deleted.
    pub async fn team(&self, app: &App) -> Result<Team, Problem> {
        let team = app.db.team_of(&self.game.id, self.team_id()).await?;
        team.ok_or_else(|| Refusal::TeamNotFound.into())
    }

    /// Refuses to write rows of the player if the player was erased meanwhile: what erases the player would not find them.
    pub fn require_there(&self, tx: &mut Commit<'_, ScavengerHunt>) {
        tx.require(check(&self.user.key(), user::team_id().exists()), not_valid());
    }

    /// Refuses players of a game that is over.
    ///
    /// # Errors
    /// Returns 409 `GAME_ENDED`.
    pub fn require_not_over(&self) -> Result<(), Refusal> {
        Refusal::GameEnded.unless(!self.state.is_over())
    }
}

/// Returns the roles that a principal has in a game.
fn roles(principal: &Principal, game_id: Option<&GameId>) -> Vec<Role> {
    match Bearer::of(principal) {
        Some(bearer) if game_id.is_some_and(|game_id| bearer.game_id() == game_id) => {
            vec![bearer.role()]
        }
        Some(_) => Vec::new(),
        None => {
            let known = [("organiser", Role::Organiser), ("observer", Role::Observer)];
            let held = known.into_iter().filter(|(name, _)| principal.has_role(name));
            held.map(|(_, role)| role).collect()
        }
    }
}

/// Authorizes the caller to do something that no game is needed for, such as creating one.
///
/// # Errors
/// Returns 401 if the caller is not signed in, or 403 if the caller does not have the permission.
pub fn anywhere(call: &Request, action: Action) -> Result<(), Problem> {
    let roles = roles(call.principal()?, None);
    let is_allowed = roles.into_iter().any(|role| POLICY.allows(action, role));
    Ok(Refusal::ControlRequired.unless(is_allowed)?)
}

/// Authorizes the caller, who is no player, to do something in a game.
///
/// # Errors
/// Returns 401 if the caller is not signed in or the token was withdrawn, or 403 if the caller may not, or 404 if there
/// is no such game.
pub async fn game(
    app: &App,
    call: &Request,
    game_id: &GameId,
    action: Action,
) -> Result<Game, Problem> {
    let principal = call.principal()?;
    let roles = roles(principal, Some(game_id));
    let is_allowed = |role: Role| role != Role::Player && POLICY.allows(action, role);
    Refusal::ControlRequired.unless(roles.into_iter().any(is_allowed))?;
    let game = app.db.game(game_id).await?.ok_or(Refusal::GameNotFound)?;
    let issued_at = Bearer::issued_at(principal);
    let is_withdrawn = |from: Timestamp| issued_at.is_some_and(|at| at < from);
    if game.tokens_valid_from.is_some_and(is_withdrawn) {
        return Err(Problem::unauthenticated("The token was withdrawn."));
    }
    Ok(game)
}

/// Authorizes the caller, who is no player, to do something about a team. The index only tells where the row of the team
/// is.
///
/// # Errors
/// Returns 404 if there is no such team, or 403 if the caller does not have the permission.
pub async fn team(
    app: &App,
    call: &Request,
    team_id: &TeamId,
    action: Action,
) -> Result<(Game, Team), Problem> {
    call.principal()?;
    let game_id = game_of_team(&app.db, team_id).await?;
    // Who may not see games does not learn which teams there are.
    let found = match game_id {
        Some(game_id) => {
            let game = game(app, call, &game_id, action).await?;
            app.db.team_of(&game_id, team_id).await?.map(|team| (game, team))
        }
        None => {
            anywhere(call, action)?;
            None
        }
    };
    found.ok_or_else(|| Refusal::TeamNotFound.into())
}

/// Returns the game of a team. Teams of older programs are in no index: their levels lead to the game.
///
/// # Errors
/// Returns the errors of the table.
pub async fn game_of_team(
    db: &Store<ScavengerHunt>,
    team_id: &TeamId,
) -> Result<Option<GameId>, Problem> {
    if let Some(team) = db.team(team_id).await? {
        return Ok(Some(team.game_id));
    }
    let Some(level) = db.route(team_id).first().await? else { return Ok(None) };
    if level.game_id.is_some() {
        return Ok(level.game_id);
    }
    Ok(db.level(&level.level_id).await?.map(|level| level.game_id))
}

fn not_valid() -> Problem {
    Problem::unauthenticated("The token is no longer valid.")
}

/// Returns the player who calls.
///
/// # Errors
/// Returns 401 if the caller is not signed in, the player was removed, or the game is long over; 403 for other users.
pub async fn player(app: &App, call: &Request) -> Result<Playing, Problem> {
    let bearer = Bearer::of(call.principal()?);
    let Some(Bearer::Player(game_id, team_id, user_id)) = bearer else {
        return Err(Refusal::NotYourTeam.into());
    };
    if call.principal().is_ok_and(tokens::is_named_by_headers) {
        legacy::admit(app, &game_id, &team_id, &user_id).await?;
    }
    // Unlike a token, a session does not know when an organiser moves its player to another team.
    let moved_to = match call.viewer.session() {
        Some(_) => app.db.game_membership(&user_id, &game_id).await?.map(|row| row.team_id),
        None => None,
    };
    playing(app, &game_id, &moved_to.unwrap_or(team_id), &user_id).await
}

/// Returns a player by ids that a token or a session has proved.
///
/// # Errors
/// Fails like [`player`].
pub async fn playing(
    app: &App,
    game_id: &GameId,
    team_id: &TeamId,
    user_id: &UserId,
) -> Result<Playing, Problem> {
    let (game, control, user) = tokio::try_join!(
        app.db.game(game_id).into_future(),
        app.db.control(game_id).into_future(),
        app.db.user_of(team_id, user_id).into_future(),
    )?;
    let now = app.db.now();
    let game = game.ok_or(Refusal::GameNotFound)?;
    let is_past = ended_at(&game, now).is_some_and(|end| end + AFTERWARDS <= now);
    let Some(user) = user.filter(|_| !is_past) else {
        return Err(not_valid());
    };
    let state = GameState::of(&game, control.as_ref(), now);
    Refusal::Provisioning.unless(state != GameState::Provisioning)?;
    Ok(Playing { game, control, state, user })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn roles_may_do_what_the_table_lists() {
        let roles = [Role::Organiser, Role::Observer, Role::Player];
        expect![[r#"
            | | Organiser | Observer | Player |
            |---|---|---|---|
            | Control | yes | | |
            | Watch | yes | yes | |
            | Play | | | yes |
            | SeeLeaderboard | yes | yes | yes |
            | Erase | yes | | yes |
        "#]]
        .assert_eq(&POLICY.document(&POLICY.actions().collect::<Vec<_>>(), &roles));
    }
}
