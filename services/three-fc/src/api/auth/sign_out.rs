//! `DELETE /v1/auth/session`: signs out.

use super::{WithCookies, sign_in};
use crate::api::prelude::*;

/// Ends your session.
#[operation(DELETE "/v1/auth/session")]
async fn sign_out(app: &App, call: &Call) -> Answer<WithCookies<NoContent>> {
    let cookies = sign_in(app)?.end_session(call).await?;
    Ok(WithCookies { response: NoContent, cookies }.into())
}
