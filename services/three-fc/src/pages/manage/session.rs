//! `GET /manage/sessions/{sessionId}`: a match day and its games.

use monotable_kit::{Form, Html};

use super::super::{day, status};
use super::{Entry, ManagePage, Section, with_third_lengths};
use crate::api::games::{create, of_session};
use crate::api::prelude::*;
use crate::api::sessions::delete;

/// Shows a match day to those who run it.
#[operation(GET "/manage/sessions/{sessionId}", refuses(refusal::VIEWING))]
async fn manage_session(app: &App, call: &Call<SessionPath>) -> Answer<Html> {
    let session_id = &call.path.session_id;
    let (session, season, granted) = policy::session(app, call, session_id, Action::View).await?;
    let games = of_session(app, session_id).await?.into_iter().map(|game| Entry {
        note: game.status.as_ref().map(status).unwrap_or_default().to_owned(),
        ..Entry::linked(format!("/manage/games/{}", game.game_id), game.title())
    });
    let teams = app.db.teams(&season.season_id).all().await?;
    let teams = teams.into_iter().map(|team| (team.team_id.to_string(), team.name));
    let form = Form::of(call, &create::route())
        .without(&["gameId", "status", "publicVisible"])
        .options("teamIds", teams)
        .value("gameStartTs", format!("{}T09:00:00", session.session_date))
        .submit("Make the game")
        .then("/manage/games/{gameId}");
    let can_score = granted.allow(Action::Score).is_ok();
    let new = can_score.then(|| ("New game", with_third_lengths(form)));
    let mut sections = vec![Section::list("Games", games, new)];
    if granted.is_admin() {
        let delete = Form::of(call, &delete::route()).submit("Delete the match day");
        let delete = delete.then(format!("/manage/seasons/{}", season.season_id));
        sections.push(Section::settings([("Delete", delete)]));
    }
    let above = vec![
        (format!("/manage/seasons/{}", season.season_id), season.name),
        (format!("/sessions/{session_id}"), "Page for everybody".to_owned()),
    ];
    let title = format!("Match day of {}", day(&session.session_date));
    Ok(ManagePage { above, title, sections }.html(call)?.into())
}
