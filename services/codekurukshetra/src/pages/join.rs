//! `GET /join`: where people join a team with the code of an invitation.

use askama::Template;
use monotable_kit::{Form, Html};

use crate::api::invites::accept;
use crate::api::prelude::*;

/// The code that a QR code or a link contains.
#[derive(Debug, Body)]
pub(crate) struct Code {
    #[body(length = 1..=200)]
    code: Option<String>,
}

/// The content of the page.
#[derive(Template)]
#[template(path = "join.html")]
struct JoinPage {
    is_registered: bool,
    email: Option<String>,
    form: Form,
}

/// Shows where you join a team with a code from its leader.
#[operation(GET "/join")]
async fn join_page(app: &App, call: &Call<(), (), Code>) -> Answer<Html> {
    let form = Form::of(call, &accept::route()).value("code", &call.query.code);
    let page = JoinPage {
        is_registered: policy::own_participant(app, call).await?.is_some(),
        email: policy::verified_email(call).ok().map(|email| email.0),
        form: form.submit("Join the team").then("/team"),
    };
    Ok(Html::new(call, "Join a team", &page)?.into())
}
