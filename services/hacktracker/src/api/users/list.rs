//! `GET /users`: lists all users, for administrators of the platform.

use super::UserView;
use crate::api::everything;
use crate::api::prelude::*;

/// Lists all users. For administrators of the platform.
#[operation(GET "/users", refuses(InsufficientRole))]
async fn list_users(app: &App, call: &Call<(), (), Paged>) -> Answer<Page<UserView>> {
    policy::present(app, call).await?;
    if !policy::is_administrator(call.principal()?) {
        let text = "Only administrators of the platform see all users.";
        return Err(Refusal::InsufficientRole.text(text));
    }
    let show = |user: &User| Some(UserView::of(user));
    Ok(everything::page(app, call, "all users", show).await?.into())
}
