//! `GET /submit`: where a team hands in what it has built.

use askama::Template;
use monotable_kit::{Form, Html};

use super::{my_team, time};
use crate::api::prelude::*;
use crate::api::submissions::{SubmissionView, put};

/// The content of the page.
#[derive(Template)]
#[template(path = "submit.html")]
struct SubmitPage {
    team_name: String,
    deadline: String,
    submission: Option<SubmissionView>,
    submitted_at: Option<String>,
    /// Until the deadline, for teams that take part.
    form: Option<Form>,
}

/// Shows what your team has handed in, to change it until the event ends.
#[operation(GET "/submit", refuses(NotFound, NotConfigured))]
async fn submit_page(app: &App, call: &Call) -> Answer<Html> {
    let mine = my_team(app, call).await?;
    let submission = app.db.submission(&mine.team.team_id).await?;
    let view = submission.as_ref().map(SubmissionView::of);
    let is_open = mine.team.registration() == RegistrationStatus::Confirmed
        && app.db.now() <= mine.config.event_end;
    let form = mine.form(call, &put::route()).submit("Hand it in").then("/submit");
    let form = match &view {
        Some(view) => form.values(view),
        None => form,
    };
    let page = SubmitPage {
        deadline: time(&mine.config, mine.config.event_end),
        submitted_at: view.as_ref().map(|view| time(&mine.config, view.submitted_at)),
        team_name: mine.team.name.0.clone(),
        submission: view,
        form: is_open.then_some(form),
    };
    Ok(Html::new(call, "Your work", &page)?.into())
}
