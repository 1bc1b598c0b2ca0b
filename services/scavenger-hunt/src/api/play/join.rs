//! `POST /api/join`: joins a team.

use monotable_kit::CallLimit;

use crate::api::announce;
use crate::api::prelude::*;
use crate::rules::codes;
use crate::tokens::{self, Bearer};

/// Codes to join have 60 bits.
pub(crate) const JOINS: CallLimit = CallLimit::per_minute("join", 60).counting_attempts();
/// How many users a team has at most.
pub(crate) const USERS_MAX: u32 = 200;

/// A team to join.
#[derive(Debug, Body)]
pub(crate) struct Joining {
    /// The code of the team.
    #[body(length = 1..=200, example = "7K3M-9QWX-0A1B")]
    code: String,
    /// What others call you.
    #[body(length = 1..=30, example = "Ada", label = "Your name")]
    display_name: Option<String>,
}

/// The player that somebody is now.
#[derive(View)]
pub(crate) struct JoinedView {
    /// What requests of the player send in `Authorization: Bearer …`.
    #[view(secret, example = "hunt1_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")]
    pub(crate) token: String,
    pub(crate) user_id: UserId,
    #[view(example = "Mallards")]
    pub(crate) team_name: String,
    #[view(example = "Ducks of the old town")]
    pub(crate) game_name: String,
}

/// Joins a team by its code, without an account. A player who sends the own token and is in the team already gets a new
/// token.
#[operation(
    POST "/api/join", once, public, limit(JOINS, address),
    refuses(TeamNotFound, AlreadyInTeam, GameEnded, Provisioning, TeamFull)
)]
pub(crate) async fn join_team(app: &App, call: &Call<(), Joining>) -> Answer<Created<JoinedView>> {
    join(app, call, tokens::issue(&*app.randomness)).await
}

/// Joins a team with a new token.
///
/// # Errors
/// Returns the refusals of the operation.
pub(crate) async fn join(
    app: &App,
    call: &Call<(), Joining>,
    (token, token_hash): (String, Hash),
) -> Answer<Created<JoinedView>> {
    // Players of a team who join at the same moment are counted one after the other.
    let _turn = call.queues.turn(&codes::normal(&call.body.code)).await;
    let (game, team) = team_of(app, &call.body.code).await?;
    let control = app.db.control(&game.id).await?;
    let state = GameState::of(&game, control.as_ref(), app.db.now());
    Refusal::Provisioning.unless(state != GameState::Provisioning)?;
    Refusal::GameEnded.unless(!state.is_over())?;
    let bearer = call.principal.as_ref().and_then(Bearer::of);
    let member = match bearer {
        Some(Bearer::Player(game_id, _, user_id)) if game_id == game.id => {
            app.db.game_membership(&user_id, &game_id).await?
        }
        _ => None,
    };
    let mut tx = call.transact(&app.db).or_retry();
    let (user_id, user) = match member {
        Some(member) => {
            Refusal::AlreadyInTeam.unless(member.team_id == team.id)?;
            let user = app.db.user_of(&team.id, &member.user_id).await?;
            let user = user.ok_or(Refusal::TeamNotFound)?;
            if let Some(old) = &user.token_hash {
                tx.add(delete_by_key(&AccessTokenKey::new(old.clone())));
            }
            let changed = edit(&user, |user| {
                user.token_hash = Some(token_hash.clone());
                if call.body.display_name.is_some() {
                    user.display_name.clone_from(&call.body.display_name);
                }
            });
            (user.id.clone(), tx.add(changed))
        }
        None => {
            Refusal::TeamFull.unless(team.user_count < USERS_MAX)?;
            tx.add(edit(&team, |team| team.user_count += 1));
            let mut user = new_user(app.new_id()?, &team);
            user.display_name.clone_from(&call.body.display_name);
            user.token_hash = Some(token_hash.clone());
            tx.expect(create(membership(&user, &team.game_id)?));
            (user.id.clone(), tx.expect(create(user)))
        }
    };
    tx.require(check(&game.key(), not_over()), Refusal::GameEnded);
    tx.add(create(AccessToken {
        id: app.new_id()?,
        token_hash,
        role: TokenRole::Player,
        game_id: game.id.clone(),
        team_id: Some(team.id.clone()),
        user_id: Some(user_id),
        stamps: Stamps::default(),
    }));
    let names = (team.name.clone(), game.name.clone().unwrap_or_default());
    tx.afterwards(announce::changed(app, &game.id, &team.id))
        .respond(move |done| {
            let (team_name, game_name) = names.clone();
            let user_id = done[user].id.clone();
            Created(JoinedView { token: token.clone(), user_id, team_name, game_name })
        })
        .await
}

/// Returns a user of a team.
pub(crate) fn new_user(id: UserId, team: &Team) -> User {
    User {
        id,
        team_id: team.id.clone(),
        game_id: Some(team.game_id.clone()),
        display_name: None,
        token_hash: None,
        stamps: Stamps::default(),
    }
}

/// Returns the row that keeps a user in one team of a game.
///
/// # Errors
/// Returns 500 if the id of the user can't be part of a key, which never happens.
pub(crate) fn membership(user: &User, game_id: &GameId) -> Result<GameMembership, Problem> {
    Ok(GameMembership {
        id: RowId::new(user.id.as_str()).map_err(Problem::internal)?,
        user_id: user.id.clone(),
        game_id: game_id.clone(),
        team_id: user.team_id.clone(),
        stamps: Stamps::default(),
    })
}

/// Holds for games that no organiser has ended.
pub(crate) fn not_over() -> Condition<Game> {
    let is_over = game::status().is_in([GameStatus::Ended, GameStatus::Archived]);
    game::status().absent().or(!is_over)
}

/// Returns the team with a code, and its game. Teams of older programs have no code: their id is one.
///
/// # Errors
/// Returns 404 if there is none.
async fn team_of(app: &App, code: &str) -> Result<(Game, Team), Problem> {
    let unknown = || Refusal::TeamNotFound.text("No team has this code.");
    let found = app.db.join_code(&Hash::of(&codes::normal(code))).await?;
    let (game_id, team_id) = match found {
        Some(found) => (found.game_id, found.team_id),
        None => {
            let team_id = TeamId::new(codes::last_part(code)).map_err(|_| unknown())?;
            let game_id = policy::game_of_team(&app.db, &team_id).await?;
            (game_id.ok_or_else(unknown)?, team_id)
        }
    };
    let (game, team) = tokio::try_join!(
        app.db.game(&game_id).into_future(),
        app.db.team_of(&game_id, &team_id).into_future()
    )?;
    let (game, team) = game.zip(team).ok_or_else(unknown)?;
    let is_id = code.contains(team.id.as_str());
    if is_id && team.join_code.is_some() { Err(unknown()) } else { Ok((game, team)) }
}

/// Returns the address that the attempts are counted for.
pub(crate) fn address(call: &Call<(), Joining>) -> Result<String, Problem> {
    Ok(call.client.map_or_else(|| "unknown".to_owned(), |address| address.to_string()))
}
