//! `GET /match/{id}/verify`: checks whether a match was played fairly.

use crate::api::prelude::*;
use crate::log::all_events;
use crate::rules::events::Event;
use crate::rules::rng::Seed;
use crate::rules::story;

/// Whether seed, log and match are consistent.
#[derive(View)]
pub(crate) struct VerificationView {
    #[view(example = "m1")]
    pub(crate) match_id: MatchId,
    #[view(example = "ended")]
    status: Status,
    /// The SHA-256 of the seed, as it was published before the first turn.
    #[view(example = "9f86d0…")]
    pub(crate) seed_commit: String,
    #[view(example = 1)]
    pub(crate) rules_ver: u32,
    #[view(example = 1)]
    rng_ver: u32,
    /// Whether the seed is public, because the match has ended.
    #[view(example = true)]
    is_revealed: bool,
    #[view(null, example = "5f0c…")]
    pub(crate) seed: Option<String>,
    /// Whether seed, log and match are consistent; null as long as the seed is secret.
    #[view(null, example = true)]
    is_verified: Option<bool>,
    /// How they differ.
    #[view(null)]
    pub(crate) difference: Option<String>,
    #[view(null, example = 9)]
    pub(crate) turn_count: Option<u32>,
    #[view(null, example = 58)]
    pub(crate) event_count: Option<u32>,
}

/// Replays a match from its seed, once that is public.
#[operation(GET "/match/{id}/verify", public, refuses(MatchNotFound))]
pub(crate) async fn verify_match(
    app: &App,
    call: &Call<MatchPath>,
) -> Answer<Json<VerificationView>> {
    Ok(Json(verification(app, &call.path.id).await?).into())
}

/// Returns whether seed, log and match are consistent.
///
/// # Errors
/// Returns 404.
pub(crate) async fn verification(
    app: &App,
    match_id: &MatchId,
) -> Result<VerificationView, Problem> {
    let state = turn::seen(app, match_id).await?.state;
    let mut view = VerificationView {
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
    if view.is_revealed {
        let seed = app.db.secret(match_id).await?.map(|secret| secret.seed);
        view.seed = seed.as_ref().map(Seed::reveal);
        let events = all_events(app, &state).await?;
        let replayed = replay(seed.as_ref(), state, &events);
        view.is_verified = Some(replayed.is_ok());
        (view.turn_count, view.event_count) = replayed.as_ref().ok().copied().unzip();
        view.difference = replayed.err();
    }
    Ok(view)
}

/// Returns the turns and events of a match whose replay gives the stored state.
fn replay(
    seed: Option<&Seed>,
    mut state: MatchState,
    events: &[Event],
) -> Result<(u32, u32), String> {
    let seed = seed.ok_or("the match was played without a seed")?;
    let mut verified = story::verify(seed, events).map_err(|forged| forged.to_string())?;
    // No event contains the version of the row, or what other programs store in it.
    verified.state.version = state.version;
    state.unknown.clear();
    if verified.state == state {
        Ok((verified.turn_count, verified.event_count))
    } else {
        Err("the log does not result in the match".to_owned())
    }
}
