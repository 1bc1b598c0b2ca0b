//! `GET /v1/auth/session`: returns the session of the caller.

use super::SessionView;
use crate::api::prelude::*;

/// Returns your session.
#[operation(GET "/v1/auth/session")]
async fn get_session(app: &App, call: &Call) -> Answer<Json<SessionView>> {
    let user = accounts::signed_in(app, call.principal()?).await?;
    let (csrf_token, expires_at) =
        call.viewer.session().map(|(csrf, ends_at)| (csrf.to_owned(), ends_at)).unzip();
    let email = call.principal()?.email.clone();
    Ok(Json(SessionView { user_id: user.user_id, email, expires_at, csrf_token }).into())
}
