//! Whether a match was played fairly, for everybody who asks.

use monotable_kit::{Problem, Reply, Request};
use serde::Serialize;

use super::turn;
use crate::app::App;
use crate::log::all_events;
use crate::rules::events::Event;
use crate::rules::rng::Seed;
use crate::rules::state::{MatchState, Status};
use crate::story;
use crate::table::{BtlRunReads as _, MatchId};

/// What is told about a match.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Checked {
    match_id: MatchId,
    status: Status,
    /// The SHA-256 of the seed, as it was published before the first turn.
    seed_commit: String,
    rules_ver: u32,
    rng_ver: u32,
    /// Whether everybody may know the seed, because the match is over.
    is_revealed: bool,
    seed: Option<Seed>,
    /// Whether seed, log and match agree; nothing as long as the seed is a secret.
    is_verified: Option<bool>,
    /// How they don't.
    difference: Option<String>,
    turn_count: Option<u32>,
    event_count: Option<u32>,
}

/// `GET /match/{id}/verify`.
///
/// # Errors
/// 404 if there is no such match.
pub async fn verify(app: &App, call: &Request) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    let state = turn::seen(app, &match_id).await?.state;
    let mut told = Checked {
        match_id: match_id.clone(),
        status: state.status,
        seed_commit: state.seed_commit.clone(),
        rules_ver: state.rules_ver,
        rng_ver: state.rng_ver,
        is_revealed: state.status == Status::Ended,
        seed: None,
        is_verified: None,
        difference: None,
        turn_count: None,
        event_count: None,
    };
    if told.is_revealed {
        told.seed = app.db.secret(&match_id).await?.map(|secret| secret.seed);
        let events = all_events(app, &state).await?;
        match played_again(told.seed.as_ref(), state, &events) {
            Ok((turn_count, event_count)) => {
                told.is_verified = Some(true);
                (told.turn_count, told.event_count) = (Some(turn_count), Some(event_count));
            }
            Err(difference) => {
                told.is_verified = Some(false);
                told.difference = Some(difference);
            }
        }
    }
    Ok(Reply::ok(&told))
}

/// The turns and events of a match that comes out again as it is stored.
fn played_again(
    seed: Option<&Seed>,
    mut state: MatchState,
    events: &[Event],
) -> Result<(u32, u32), String> {
    let seed = seed.ok_or("the match was played without a seed")?;
    let mut verified = story::verify(seed, events).map_err(|forged| forged.to_string())?;
    // No event knows the version of the row, nor what other programs keep in it.
    verified.state.version = state.version;
    state.unknown.clear();
    match verified.state == state {
        true => Ok((verified.turn_count, verified.event_count)),
        false => Err("the log does not amount to the match".to_owned()),
    }
}
