//! `DELETE /v1/auth/session`: signs out.

use monotable_kit::Typed;

use super::sign_in;
use crate::api::prelude::*;

/// Ends your session.
#[operation(DELETE "/v1/auth/session")]
async fn sign_out(app: &App, call: &Call) -> Answer<NoContent> {
    Ok(Typed::from(NoContent).cookies(sign_in(app)?.end_session(call).await?))
}
