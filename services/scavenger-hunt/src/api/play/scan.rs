//! `POST /api/scan`: scans the code of a level.

use super::state::{self, StateView};
use super::{join, talk};
use crate::api::prelude::*;
use crate::api::{announce, routes};
use crate::rules::codes;
use crate::rules::geo::{DistanceBand, Position};
use crate::rules::scan::{Scan, Scanned};

/// How old a position may be that proves a visit.
const FRESH_SECONDS: i64 = 120;
/// How far from a level a position may be, unless the level says otherwise.
const RADIUS_M: u32 = 60;
/// Points of a level, unless it says otherwise.
pub(crate) const POINTS: u32 = 100;

/// A code.
#[derive(Debug, Body)]
pub(crate) struct Code {
    /// The text of the code, or the address that it contains.
    #[body(length = 1..=200, example = "7K3M9QWX0A1B7K3M9QWX0A1B7K")]
    code: String,
}

/// Scans the code of a level. The right one brings the team to its next level; one that a teammate has scanned already
/// changes nothing.
#[operation(POST "/api/scan", refuses(refusal::ACTING, refusal::SCANNING))]
pub(crate) async fn scan(app: &App, call: &Call<(), Code>) -> Answer<Json<StateView>> {
    let playing = policy::player(app, call).await?;
    scan_code(app, call, playing, &call.body.code).await
}

/// Scans a code.
///
/// # Errors
/// Returns the refusals of the decision table.
pub(crate) async fn scan_code(
    app: &App,
    call: &Request,
    playing: Playing,
    code: &str,
) -> Answer<Json<StateView>> {
    app.scans.admit(&playing.user.id, app.db.now())?;
    // Teammates often scan the same code at the same moment.
    let _turn = call.queues.turn(playing.team_id().as_str()).await;
    let route = routes::route(app, playing.team_id()).await?;
    let level_id = level_of(app, &playing.game.id, code).await?;
    let current = match (route.current(), &level_id) {
        (Some(current), Some(level_id)) if current.level_id == *level_id => {
            app.db.level_of(&playing.game.id, level_id).await?
        }
        _ => None,
    };
    let outside = match &current {
        Some(level) if playing.game.geofence_required == Some(true) => {
            outside(app, playing.team_id(), level).await?
        }
        _ => None,
    };
    let scan = Scan {
        state: playing.state,
        photo_required: playing.game.photo_required.unwrap_or(true),
        route: &route,
        level_id: level_id.as_ref(),
        outside,
    };
    match scan.decide() {
        Scanned::Unchanged => {
            let message = route.is_complete().then(|| talk::FINISHED.to_owned());
            Ok(Json(state::state(app, &playing, message).await?).into())
        }
        Scanned::Refused(refusal) => Err(refused(refusal, outside)),
        Scanned::Advances => {
            let level = current.ok_or(Refusal::LevelNotFound)?;
            advance(app, call, &playing, &route, &level).await?;
            let playing =
                policy::playing(app, &playing.game.id, playing.team_id(), &playing.user.id).await?;
            let message = greeting(app, &playing).await?;
            Ok(Json(state::state(app, &playing, Some(message)).await?).into())
        }
    }
}

fn refused(refusal: Refusal, outside: Option<DistanceBand>) -> Problem {
    match (refusal, outside) {
        (Refusal::NotAtLocation, Some(band)) => refusal.with("distance", band.word()),
        (refusal, _) => refusal.into(),
    }
}

/// Returns the level of a game that has a code. Levels of older programs have none: their id is the code, also before the
/// backfill. All that can be one are looked up, whatever the code is.
async fn level_of(app: &App, game_id: &GameId, code: &str) -> Result<Option<LevelId>, Problem> {
    let (typed, older) = (Hash::of(&codes::normal(code)), Hash::of(codes::last_part(code)));
    let id = LevelId::new(codes::last_part(code)).unwrap_or_else(|_| LevelId::none());
    let (typed, older, named) = tokio::try_join!(
        app.db.scan_code(&typed).into_future(),
        app.db.scan_code(&older).into_future(),
        app.db.level_of(game_id, &id).into_future()
    )?;
    let found = typed.or(older).filter(|found| found.game_id == *game_id);
    let named = named.filter(|level| level.scan_code.is_none());
    Ok(found.map(|found| found.level_id).or(named.map(|level| level.id)))
}

