//! Sample data: a finished match, and one that waits for players. It is written with the service's
//! own operations.

use std::sync::Arc;

use monotable_kit::demo::{body_of, person, request};
use monotable_kit::{Body, BoxFuture, Call, Path, Principal, Problem, ProblemKind, repeat};
use serde_json::{Value, json};

use crate::api::lobby::join::join_match;
use crate::api::lobby::start::start_match;
use crate::api::matches::create::create_match;
use crate::api::play::advance::advance;
use crate::api::play::submit::submit_action;
use crate::app::App;
use crate::rules::state::{MatchState, Status};
use crate::table::{BtlRunReads as _, MatchId, UserId};
use crate::tokens::Bearer;

/// The host of the sample matches.
const HOST: &str = "casey";
/// Their players: the user, the tribute's name, and its actions, turn after turn.
const PLAYERS: [(&str, &str, [&str; 3]); 2] = [
    ("drew", "Drew of the Dunes", ["scavenge", "hide", "hunt"]),
    ("sam", "Sam", ["explore", "rest", "hunt"]),
];
/// More turns than a quick match can have.
const TURNS_MAX: usize = 20;

/// Writes the sample data, unless it exists; returns the finished match.
///
/// # Errors
/// Returns refusals of the operations, which do not occur in a table of this service.
pub fn load(app: &Arc<App>) -> BoxFuture<'_, MatchId> {
    Box::pin(async move {
        let host =
            UserId::new(person(HOST).id).map_err(|error| Problem::internal(error.to_string()))?;
        let matches = app.db.my_matches(&host).page().await?;
        for row in &matches.rows {
            match app.find_match(&row.match_id).await {
                Ok(Some(stored)) if stored.state.status == Status::Ended => {
                    return Ok(row.match_id.clone());
                }
                Ok(_) => {}
                // A match that is damaged beyond repair does not prevent the start of the server.
                Err(problem) if problem.kind == ProblemKind::Internal => {}
                Err(problem) => return Err(problem),
            }
        }
        let played = played(app).await?;
        let waiting = json!({
            "mode": "standard", "aiCount": 3, "theme": { "tone": "comedy", "arena": "the glass maze" },
        });
        let call = call(&person(HOST), None, waiting)?;
        repeat(|| create_match(app, &call)).await?;
        Ok(played)
    })
}

/// Returns a match from its first turn to its last.
async fn played(app: &Arc<App>) -> Result<MatchId, Problem> {
    let wanted = json!({
        "mode": "quick", "aiCount": 4, "theme": { "tone": "classic", "arena": "the old forest" },
    });
    let new = call(&person(HOST), None, wanted)?;
    let opened = body_of(repeat(|| create_match(app, &new)).await?.into_reply());
    let match_id: MatchId = id(&opened, "matchId")?;
    for (player, name, _) in PLAYERS {
        let body = json!({ "code": opened["inviteCode"], "name": name });
        let call = call(&person(player), Some(&match_id), body)?;
        repeat(|| join_match(app, &call)).await?;
    }
    let host = Bearer::Host(match_id.clone()).principal();
    let call = call(&host, Some(&match_id), json!({}))?;
    repeat(|| start_match(app, &call)).await?;
    for turn in 0..TURNS_MAX {
        let state = app.match_row(&match_id).await?.state;
        if state.status == Status::Ended {
            break;
        }
        take_turn(app, &state, turn).await?;
    }
    Ok(match_id)
}

/// Lets all living tributes act; if the turn is still open, the host resolves it.
async fn take_turn(app: &Arc<App>, state: &MatchState, turn: usize) -> Result<(), Problem> {
    for (_, name, acts) in PLAYERS {
        let tribute = state.living().find(|tribute| tribute.name == name);
        let Some(tribute_id) = tribute.map(|tribute| tribute.id.clone()) else { continue };
        let body = json!({ "turnId": state.turn_id, "action": acts[turn % acts.len()] });
        let player = Bearer::Player(state.match_id.clone(), tribute_id).principal();
        let call = call(&player, Some(&state.match_id), body)?;
        repeat(|| submit_action(app, &call)).await?;
    }
    if app.match_row(&state.match_id).await?.state.turn_id == state.turn_id {
        let host = Bearer::Host(state.match_id.clone()).principal();
        let body = json!({ "turnId": state.turn_id, "force": true });
        let call = call(&host, Some(&state.match_id), body)?;
        repeat(|| advance(app, &call)).await?;
    }
    Ok(())
}

/// Returns the demo users.
pub fn people() -> Vec<Principal> {
    [HOST].into_iter().chain(PLAYERS.map(|(player, ..)| player)).map(person).collect()
}

fn call<P: Path, B: Body>(
    principal: &Principal,
    match_id: Option<&MatchId>,
    body: Value,
) -> Result<Call<P, B>, Problem> {
    let match_id = match_id.map(MatchId::as_str);
    let path: Vec<(&str, &str)> = match_id.map(|id| ("id", id)).into_iter().collect();
    Call::of(request(principal, &path, body))
}

fn id(shown: &Value, name: &str) -> Result<MatchId, Problem> {
    let text = shown[name].as_str().unwrap_or_default();
    MatchId::new(text).map_err(|error| Problem::internal(error.to_string()))
}
