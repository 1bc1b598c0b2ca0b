//! `GET /manage/leagues/{leagueId}/players/{playerId}`: a player of a league.

use monotable_kit::{Form, Html};

use super::super::profile_forms;
use super::{ManagePage, Section};
use crate::api::LeaguePlayerPath;
use crate::api::players::{OfLeague, anonymise, authorize, stored};
use crate::api::prelude::*;

/// Shows a player to those who run the league. The profile of a player whom somebody has claimed is theirs.
#[operation(
    GET "/manage/leagues/{leagueId}/players/{playerId}", refuses(refusal::VIEWING, NotFound)
)]
async fn manage_player(app: &App, call: &Call<LeaguePlayerPath>) -> Answer<Html> {
    let LeaguePlayerPath { league_id, player_id } = &call.path;
    let player = stored(app, player_id).await?;
    let of = OfLeague { league_id: Some(league_id.clone()) };
    let granted = authorize(app, call, &player, &of, Action::Score).await?;
    let path = format!("/manage/leagues/{league_id}");
    let mut forms = Vec::new();
    if player.claimed_by_user_id.is_none() {
        forms = profile_forms(call, &player, &path);
    }
    if granted.is_admin() {
        let anonymise = Form::of(call, &anonymise::route()).submit("Remove nickname and avatar");
        forms.push(("Make anonymous", anonymise.then(&path)));
    }
    let page = ManagePage {
        above: vec![(path, granted.league.name.clone())],
        title: player.nickname,
        sections: vec![Section::settings(forms)],
    };
    Ok(page.html(call)?.into())
}
