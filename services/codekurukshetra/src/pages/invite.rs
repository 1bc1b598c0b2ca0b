//! `GET /team/invite`: the code and the QR code of an invitation that was just made.

use askama::Template;
use monotable_kit::{Html, QrCode};

use super::my_team;
use crate::api::prelude::*;

/// The code, which no page knows later.
#[derive(Debug, Body)]
pub(crate) struct Code {
    #[body(length = 1..=200)]
    code: String,
}

/// The content of the page.
#[derive(Template)]
#[template(path = "invite.html")]
struct InvitePage {
    team_name: String,
    code: String,
    url: String,
    picture: QrCode,
}

/// Shows an invitation to your team, to be scanned or sent.
#[operation(GET "/team/invite", refuses(NotFound, NotConfigured))]
async fn invite_page(app: &App, call: &Call<(), (), Code>) -> Answer<Html> {
    let mine = my_team(app, call).await?;
    let code = call.query.code.clone();
    let is_code = code.chars().all(|one| one.is_ascii_alphanumeric() || "._-".contains(one));
    if !is_code {
        return Err(Problem::field("code", "must be the code of an invitation"));
    }
    let url = call.url(&format!("/join?code={code}"));
    let picture = QrCode::of(&url, "QR code to join the team")?;
    let page = InvitePage { team_name: mine.team.name.0, code, url, picture };
    Ok(Html::new(call, "Invitation", &page)?.into())
}
