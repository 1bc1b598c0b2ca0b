//! `PUT /users/{userId}`: changes the names and the telephone number of an account.

use monotable::model::edit;
use monotable_kit::{Answer, Body, Call, Json, Patch, operation};

use super::{UserPath, UserView, current};
use crate::api::fields::{Fields, set};
use crate::app::App;
use crate::refusal::Refusal;
use crate::{names, policy};

/// What changes of a user.
#[derive(Debug, Body)]
#[body(
    read_only("userId", "email", "createdAt", "updatedAt", "ver", "status", "deletedAt"),
    not_empty
)]
pub(crate) struct UserChanges {
    #[body(length = 1..=50, example = "Ann")]
    first_name: Option<String>,
    #[body(length = 1..=50, example = "Smith")]
    last_name: Option<String>,
    /// + and 8 to 15 digits.
    #[body(length = 1..=64, example = "+12065550100")]
    phone_number: Patch<String>,
}

/// Changes your names and your telephone number.
#[operation(PUT "/users/{userId}", once, if_match, refuses(NotSelf))]
pub(crate) async fn update_user(
    app: &App,
    call: &Call<UserPath, UserChanges>,
) -> Answer<Json<UserView>> {
    policy::must_be_self(call, &call.path.user_id)?;
    let UserChanges { first_name, last_name, phone_number } = &call.body;
    let mut fields = Fields::default();
    let first_name = fields.read("firstName", first_name.as_deref(), names::person);
    let last_name = fields.read("lastName", last_name.as_deref(), names::person);
    let phone_number = fields.read_patch("phoneNumber", phone_number.clone(), names::phone);
    fields.check()?;
    let user = current(app, call).await?;
    call.check_version(user.stamps.version)?;
    let mut tx = app.db.transact();
    let changed = tx.add(edit(&user, |user| {
        set(&mut user.first_name, first_name);
        set(&mut user.last_name, last_name);
        phone_number.apply(&mut user.phone_number);
    }));
    call.commit(tx).respond(move |done| Json(UserView::of(&done[changed]))).await
}
