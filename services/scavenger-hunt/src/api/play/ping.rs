//! `POST /api/ping-coordinates`: reports where a player is.

use std::time::Duration;

use crate::api::announce;
use crate::api::prelude::*;
use crate::rules::geo::Position;

/// How often positions of a player are kept.
const PAUSE: Duration = Duration::from_secs(5);
/// How long they are kept, unless the game says otherwise.
pub(crate) const RETENTION_DAYS: u32 = 30;
pub(crate) const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// Implausible positions that are passed over to find one that counts.
const PASSED_MAX: usize = 100;

/// Where a player is.
#[derive(Debug, Body)]
pub(crate) struct Coordinates {
    #[body(range = -90.0..=90.0, example = 48.2082)]
    latitude: f64,
    #[body(range = -180.0..=180.0, example = 16.3738)]
    longitude: f64,
    #[body(alias("accuracy_m"), range = 0.0..=100_000.0, example = 8.5)]
    accuracy_m: Option<f64>,
    /// In degrees from the north.
    #[body(range = 0.0..=360.0, example = 90.0)]
    heading: Option<f64>,
}

/// Whether the position was kept.
#[derive(View)]
pub(crate) struct PingView {
    #[view(example = true)]
    accepted: bool,
}

/// Reports where you are, for the map of the organisers. One position is kept in 5 seconds.
#[operation(POST "/api/ping-coordinates", refuses(refusal::PLAYING, GameEnded))]
pub(crate) async fn ping(app: &App, call: &Call<(), Coordinates>) -> Answer<Json<PingView>> {
    let playing = policy::player(app, call).await?;
    playing.require_not_over()?;
    let _turn = call.queues.turn(playing.user.id.as_str()).await;
    let user = &playing.user;
    let (now, body) = (app.db.now(), &call.body);
    let latest = app.db.latest_of_user(&user.id).skip_unreadable().first().await?;
    if latest.as_ref().is_some_and(|latest| now < latest.stamps.created + PAUSE) {
        return Ok(Json(PingView { accepted: false }).into());
    }
    let here = Position { latitude: body.latitude, longitude: body.longitude };
    let is_reachable = match trusted(app, &user.id, latest).await? {
        Some(before) => {
            let there = Position::of(before.latitude, before.longitude);
            here.is_reachable_from(there, now.since(before.stamps.created))
        }
        None => true,
    };
    let retention = playing.game.retention_days.unwrap_or(RETENTION_DAYS);
    let snapshot = CoordinateSnapshot {
        id: app.new_id()?,
        ts: now.epoch_seconds(),
        user_id: user.id.clone(),
        team_id: user.team_id.clone(),
        latitude: Degrees(here.latitude),
        longitude: Degrees(here.longitude),
        accuracy_m: body.accuracy_m,
        heading: body.heading,
        implausible: (!is_reachable).then_some(true),
        ttl: None,
        stamps: Stamps {
            expires: Some((now + DAY * retention).epoch_seconds()),
            ..Stamps::default()
        },
    };
    let mut tx = call.transact(&app.db);
    playing.require_there(&mut tx);
    tx.add(create(snapshot));
    tx.reply(|_| Reply::no_content()).await?;
    announce::moved(app, &playing.game.id).await;
    Ok(Json(PingView { accepted: true }).into())
}

/// Returns the last position of a player that counts.
async fn trusted(
    app: &App,
    user_id: &UserId,
    latest: Option<CoordinateSnapshot>,
) -> Result<Option<CoordinateSnapshot>, Problem> {
    match latest {
        Some(latest) if latest.implausible == Some(true) => {
            let rows = app.db.latest_of_user(user_id).skip_unreadable().take(PASSED_MAX);
            let mut rows = rows.page().await?.rows.into_iter();
            Ok(rows.find(|row| row.implausible != Some(true)).or(Some(latest)))
        }
        latest => Ok(latest),
    }
}
