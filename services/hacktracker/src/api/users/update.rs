//! `PUT /users/{userId}`: changes the names and the telephone number of an account.

use super::{UserView, current};
use crate::api::prelude::*;

/// Changes of a user.
#[derive(Debug, Body)]
#[body(not_empty, applies_to = User, read_only_of = UserView)]
pub(crate) struct UserChanges {
    #[body(length = 1..=50, check = names::person, example = "Ann")]
    first_name: Option<String>,
    #[body(length = 1..=50, check = names::person, example = "Smith")]
    last_name: Option<String>,
    /// + and 8 to 15 digits.
    #[body(length = 1..=64, check = names::phone, example = "+12065550100")]
    phone_number: Patch<String>,
}

/// Changes your names and your telephone number.
#[operation(PUT "/users/{userId}", once, if_match, refuses(NotSelf))]
async fn update_user(app: &App, call: &Call<UserPath, UserChanges>) -> Answer<Json<UserView>> {
    policy::must_be_self(call, &call.path.user_id)?;
    let user = current(app, call).await?;
    call.check_version(user.stamps.version)?;
    let mut tx = call.transact(&app.db);
    let changed = tx.add(edit(&user, |user| call.body.apply(user)));
    tx.respond(move |done| Json(UserView::of(&done[changed]))).await
}
