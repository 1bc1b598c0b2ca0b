//! `GET /manage`: the leagues of the caller.

use monotable_kit::{Form, Html};

use super::{Entry, ManagePage, Section};
use crate::api::leagues::{create, list::with_roles};
use crate::api::prelude::*;

/// Shows your leagues, and makes new ones.
#[operation(GET "/manage")]
async fn manage_leagues(app: &App, call: &Call) -> Answer<Html> {
    let user = accounts::signed_in(app, call.principal()?).await?;
    let grants = app.db.leagues_of(&user.user_id).all().await?;
    let leagues = with_roles(app, grants).await?.into_iter();
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
