//! `GET /manage/{gameId}/codes`: the codes of a game, to print.

use askama::Template;
use monotable_kit::{Html, QrCode};

use super::Managed;
use crate::api::games::links::{JoinLinkView, ScanLinkView, links_of};
use crate::api::prelude::*;

/// The content of the page.
#[derive(Template)]
#[template(path = "manage/codes.html")]
struct CodesPage {
    managed: Managed,
    teams: Vec<(JoinLinkView, QrCode)>,
    levels: Vec<(ScanLinkView, QrCode)>,
}

/// Shows the codes of a game to organisers: a sheet for each team and for each place.
#[operation(GET "/manage/{gameId}/codes", refuses(refusal::CONTROLLING))]
async fn codes_page(app: &App, call: &Call<GamePath>) -> Answer<Html> {
    let managed = Managed::read(app, call, &call.path.game_id, Action::Control).await?;
    let links = links_of(app, call, &managed.game).await?;
    let teams = links.teams.into_iter().map(|team| {
        let code = QrCode::of(&team.url, format!("QR code to join {}", team.team_name))?;
        Ok((team, code))
    });
    let levels = links.levels.into_iter().map(|level| {
        let code = QrCode::of(&level.url, format!("QR code of {}", level.level_name))?;
        Ok((level, code))
    });
    let page = CodesPage {
        teams: teams.collect::<Result<_, Problem>>()?,
        levels: levels.collect::<Result<_, Problem>>()?,
        managed,
    };
    Ok(super::html(call, "Codes", &page)?.into())
}
