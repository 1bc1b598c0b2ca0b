//! Signing in by a link that arrives by e-mail. The kit's pages do the same for people in a browser.

pub(crate) mod complete;
pub(crate) mod session;
pub(crate) mod sign_out;
pub(crate) mod start;

use monotable_kit::SignIn;

use crate::api::prelude::*;

/// A session.
#[derive(View)]
pub(crate) struct SessionView {
    user_id: UserId,
    #[view(example = "ada@example.org")]
    email: Option<String>,
    /// When the session ends; absent for programs with a token.
    #[view(example = "2026-03-02T09:30:00.000Z")]
    expires_at: Option<Timestamp>,
    /// What requests of the session send as `X-CSRF-Token`, unless they come from a page of this service.
    #[view(example = "9f86d081")]
    csrf_token: Option<String>,
}

/// Returns how people sign in.
fn sign_in(app: &App) -> Result<&SignIn, Problem> {
    app.sign_in.as_ref().ok_or_else(|| Problem::unavailable("Nobody can sign in here."))
}
