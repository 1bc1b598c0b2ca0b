//! `GET /me`: returns the profile of the caller.

use super::ProfileView;
use crate::api::prelude::*;

/// Returns your profile.
#[operation(GET "/me", refuses(UserRequired, ProfileNotFound))]
pub(crate) async fn get_profile(app: &App, call: &Call) -> Answer<Json<ProfileView>> {
    let profile = app.db.profile(&tokens::user(call)?).await?;
    Ok(Json(ProfileView::of(&profile.ok_or(Refusal::ProfileNotFound)?)).into())
}
