//! Everything that is kept of a user, for the user.

use std::collections::BTreeSet;

use monotable_kit::{Problem, Reply, Request};
use serde_json::{Value, json};

use super::scope::all;
use super::users;
use crate::app::App;
use crate::entities::{Invite, PlayerLink, User};
use crate::ids::{PlayerId, TeamId};
use crate::patterns::HackTrackerReads as _;
use crate::{policy, show};

/// `GET /users/{userId}/export`: the user's own rows, and those in which others know of the user.
pub(crate) async fn export(app: &App, call: &Request) -> Result<Reply, Problem> {
    let user_id = policy::caller_themself(call)?;
    policy::present(app, call).await?;
    let user = app.db.user(&user_id).consistent().await?.ok_or_else(users::not_found)?;
    let memberships = all(app.db.memberships(&user_id).consistent()).await?;
    let links = all(app.db.career(&user_id).consistent()).await?;
    let mut rows = Rows::default();
    for link in &links {
        rows.of_player(app, &user, link).await?;
    }
    let own: BTreeSet<&PlayerId> = links.iter().map(|link| &link.player_id).collect();
    let of_players = links.iter().map(|link| &link.team_id);
    let teams: BTreeSet<&TeamId> =
        memberships.iter().map(|membership| &membership.team_id).chain(of_players).collect();
    for team_id in teams {
        rows.of_team(app, &user, team_id).await?;
        rows.of_games(app, &user, &own, team_id).await?;
    }
    let memberships: Vec<Value> = memberships.iter().map(show::membership).collect();
    let links: Vec<Value> = links.iter().map(show::player_link).collect();
    Ok(Reply::ok(&json!({
        "user": show::user(&user),
        "memberships": memberships,
        "playerLinks": links,
        "players": rows.players,
        "atBats": rows.at_bats,
        "availability": rows.availability,
        "invites": rows.invites,
        "shares": rows.shares,
        "audit": rows.audit,
    })))
}

/// The rows in which others know of a user.
#[derive(Default)]
struct Rows {
    players: Vec<Value>,
    at_bats: Vec<Value>,
    availability: Vec<Value>,
    invites: Vec<Value>,
    shares: Vec<Value>,
    audit: Vec<Value>,
}

impl Rows {
    /// A player that is or was the user's, and what the player did meanwhile.
    async fn of_player(
        &mut self,
        app: &App,
        user: &User,
        link: &PlayerLink,
    ) -> Result<(), Problem> {
        let player = app.db.player(&link.team_id, &link.player_id).await?;
        let own = player.filter(|player| player.user_id.as_ref() == Some(&user.user_id));
        self.players.extend(own.as_ref().map(show::player));
        let batted = all(app.db.at_bats_of(&link.player_id)).await?;
        let own = batted.iter().filter(|at_bat| link.covers(at_bat.played_at()));
        self.at_bats.extend(own.map(show::at_bat));
        Ok(())
    }

    /// Invites of a team that the user made, accepted or was sent, and what the user did to it.
    async fn of_team(&mut self, app: &App, user: &User, team_id: &TeamId) -> Result<(), Problem> {
        let address = user.email.to_lowercase();
        let is_own = |invite: &&Invite| {
            invite.created_by == user.user_id
                || invite.accepted_by.as_ref() == Some(&user.user_id)
                || invite.email.as_ref().is_some_and(|email| email.to_lowercase() == address)
        };
        let invites = all(app.db.invites(team_id)).await?;
        self.invites
            .extend(invites.iter().filter(is_own).map(|invite| show::invite(invite, app.db.now())));
        let audit = all(app.db.audit(team_id)).await?;
        let about = format!("MEMBER#{}", user.user_id);
        let is_own =
            |entry: &&crate::entities::Audit| entry.actor == user.user_id || entry.entity == about;
        self.audit.extend(audit.iter().filter(is_own).map(show::audit));
        Ok(())
    }

    /// Whether the user's players came to games of a team, and links to games that the user made.
    async fn of_games(
        &mut self,
        app: &App,
        user: &User,
        own: &BTreeSet<&PlayerId>,
        team_id: &TeamId,
    ) -> Result<(), Problem> {
        for game in all(app.db.games_of(team_id)).await? {
            let answers = all(app.db.availability(&game.game_id)).await?;
            let answers = answers.iter().filter(|answer| {
                own.contains(&answer.player_id) || answer.answered_by == user.user_id
            });
            self.availability.extend(answers.map(show::availability));
            let shares = all(app.db.shares(&game.game_id)).await?;
            let shares = shares.iter().filter(|share| share.created_by == user.user_id);
            self.shares.extend(shares.map(show::share));
        }
        Ok(())
    }
}
