//! `GET /manage`: the leagues of the caller.

use monotable_kit::{Form, Html};

use super::{Entry, ManagePage, Section};
use crate::api::leagues::create;
use crate::api::prelude::*;

/// Shows your leagues, and makes new ones.
#[operation(GET "/manage")]
async fn manage_leagues(app: &App, call: &Call) -> Answer<Html> {
    let user = accounts::signed_in(app, call.principal()?).await?;
    let grants = app.db.leagues_of(&user.user_id).all().await?;
    let keys: Vec<LeagueKey> =
        grants.into_iter().map(|grant| LeagueKey::new(grant.league_id)).collect();
    let leagues = app.db.leagues_by_key(&keys).await?.into_iter().flatten();
    let leagues = leagues.filter(|league| league.deleted_at.is_none());
    let form = Form::of(call, &create::route())
        .without(&["leagueId"])
        .submit("Make the league")
        .then("/manage/leagues/{leagueId}");
    let entries = leagues
        .map(|league| Entry::linked(format!("/manage/leagues/{}", league.league_id), league.name));
    let sections = vec![Section::list("Leagues", entries, Some(("New league", form)))];
    let above = vec![("/leagues".to_owned(), "All leagues".to_owned())];
    Ok(ManagePage { above, title: "Your leagues".to_owned(), sections }.html(call)?.into())
}
