//! `GET /invite/{code}`: shows the match of a code.

use super::address;
use super::codes::typed_code;
use crate::api::prelude::*;
use crate::rules::state::{Mode, ROSTER_MAX, Rules, Theme, TributeKind};

/// Attempts are limited, so that codes cannot be guessed.
const LOOKUPS: CallLimit = CallLimit::per_minute("invite", 60).counting_attempts();

/// A short description of the match.
#[derive(View)]
pub(crate) struct InvitedView {
    #[view(example = "K7Q2MD")]
    code: InviteCode,
    #[view(example = "m1")]
    match_id: MatchId,
    #[view(example = "quick")]
    mode: Mode,
    rules: Rules,
    theme: Theme,
    #[view(example = 5)]
    max_days: u32,
    #[view(null)]
    max_real_days: Option<u32>,
    #[view(example = "UTC")]
    timezone: String,
    #[view(example = 6)]
    tribute_count: usize,
    #[view(example = 2)]
    player_count: usize,
    #[view(example = 22)]
    open_places: usize,
    /// In milliseconds since 1970.
    #[view(null, example = 1_800_001_800_000_i64)]
    expires_at: Option<i64>,
}

/// Returns the match of an invitation code.
#[operation(GET "/invite/{code}", public, limit(LOOKUPS, |call| Ok(address(call))), refuses(InviteNotFound))]
pub(crate) async fn get_invite(app: &App, call: &Call) -> Answer<Json<InvitedView>> {
    // The code is not a typed value of the path: a malformed one gets the same response as an
    // unknown one.
    let request: &Request = call;
    let code = typed_code(request.path.get("code").map_or("", String::as_str))?;
    let invite = app.db.invite(&code).await?.ok_or(Refusal::InviteNotFound)?;
    let row = app.find_match(&invite.match_id).await?.ok_or(Refusal::InviteNotFound)?;
    let state = row.state;
    if state.status != Status::Lobby {
        return Err(Refusal::InviteNotFound.into());
    }
    let player_count = state.roster.iter().filter(|one| one.kind != TributeKind::Ai).count();
    let shown = InvitedView {
        code,
        match_id: state.match_id,
        mode: state.mode,
        rules: state.rules,
        theme: state.theme,
        max_days: state.max_days,
        max_real_days: state.max_real_days,
        timezone: state.timezone,
        tribute_count: state.roster.len(),
        player_count,
        open_places: ROSTER_MAX.saturating_sub(player_count),
        expires_at: invite.ttl.map(|end| end.as_seconds() * 1000),
    };
    Ok(Json(shown).into())
}
