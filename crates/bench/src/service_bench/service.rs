//! The acts through the service's routes: tasks that ask at the same time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use hdrhistogram::Histogram;
use http::{Method, Request, StatusCode};
use monotable_bench::Result;
use serde_json::json;

use crate::measured::{Slice, histogram};
use crate::world::{Act, Game, World, request};

/// One slice: every client has its own games.
pub(crate) async fn slice(
    world: &Arc<World>,
    act: Act,
    games: &[Game],
    duration: Duration,
) -> Result<Slice> {
    let start = Instant::now();
    let clients: Vec<_> = games
        .chunks(games.len() / world.callers())
        .map(|games| {
            let (world, games) = (Arc::clone(world), games.to_vec());
            tokio::spawn(async move { client(&world, act, &games, start + duration).await })
        })
        .collect();
    let mut all = histogram()?;
    for client in clients {
        all.add(client.await??)?;
    }
    Ok(Slice::of(&all, start.elapsed()))
}

async fn client(
    world: &World,
    act: Act,
    games: &[Game],
    deadline: Instant,
) -> Result<Histogram<u64>> {
    let mut latencies = histogram()?;
    for (game, number) in act.turns(games) {
        let request = prepared(act, game, number)?;
        let start = Instant::now();
        let (status, body) = world.ask(request).await?;
        let end = Instant::now();
        if !matches!(status, StatusCode::OK | StatusCode::CREATED) {
            let told = String::from_utf8_lossy(&body);
            return Err(format!("{}: {status} {told}", act.name()).into());
        }
        latencies.record(u64::try_from((end - start).as_nanos())?)?;
        if end >= deadline {
            break;
        }
        // A server would hear of other requests between two of one client.
        tokio::task::yield_now().await;
    }
    Ok(latencies)
}

fn prepared(act: Act, game: &Game, number: usize) -> Result<Request<Body>> {
    let Game { game_id, token, lineup, .. } = game;
    match act {
        Act::RecordAtBat => {
            let body = json!({
                "playerId": lineup[number % lineup.len()], "result": "1B", "rbis": 0,
                "hitType": "line_drive", "hitLocation": { "x": 0.25, "y": 0.5 },
            });
            request(Method::POST, &format!("/games/{game_id}/atbats"), token, body.to_string())
        }
        Act::BoxScore => {
            request(Method::GET, &format!("/games/{game_id}/boxscore"), token, String::new())
        }
    }
}
