//! The acts through the service's routes.

use axum::body::Body;
use http::{Method, Request};
use monotable_bench::Result;
use serde_json::json;

use super::world::{Act, Game};
use crate::clients::Stopwatch;
use crate::subject::{ServiceClient, request};

/// Returns a client with games of its own.
pub(super) async fn client(
    service: ServiceClient,
    act: Act,
    games: Vec<Game>,
    mut watch: Stopwatch,
) -> Result<Stopwatch> {
    for (game, number) in act.turns(&games) {
        let request = prepared(act, game, number)?;
        watch.measure(service.done(request)).await?;
        if watch.is_over() {
            break;
        }
    }
    Ok(watch)
}

fn prepared(act: Act, game: &Game, number: usize) -> Result<Request<Body>> {
    let Game { game_id, token, lineup, .. } = game;
    match act {
        Act::RecordAtBat => {
            let body = json!({
                "playerId": lineup[number % lineup.len()], "result": "1B", "rbis": 0,
                "hitType": "line_drive", "hitLocation": { "x": 0.25, "y": 0.5 },
            });
            request(
                Method::POST,
                &format!("/games/{game_id}/atbats"),
                token,
                None,
                body.to_string(),
            )
        }
        Act::BoxScore => {
            request(Method::GET, &format!("/games/{game_id}/boxscore"), token, None, String::new())
        }
    }
}
