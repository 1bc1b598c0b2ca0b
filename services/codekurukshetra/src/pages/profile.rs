//! `GET /profile`: what the caller has entered, and how to change, get or erase it.

use askama::Template;
use monotable_kit::{Form, Html};

use super::{no_team, registration};
use crate::api::participants::{ParticipantView, erase, is_live, update};
use crate::api::prelude::*;

/// The content of the page.
#[derive(Template)]
#[template(path = "profile.html")]
struct ProfilePage {
    team_name: String,
    /// While the team takes part, or may.
    form: Option<Form>,
    erase: Form,
}

/// Shows what you have entered about yourself, to change or erase it. Of a team that has ended, it can only be erased.
#[operation(GET "/profile", refuses(NotFound, NotConfigured))]
async fn profile_page(app: &App, call: &Call) -> Answer<Html> {
    let participant = match registration(app, call).await? {
        Some(mine) => mine.participant,
        None => {
            let earlier = policy::earlier_participants(app, call).await?;
            earlier.into_iter().next().ok_or_else(no_team)?
        }
    };
    let participant_id = &participant.participant_id;
    let team = app.db.team(&participant.team_id).await?;
    let view = ParticipantView::to_confidant(app, &participant)?;
    let form = Form::of(call, &update::route()).path("participantId", participant_id);
    // A request may leave out what stays as it is; the form shows all of it.
    let needed = ["first_name", "last_name", "email", "phone", "college", "year"];
    let form = needed.into_iter().fold(form, Form::required);
    let erase = Form::of(call, &erase::route()).path("participantId", participant_id);
    let is_live = team.as_ref().is_some_and(is_live);
    let page = ProfilePage {
        team_name: team.map(|team| team.name.0).unwrap_or_default(),
        form: is_live.then(|| form.values(&view).submit("Save").then("/profile")),
        erase: erase.submit("Erase my data").then("/event"),
    };
    Ok(Html::new(call, "Your details", &page)?.into())
}
