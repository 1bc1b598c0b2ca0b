//! `GET /manage/{gameId}`: the board of a running game: its clock, its map, its teams and what happens.

use std::time::Duration;

use askama::Template;
use monotable_kit::{Form, Html, Zone};

use super::{Managed, level_name, levels, options, teams};
use crate::api::dashboard::{StandingView, standing_views};
use crate::api::games::control::{self, ClockAction};
use crate::api::games::{adjust, broadcast, end};
use crate::api::prelude::*;
use crate::pages::map::{Map, Track};
use crate::pages::{Clock, color, duration, time};
use crate::rules::geo::Position;

/// Events that are shown.
const EVENTS: usize = 20;
/// How long ago positions may be that are on the map.
const TRACKED: Duration = Duration::from_secs(60 * 60);
/// Players on the map, and the latest positions of each: fewer if there are many players.
const PLAYERS_MAX: usize = 300;
const POSITIONS_EACH_MAX: usize = 100;
const POSITIONS_MAX: usize = 5_000;
/// The first photos, among which those to review are counted.
const PHOTOS_COUNTED: usize = 500;

/// The content of the page.
#[derive(Template)]
#[template(path = "manage/board.html")]
struct BoardPage {
    managed: Managed,
    clock: Clock,
    standings: Vec<(StandingView, String)>,
    places: Vec<Level>,
    map: Option<Map>,
    /// Where each player was last.
    players: Vec<LastSeen>,
    events: Vec<Happened>,
    unreviewed: usize,
    /// For those who control the game.
    forms: Option<Forms>,
}

/// Where a player was last.
struct LastSeen {
    team_name: String,
    name: String,
    at: String,
    position: String,
}

/// Something that happened at a level.
struct Happened {
    at: String,
    text: String,
}

/// What organisers can do.
struct Forms {
    clock: Form,
    reset: Option<Form>,
    end: Option<Form>,
    adjust: Form,
    broadcast: Form,
}

/// Shows a running game to those who control or watch it.
#[operation(GET "/manage/{gameId}", refuses(refusal::WATCHING))]
async fn board_page(app: &App, call: &Call<GamePath>) -> Answer<Html> {
    let game_id = &call.path.game_id;
    let managed = Managed::read(app, call, game_id, Action::Watch).await?;
    let control = app.db.control(game_id).await?;
    let now = app.db.now();
    let (teams, places) = (teams(app, game_id).await?, levels(app, game_id).await?);
    let adjustments = app.db.adjustments(game_id).skip_unreadable().all().await?;
    let clock = Clock::of(&managed.game, control.as_ref(), now);
    let events = app.db.checkpoints_of(game_id).skip_unreadable().take(EVENTS).page().await?;
    let photos = app.db.photos_of_game(game_id).skip_unreadable().take(PHOTOS_COUNTED).page();
    let photos = photos.await?.rows;
    let (tracks, players) = tracks(app, &call.viewer.zone, &teams).await?;
    let marked = places.iter().map(|level| {
        let position = Position::of(level.location.latitude, level.location.longitude);
        (level.level_name.clone(), position)
    });
    let marked: Vec<(String, Position)> = marked.collect();
    let zone = &call.viewer.zone;
    let page = BoardPage {
        standings: standing_views(&managed.game, &teams, &adjustments)
            .into_iter()
            .map(|standing| {
                let team = teams.iter().find(|team| team.id == standing.team_id);
                let position = team.and_then(|team| team.position);
                let color = color(standing.rank.color.as_deref(), position);
                (standing, color)
            })
            .collect(),
        map: Map::of(&marked, &tracks),
        players,
        events: events.rows.iter().map(|event| happened(event, zone, &teams, &places)).collect(),
        unreviewed: photos
            .iter()
            .filter(|photo| photo.review.unwrap_or_default() == Review::Pending)
            .count(),
        forms: managed.can_control.then(|| forms(call, &clock, &teams)),
        places,
        clock,
        managed,
    };
    let html = super::html(call, page.managed.name(), &page)?;
    Ok(html.live(format!("/api/games/{game_id}/stream")).into())
}

/// Returns the tracks of players for the map, and where each was last.
async fn tracks(
    app: &App,
    zone: &Zone,
    teams: &[Team],
) -> Result<(Vec<Track>, Vec<LastSeen>), Problem> {
    let since = (app.db.now() - TRACKED).epoch_seconds();
    let (mut tracks, mut players) = (Vec::new(), Vec::new());
    let users: usize = teams.iter().map(|team| team.user_count as usize).sum();
    let each = (POSITIONS_MAX / users.clamp(1, PLAYERS_MAX)).min(POSITIONS_EACH_MAX);
    for team in teams {
        for user in app.db.users(&team.id).skip_unreadable().all().await? {
            if players.len() == PLAYERS_MAX {
                return Ok((tracks, players));
            }
            let latest = app.db.latest_of_user(&user.id).skip_unreadable().take(each);
            let mut rows = latest.page().await?.rows;
            rows.retain(|row| row.ts >= since);
            let Some(last) = rows.first() else { continue };
            let name = user.display_name.unwrap_or_else(|| "A player".to_owned());
            players.push(LastSeen {
                team_name: team.name.clone(),
                name: name.clone(),
                at: time(zone, &last.stamps.created),
                position: format!("{:.5}, {:.5}", last.latitude.0, last.longitude.0),
            });
            let positions = rows.iter().rev().map(|row| Position::of(row.latitude, row.longitude));
            tracks.push(Track {
                color: color(team.color.as_deref(), team.position),
                label: format!("{name}, {}", team.name),
                positions: positions.collect(),
            });
        }
    }
    Ok((tracks, players))
}

/// Returns an event in words.
fn happened(event: &CheckpointEvent, zone: &Zone, teams: &[Team], levels: &[Level]) -> Happened {
    let team = teams.iter().find(|team| team.id == event.team_id);
    let team = team.map_or("A team", |team| team.name.as_str());
    let level = level_name(levels, &event.level_id);
    let text = match event.kind.unwrap_or_default() {
        Checkpoint::Cleared => format!("{team} found {level}"),
        Checkpoint::Photo => format!("{team} photographed {level}"),
        Checkpoint::Skipped => format!("{team} may skip {level}"),
        Checkpoint::Reopened => format!("{team} must find {level} again"),
    };
    Happened { at: time(zone, &event.stamps.created), text }
}

fn forms(call: &Call<GamePath>, clock: &Clock, teams: &[Team]) -> Forms {
    let then = format!("/manage/{}", call.path.game_id);
    let order = |action: ClockAction, text: &str| {
        Form::of(call, &control::route())
            .fixed("action", action.word())
            .without(&["force"])
            .submit(text)
            .then(&then)
    };
    let is_over = clock.state.is_over();
    Forms {
        clock: match clock.state {
            GameState::Live => order(ClockAction::Pause, "Pause the game"),
            GameState::Paused => order(ClockAction::Unpause, "Go on"),
            _ => order(ClockAction::Start, "Start the game"),
        },
        reset: matches!(clock.state, GameState::Live | GameState::Paused)
            .then(|| order(ClockAction::Reset, "Take the start back").fixed("force", true)),
        end: (!is_over && clock.state != GameState::Provisioning)
            .then(|| Form::of(call, &end::route()).submit("End the game").then(&then)),
        adjust: Form::of(call, &adjust::route())
            .options("teamId", options(teams))
            .submit("Give or take the points")
            .then(&then),
        broadcast: Form::of(call, &broadcast::route())
            .options("teamId", options(teams))
            .submit("Send to players")
            .then(&then),
    }
}
