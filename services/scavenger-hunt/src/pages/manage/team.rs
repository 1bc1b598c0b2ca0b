//! `GET /manage/{gameId}/teams/{teamId}`: a team: its route, its players and its talks.

use askama::Template;
use monotable_kit::{Form, Html, Zone};

use super::{Managed, level_name, levels, options, teams};
use crate::api::people::{erase, move_user};
use crate::api::prelude::*;
use crate::api::routes;
use crate::api::teams::{reopen, skip};
use crate::pages::time;

monotable_kit::paths! {
    /// The team of a game that a path names.
    TeamOfGamePath { game_id: GameId, team_id: TeamId }
}

/// Messages that are shown.
const MESSAGES: usize = 50;

/// The content of the page.
#[derive(Template)]
#[template(path = "manage/team.html")]
struct TeamPage {
    managed: Managed,
    team: Team,
    route: Vec<Place>,
    players: Vec<Player>,
    messages: Vec<Said>,
    zone: Zone,
}

/// A level in the route of the team.
struct Place {
    level: TeamLevel,
    name: String,
    is_current: bool,
    /// Skips the level, or gives it back.
    form: Option<Form>,
}

struct Player {
    name: String,
    forms: Option<[Form; 2]>,
}

struct Said {
    who: String,
    level_name: String,
    message: Message,
}

/// Shows a team of a game, with what can be done about it.
#[operation(GET "/manage/{gameId}/teams/{teamId}", refuses(refusal::WATCHING, TeamNotFound))]
async fn team_page(app: &App, call: &Call<TeamOfGamePath>) -> Answer<Html> {
    let TeamOfGamePath { game_id, team_id } = &call.path;
    let managed = Managed::read(app, call, game_id, Action::Watch).await?;
    let team = app.db.team_of(game_id, team_id).await?.ok_or(Refusal::TeamNotFound)?;
    let (levels, route) = (levels(app, game_id).await?, routes::route(app, team_id).await?);
    let then = format!("/manage/{game_id}/teams/{team_id}");
    let form = |route: monotable_kit::Route, text: &str| {
        managed.can_control.then(|| Form::of(call, &route).submit(text).then(&then))
    };
    let current = route.current().map(|level| level.id.clone());
    let place = |level: &TeamLevel| Place {
        name: level_name(&levels, &level.level_id),
        is_current: current.as_ref() == Some(&level.id),
        form: match level.completed_at {
            None => form(skip::route(), "Skip"),
            Some(_) => form(reopen::route(), "Give back"),
        }
        .map(|form| form.path("teamLevelId", &level.id)),
        level: level.clone(),
    };
    let others: Vec<Team> = teams(app, game_id).await?;
    let others: Vec<Team> = others.into_iter().filter(|other| other.id != *team_id).collect();
    let users = app.db.users(team_id).skip_unreadable().all().await?;
    let name = |user: &User| user.display_name.clone().unwrap_or_else(|| "A player".to_owned());
    let player = |user: &User| Player {
        name: name(user),
        forms: form(move_user::route(), "Move").zip(form(erase::route(), "Remove and erase")).map(
            |(moved, erased)| {
                let moved = moved.options("teamId", options(&others)).distinct(&user.id);
                [moved.path("userId", &user.id), erased.path("userId", &user.id)]
            },
        ),
    };
    let messages = app.db.messages_of_team(team_id).skip_unreadable().all().await?;
    let said = |message: &Message| Said {
        who: match message.role {
            Speaker::User => users
                .iter()
                .find(|user| user.id == message.user_id)
                .map_or_else(|| "A former player".to_owned(), name),
            Speaker::Assistant => "Character".to_owned(),
            Speaker::System => "Organisers".to_owned(),
        },
        level_name: level_name(&levels, &message.level_id),
        message: message.clone(),
    };
    let page = TeamPage {
        route: route.levels().iter().map(place).collect(),
        players: users.iter().map(player).collect(),
        messages: messages.iter().rev().take(MESSAGES).map(said).collect(),
        zone: call.viewer.zone.clone(),
        managed,
        team,
    };
    Ok(super::html(call, page.team.name.clone(), &page)?.into())
}
