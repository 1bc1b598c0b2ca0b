//! `GET /v1/leagues/{leagueId}/acl/{userId}`: returns the grant of a user.

use super::{GrantView, address, find};
use crate::api::prelude::*;

/// Returns the grant of a user, by id or e-mail address: your own, or as an admin anyone's.
#[operation(GET "/v1/leagues/{leagueId}/acl/{userId}", refuses(refusal::ADMINISTERING, NotFound))]
async fn get_grant(app: &App, call: &Call<GrantPath>) -> Answer<Json<GrantView>> {
    let GrantPath { league_id, user_id } = &call.path;
    let granted = policy::league(app, call, league_id, Action::View).await?;
    let own_address = policy::verified_email(call.principal()?);
    let is_own =
        *user_id == granted.user_id || (own_address.is_some() && own_address == address(user_id));
    if !is_own {
        granted.allow(Action::Administer)?;
    }
    let grant = find(app, league_id, user_id).await?.ok_or(Refusal::NotFound)?;
    Ok(Json(GrantView::of(&grant)).into())
}
