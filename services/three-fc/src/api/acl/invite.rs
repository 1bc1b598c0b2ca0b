//! `POST /v1/leagues/{leagueId}/acl`: gives the user with an e-mail address a role.

use monotable_kit::email_address;

use super::GrantView;
use super::put::{give, of_address};
use crate::api::prelude::*;

/// A user and their role.
#[derive(Debug, Body)]
pub(crate) struct NewMember {
    /// The address that the user has signed in with.
    #[body(length = 3..=254, example = "sam@example.org", label = "E-mail address")]
    email: String,
    #[body(example = "scorekeeper")]
    role: Role,
}

/// Gives the user with an e-mail address a role in a league. The user has signed in before.
#[operation(
    POST "/v1/leagues/{leagueId}/acl", once,
    refuses(refusal::ADMINISTERING, NotFound, InvalidEmail, LastAdmin)
)]
async fn grant_by_email(app: &App, call: &Call<LeaguePath, NewMember>) -> Answer<Json<GrantView>> {
    let granted = policy::league(app, call, &call.path.league_id, Action::Administer).await?;
    let email = email_address(&call.body.email).map_err(|_| Refusal::InvalidEmail)?;
    let user = of_address(app, &email).await?;
    give(app, call, granted, user.user_id.clone(), Some(user), call.body.role).await
}
