//! `GET /scan`: the page that the code at a place opens, for phones whose own camera reads codes.

use askama::Template;
use monotable_kit::{Form, Html};

use super::{LinkedCode, join};
use crate::api::play::scan;
use crate::api::prelude::*;

/// The content of the page.
#[derive(Template)]
#[template(path = "scan.html")]
struct ScanPage {
    team_name: String,
    has_code: bool,
    form: Form,
}

/// Shows the button that sends a code. Programs that open links do not press it.
#[operation(GET "/scan", public, refuses(Provisioning, TeamNotFound))]
async fn scan_page(app: &App, call: &Call<(), (), LinkedCode>) -> Answer<Html> {
    let Some(playing) = super::player(app, call).await? else {
        return Ok(join::page(call, None, true)?.into());
    };
    let form = Form::of(call, &scan::route()).then("/play").queued_offline();
    let page = ScanPage {
        team_name: playing.team(app).await?.name,
        has_code: call.query.code.is_some(),
        form: match &call.query.code {
            Some(code) => form.fixed("code", code).submit("Yes, we are here"),
            None => form.submit("Check the code"),
        },
    };
    Ok(super::named(Html::new(call, "Code of a place", &page)?, &playing).queued(call).into())
}
