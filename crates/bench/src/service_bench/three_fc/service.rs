//! The acts through the service's routes.

use http::Method;
use monotable_bench::Result;

use super::world::{Act, Game, goal, key};
use crate::clients::Stopwatch;
use crate::subject::{ServiceClient, request};

/// Returns a client with games of its own.
pub(super) async fn client(
    service: ServiceClient,
    token: String,
    act: Act,
    games: Vec<Game>,
    mut watch: Stopwatch,
) -> Result<Stopwatch> {
    for (Game { game_id, .. }, number) in act.turns(&games) {
        let request = match act {
            Act::RecordGoal => {
                let path = format!("/v1/games/{game_id}/goals");
                request(Method::POST, &path, &token, Some(&key()), goal(number).to_string())?
            }
            Act::GamePage => {
                request(Method::GET, &format!("/games/{game_id}"), &token, None, String::new())?
            }
        };
        watch.measure(service.done(request)).await?;
        if watch.is_over() {
            break;
        }
    }
    Ok(watch)
}
