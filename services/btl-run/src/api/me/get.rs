//! `GET /me`: returns the profile of the caller.

use monotable_kit::{Answer, Call, Json, operation};

use super::ProfileView;
use crate::app::App;
use crate::refusal::Refusal;
use crate::table::BtlRunReads as _;
use crate::tokens;

/// Returns your profile.
#[operation(GET "/me", refuses(UserRequired, ProfileNotFound))]
pub(crate) async fn get_profile(app: &App, call: &Call) -> Answer<Json<ProfileView>> {
    let profile = app.db.profile(&tokens::user(call)?).await?;
    Ok(Json(ProfileView::of(&profile.ok_or(Refusal::ProfileNotFound)?)).into())
}
