//! `GET /users/{userId}/export`: all data about the user.

use std::collections::BTreeSet;

use super::UserView;
use crate::api::at_bats::AtBatView;
use crate::api::audit::list::AuditView;
use crate::api::availability::AvailabilityView;
use crate::api::invites::InviteView;
use crate::api::members::MembershipView;
use crate::api::players::PlayerView;
use crate::api::prelude::*;
use crate::api::shares::ShareView;

/// All rows of a user, and rows of others that name the user.
#[derive(View)]
pub(crate) struct ExportView {
    user: UserView,
    memberships: Vec<MembershipView>,
    player_links: Vec<PlayerLinkView>,
    players: Vec<PlayerView>,
    at_bats: Vec<AtBatView>,
    availability: Vec<AvailabilityView>,
    invites: Vec<InviteView>,
    shares: Vec<ShareView>,
    audit: Vec<AuditView>,
}

/// A player of the user's career.
#[derive(View)]
#[view(of = PlayerLink)]
pub(crate) struct PlayerLinkView {
    user_id: UserId,
    player_id: PlayerId,
    team_id: TeamId,
    /// The team's name when the link was made.
    #[view(example = "Seattle Sluggers")]
    team_name: String,
    #[view(name = "team_type", example = "MANAGED")]
    team_type: Option<TeamType>,
    /// The periods in which the player was linked to the user, in order.
    #[view(from = shown_periods())]
    periods: Vec<PeriodView>,
    #[view(stamps)]
    stamps: Stamps,
}

/// A period in which a player was linked to a user.
#[derive(View)]
#[view(of = Period)]
pub(crate) struct PeriodView {
    /// Absent means from the beginning.
    #[view(example = "2026-06-01T09:30:00.000Z")]
    from: Option<Timestamp>,
    /// Absent means until now.
    to: Option<Timestamp>,
}

impl PlayerLink {
    fn shown_periods(&self) -> Vec<PeriodView> {
        self.periods.iter().map(PeriodView::of).collect()
    }
}

/// Returns all data about you.
#[operation(GET "/users/{userId}/export", refuses(NotSelf, UserNotFound))]
async fn export_user(app: &App, call: &Call<UserPath>) -> Answer<Json<ExportView>> {
    let user_id = &call.path.user_id;
    policy::must_be_self(call, user_id)?;
    policy::present(app, call).await?;
    let user = app.db.user(user_id).consistent().await?.ok_or(Refusal::UserNotFound)?;
    let memberships = app.db.memberships(user_id).consistent().all().await?;
    let links = app.db.career(user_id).consistent().all().await?;
    let mut export = ExportView {
        user: UserView::of(&user),
        memberships: memberships.iter().map(MembershipView::of).collect(),
        player_links: links.iter().map(PlayerLinkView::of).collect(),
        players: Vec::new(),
        at_bats: Vec::new(),
        availability: Vec::new(),
        invites: Vec::new(),
        shares: Vec::new(),
        audit: Vec::new(),
    };
    for link in &links {
        export.add_player(app, &user, link).await?;
    }
    let own: BTreeSet<&PlayerId> = links.iter().map(|link| &link.player_id).collect();
    let of_players = links.iter().map(|link| &link.team_id);
    let teams: BTreeSet<&TeamId> =
        memberships.iter().map(|membership| &membership.team_id).chain(of_players).collect();
    for team_id in teams {
        export.add_team(app, &user, team_id).await?;
        export.add_games(app, &user, &own, team_id).await?;
    }
    Ok(Json(export).into())
}

impl ExportView {
    /// Adds a player that is or was linked to the user, and the at-bats of that time.
    async fn add_player(
        &mut self,
        app: &App,
        user: &User,
        link: &PlayerLink,
    ) -> Result<(), Problem> {
        let player = app.db.player(&link.team_id, &link.player_id).await?;
        let own = player.filter(|player| player.user_id.as_ref() == Some(&user.user_id));
        self.players.extend(own.as_ref().map(PlayerView::of));
        let batted = app.db.at_bats_of(&link.player_id).all().await?;
        let own = batted.iter().filter(|at_bat| link.covers(at_bat.played_at()));
        self.at_bats.extend(own.map(AtBatView::of));
        Ok(())
    }

    /// Adds the invitations of a team that the user created, accepted or received, and the user's
    /// actions in the team.
    async fn add_team(&mut self, app: &App, user: &User, team_id: &TeamId) -> Result<(), Problem> {
        let address = user.email.to_lowercase();
        let is_own = |invite: &&Invite| {
            invite.created_by == user.user_id
                || invite.accepted_by.as_ref() == Some(&user.user_id)
                || invite.email.as_ref().is_some_and(|email| email.to_lowercase() == address)
        };
        let (invites, now) = (app.db.invites(team_id).all().await?, app.db.now());
        let own = invites.iter().filter(is_own);
        self.invites.extend(own.map(|invite| InviteView::at(invite, now)));
        let audit = app.db.audit(team_id).all().await?;
        let about = format!("MEMBER#{}", user.user_id);
        let is_own = |entry: &&Audit| entry.actor == user.user_id || entry.entity == about;
        self.audit.extend(audit.iter().filter(is_own).map(AuditView::of));
        Ok(())
    }

    /// Adds the availability of the user's players for games of a team, and share links that the
    /// user created.
    async fn add_games(
        &mut self,
        app: &App,
        user: &User,
        own: &BTreeSet<&PlayerId>,
        team_id: &TeamId,
    ) -> Result<(), Problem> {
        for game in app.db.games_of(team_id).all().await? {
            let answers = app.db.availability(&game.game_id).all().await?;
            let answers = answers.iter().filter(|answer| {
                own.contains(&answer.player_id) || answer.answered_by == user.user_id
            });
            self.availability.extend(answers.map(AvailabilityView::of));
            let shares = app.db.shares(&game.game_id).all().await?;
            let shares = shares.iter().filter(|share| share.created_by == user.user_id);
            self.shares.extend(shares.map(ShareView::of));
        }
        Ok(())
    }
}
