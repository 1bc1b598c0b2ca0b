//! `POST /hackathon/register/team`: registers a team.

use super::{REGISTRATIONS, RegisterTeam, RegistrationView, client, register};
use crate::api::prelude::*;

/// Registers a team with all its members. A place is held until the payment; a free event confirms the team at once.
#[operation(
    POST "/hackathon/register/team", once, no_repeat,
    limit(REGISTRATIONS, client),
    headers("user-agent"),
    refuses(
        InvalidRequest, InvalidTeamSize, RepeatedEmail, EmailNotVerified, Forbidden, RegistrationClosed,
        DuplicateEmail, TeamNameTaken, AlreadyRegistered, EventFull, NotConfigured,
    )
)]
pub(crate) async fn register_team(
    app: &App,
    call: &Call<(), RegisterTeam>,
) -> Answer<Created<RegistrationView>> {
    register(app, call).await
}
