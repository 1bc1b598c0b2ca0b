//! The acts through the service's routes.

use std::collections::VecDeque;

use monotable_bench::Result;

use super::world::{Act, Match, Player};
use crate::clients::Stopwatch;

/// The part of a response that marks a finished match. It is found by a search, because parsing
/// would cost the clients as much as a part of the service.
const ENDED: &str = r#""status":"ended""#;
/// What is in front of the match in a response, and of the id of its open turn.
const MATCH: &str = r#""match":{"#;
const TURN_ID: &str = r#""turnId":""#;

/// Runs a client over its own matches until all are over.
pub(super) async fn client(
    player: Player,
    act: Act,
    matches: Vec<Match>,
    mut watch: Stopwatch,
) -> Result<Stopwatch> {
    let mut played = VecDeque::from(matches);
    while let Some(mut one) = played.pop_front() {
        let request = player.prepared(act, &one)?;
        let answer = watch.measure(player.service.done(request)).await?;
        if watch.is_over() {
            break;
        }
        let answer = std::str::from_utf8(&answer)?;
        if !answer.contains(ENDED) {
            one.turn_id = open_turn(answer).ok_or("a response without an open turn")?.to_owned();
            played.push_back(one);
        }
    }
    Ok(watch)
}

/// Returns the turn that is open after an act.
fn open_turn(answer: &str) -> Option<&str> {
    let (_, shown) = answer.split_once(MATCH)?;
    let (_, turn_id) = shown.split_once(TURN_ID)?;
    Some(turn_id.split_once('"')?.0)
}
