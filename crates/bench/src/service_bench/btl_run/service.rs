//! The acts through the service's routes.

use std::collections::VecDeque;

use monotable_bench::Result;

use super::world::{Act, Match, Player};
use crate::clients::Stopwatch;

/// What an answer says of a match that is over. It is looked for and not parsed, which would cost the
/// clients as much as a part of the service.
const ENDED: &str = r#""status":"ended""#;

/// A client goes round its own matches until all are over.
pub(super) async fn client(
    player: Player,
    act: Act,
    matches: Vec<Match>,
    mut watch: Stopwatch,
) -> Result<Stopwatch> {
    let mut played = VecDeque::from(matches);
    while let Some(one) = played.pop_front() {
        let request = player.prepared(act, &one)?;
        let answer = watch.measure(player.asked.done(request)).await?;
        if watch.is_over() {
            break;
        }
        if !std::str::from_utf8(&answer)?.contains(ENDED) {
            played.push_back(one);
        }
    }
    Ok(watch)
}
