//! `POST /api/verify`: tells what the caller may do.

use crate::api::prelude::*;
use crate::policy::Role;
use crate::tokens::Bearer;

/// What the caller may do.
#[derive(View)]
pub(crate) struct VerifiedView {
    #[view(example = true)]
    can_watch: bool,
    #[view(example = false)]
    can_control: bool,
    /// The one game that the token is for; users with a role see all games.
    game_id: Option<GameId>,
}

/// Tells whether you may watch or control games.
#[operation(POST "/api/verify", reads_only, refuses(refusal::WATCHING))]
pub(crate) async fn verify(app: &App, call: &Call) -> Answer<Json<VerifiedView>> {
    let bearer = Bearer::of(call.principal()?);
    let may = |action| match &bearer {
        Some(bearer) => {
            bearer.role() != Role::Player && policy::POLICY.allows(action, bearer.role())
        }
        None => policy::anywhere(call, action).is_ok(),
    };
    if let Some(bearer) = bearer.as_ref().filter(|_| may(Action::Watch)) {
        policy::game(app, call, bearer.game_id(), Action::Watch).await?;
    }
    let (can_watch, can_control) = (may(Action::Watch), may(Action::Control));
    let game_id = bearer.map(|bearer| bearer.game_id().clone());
    Ok(Json(VerifiedView { can_watch, can_control, game_id }).into())
}
