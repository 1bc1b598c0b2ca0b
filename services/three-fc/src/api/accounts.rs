//! Accounts of users: made when they first do something.

use monotable_kit::Principal;

use crate::api::prelude::*;
use crate::legacy::addresses;

/// Returns the account of the caller: see [`of`].
///
/// # Errors
/// Returns 401 if the caller is not signed in, or the account was deleted.
pub(crate) async fn present(app: &App, call: &Request) -> Result<User, Problem> {
    of(app, call.principal()?).await
}

/// Returns the account of somebody who has signed in, and makes it if it is the first time. An address that
/// another account has is left to that one.
///
/// # Errors
/// Returns 401 if the account was deleted.
pub(crate) async fn of(app: &App, principal: &Principal) -> Result<User, Problem> {
    let user_id = policy::user_id(principal)?;
    let user = match app.db.user(&user_id).await? {
        Some(user) => user,
        None => make(app, user_id, policy::verified_email(principal)).await?,
    };
    match user.deleted_at {
        None => Ok(user),
        Some(_) => Err(Problem::unauthenticated("The account was deleted.")),
    }
}

/// Returns the account of somebody who signs in. What older programs wrote under the address moves to it.
///
/// # Errors
/// Returns 401 if the account was deleted.
pub(crate) async fn signed_in(app: &App, principal: &Principal) -> Result<User, Problem> {
    let user = of(app, principal).await?;
    if let Some(email) = &user.email {
        addresses::move_all(&app.db, email, &user.user_id).await?;
    }
    Ok(user)
}

async fn make(app: &App, user_id: UserId, email: Option<String>) -> Result<User, Problem> {
    let user = User { user_id, email, deleted_at: None, stamps: Stamps::default() };
    match app.db.create(&user).await {
        Err(Error::UniqueTaken { .. }) => Ok(app.db.create(&User { email: None, ..user }).await?),
        // Another request of the same user was faster.
        Err(Error::Exists { .. }) => app.db.user(&user.user_id).await?.ok_or_else(Problem::changed),
        made => Ok(made?),
    }
}