/// Returns how far the team is from a level, unless one of its players is there.
async fn outside(
    app: &App,
    team_id: &TeamId,
    level: &Level,
) -> Result<Option<DistanceBand>, Problem> {
    let since = EpochSeconds::new(app.db.now().epoch_seconds().as_seconds() - FRESH_SECONDS);
    let place = Position::of(level.location.latitude, level.location.longitude);
    let mut nearest: Option<f64> = None;
    // An index may lag, so that the players' own partitions are read.
    for user in app.db.users(team_id).skip_unreadable().all().await? {
        let mut positions = app.db.positions_of_user(&user.id, since).skip_unreadable().stream();
        while let Some(position) = positions.next().await {
            let position = position?;
            if position.implausible == Some(true) {
                continue;
            }
            let distance = Position::of(position.latitude, position.longitude).distance_m(place);
            nearest = Some(nearest.map_or(distance, |nearest| nearest.min(distance)));
        }
    }
    let radius = f64::from(level.radius_m.unwrap_or(RADIUS_M));
    let is_there = nearest.is_some_and(|distance| distance <= radius);
    Ok((!is_there).then(|| DistanceBand::of(nearest)))
}

/// Completes the level where a team is: the completion, the start of the next level, the checkpoint and the victory are one
/// transaction. If only the victory is refused because another team was faster, the rest is written without it.
async fn advance(
    app: &App,
    call: &Request,
    playing: &Playing,
    route: &Route,
    level: &Level,
) -> Result<(), Problem> {
    let game = &playing.game;
    let current = route.current().ok_or(Refusal::LevelCompleted)?;
    let (now, control) = (app.db.now(), playing.control.as_ref());
    let mut cleared = routes::completed(current, control, now);
    cleared.points = Some(level.points.unwrap_or(POINTS));
    let checkpoint =
        routes::checkpoint(app, &game.id, current, Checkpoint::Cleared, Some(&playing.user.id));
    let checkpoint = checkpoint.await?;
    let team = playing.team(app).await?;
    let is_victory = route.next().is_none() && game.winner_team_id.is_none();
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(check(&DashboardControlKey::new(game.id.clone()), running()));
    if is_victory {
        let key = GameKey::new(game.id.clone());
        // A game of an older program without a status would be over with its winner, also for teams that still walk.
        let status = game.status.or(Some(GameStatus::Ready));
        let won = Game::update(&key).winner_team_id(Some(team.id.clone())).status(status);
        // A team that was faster has won: the command is run again, sees the winner, and takes the other branch.
        tx.add(won.when(game::winner_team_id().absent().and(join::not_over())));
    } else {
        tx.add(check(&game.key(), join::not_over()));
    }
    let mut levels = vec![(current.clone(), cleared)];
    if let Some(next) = route.next() {
        levels.push((next.clone(), routes::started(next, control, now)));
    }
    routes::change(&mut tx, &team, route, levels);
    tx.expect(create(checkpoint));
    let announced = announce::changed(app, &game.id, &team.id);
    tx.afterwards(announced).reply(|_| Reply::no_content()).await.map(drop)
}

/// Holds while a clock runs.
fn running() -> Condition<DashboardControl> {
    dashboard_control::started_at().exists().and(dashboard_control::paused_at().absent())
}

/// Returns what the next character says, or the last words of the hunt.
async fn greeting(app: &App, playing: &Playing) -> Result<String, Problem> {
    let route = routes::route(app, playing.team_id()).await?;
    let Some(current) = route.current() else { return Ok(talk::FINISHED.to_owned()) };
    let level = app.db.level_of(&playing.game.id, &current.level_id).await?;
    Ok(talk::greeting(&level.ok_or(Refusal::LevelNotFound)?))
}
