//! `POST /v1/auth/magic/start`: sends a link to sign in with.

use monotable_kit::{Accepted, email_address};

use super::sign_in;
use crate::api::prelude::*;

/// The address of the person who signs in.
#[derive(Debug, Body)]
pub(crate) struct Address {
    #[body(length = 1..=254, example = "ada@example.org")]
    email: String,
}

/// Sends a link to sign in with. The response is the same whether anybody has signed in with the address before.
#[operation(POST "/v1/auth/magic/start", public, refuses(InvalidEmail))]
async fn start_magic_link(app: &App, call: &Call<(), Address>) -> Answer<Accepted> {
    let email = email_address(&call.body.email).map_err(|_| Refusal::InvalidEmail)?;
    sign_in(app)?.send_link(call, &email, None).await?;
    Ok(Accepted.into())
}
