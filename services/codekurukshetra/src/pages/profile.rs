//! `GET /profile`: what the caller has entered, and how to change, get or erase it.

use askama::Template;
use monotable_kit::{Form, Html};

use super::my_team;
use crate::api::participants::{ParticipantView, erase, update};
use crate::api::prelude::*;

/// The content of the page.
#[derive(Template)]
#[template(path = "profile.html")]
struct ProfilePage {
    team_name: String,
    form: Form,
    erase: Form,
}

/// Shows what you have entered about yourself, to change or erase it.
#[operation(GET "/profile", refuses(NotFound, NotConfigured))]
async fn profile_page(app: &App, call: &Call) -> Answer<Html> {
    let mine = my_team(app, call).await?;
    let participant_id = &mine.participant.participant_id;
    let view = ParticipantView::to_confidant(app, &mine.participant)?;
    let form = Form::of(call, &update::route()).path("participantId", participant_id);
    let erase = Form::of(call, &erase::route()).path("participantId", participant_id);
    let page = ProfilePage {
        team_name: mine.team.name.0,
        form: form.values(&view).submit("Save").then("/profile"),
        erase: erase.submit("Erase my data").then("/event"),
    };
    Ok(Html::new(call, "Your details", &page)?.into())
}
