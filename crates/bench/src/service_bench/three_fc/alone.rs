//! What is measured without other clients.

use std::time::{Duration, Instant};

use http::Method;
use http_body_util::BodyExt as _;
use monotable_bench::Result;
use serde_json::json;

use super::world::{Game, World, goal};
use crate::measured::Alone;
use crate::memory::resident_kib;
use crate::subject::request;

/// Games of the long season.
const GAMES: usize = 500;
/// Goals of each of its games.
const GOALS: usize = 5;
/// How often its standings are service for; the median counts.
const CALLS: usize = 21;
const STANDINGS_MAX: Duration = Duration::from_millis(20);
/// Clients that follow one game.
const SPECTATORS: usize = 1_000;
/// Goals that they see; the slowest of all deliveries counts.
const SEEN: usize = 10;
const DELAY_MAX: Duration = Duration::from_millis(300);

/// Returns the standings of a season of 500 finished games.
pub(super) async fn standings(world: &World) -> Result<Alone> {
    for Game { game_id, .. } in world.season("long", GAMES).await? {
        for number in 0..GOALS {
            world.created(&format!("/v1/games/{game_id}/goals"), goal(number)).await?;
        }
        for third in 1..=3 {
            let path = format!("/v1/games/{game_id}/thirds/{third}");
            if third > 1 {
                world.created(&format!("{path}/start"), json!({})).await?;
            }
            world.created(&format!("{path}/finish"), json!({})).await?;
        }
        world.created(&format!("/v1/games/{game_id}/finish"), json!({})).await?;
    }
    let mut times = Vec::with_capacity(CALLS);
    for _ in 0..CALLS {
        let path = "/v1/public/seasons/long/standings";
        let request = request(Method::GET, path, &world.token, None, String::new())?;
        let start = Instant::now();
        world.service.done(request).await?;
        times.push(start.elapsed());
    }
    times.sort();
    let median = times[CALLS / 2];
    Ok(Alone {
        act: format!("standings of {GAMES} games"),
        measured: format!("{:.1} ms", millis(median)),
        target: format!("{} ms", STANDINGS_MAX.as_millis()),
        is_met: median <= STANDINGS_MAX,
    })
}

/// Returns a game that many follow: the time from a goal to the last of them, and the memory that
/// they take. They follow in this process, without sockets.
pub(super) async fn spectators(world: &World) -> Result<Alone> {
    let game = world.games.last().ok_or("the season has no game")?;
    let path = format!("/v1/public/games/{}/stream", game.game_id);
    let before = resident_kib()?;
    let mut streams = Vec::with_capacity(SPECTATORS);
    for token in world.spectators.iter().cycle().take(SPECTATORS) {
        let request = request(Method::GET, &path, token, None, String::new())?;
        let mut stream = world.service.open(request).await?.into_body();
        // The first event is the current state of the game.
        stream.frame().await.ok_or("the stream ended")??;
        streams.push(stream);
    }
    let each_kib = (resident_kib()?.saturating_sub(before)) as f64 / SPECTATORS as f64;
    let mut slowest = Duration::ZERO;
    for number in 0..SEEN {
        let mut waiting = tokio::task::JoinSet::new();
        for mut stream in streams.drain(..) {
            waiting.spawn(async move {
                let frame = stream.frame().await;
                (stream, frame.is_some_and(|frame| frame.is_ok()), Instant::now())
            });
        }
        let start = Instant::now();
        world.created(&format!("/v1/games/{}/goals", game.game_id), goal(number)).await?;
        while let Some(seen) = waiting.join_next().await {
            let (stream, is_event, at) = seen?;
            if !is_event {
                return Err("a stream ended".into());
            }
            slowest = slowest.max(at - start);
            streams.push(stream);
        }
    }
    Ok(Alone {
        act: format!("goal to the last of {SPECTATORS} spectators"),
        measured: format!("{:.1} ms, {each_kib:.1} KiB each", millis(slowest)),
        target: format!("{} ms", DELAY_MAX.as_millis()),
        is_met: slowest <= DELAY_MAX,
    })
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
