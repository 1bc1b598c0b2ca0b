//! `GET /register`: where the leader of a team registers it with all its members.

use askama::Template;
use monotable_kit::{Form, Html};

use super::tracks;
use crate::api::prelude::*;
use crate::api::register::team;
use crate::rules::registration::Window;

/// How many people the team has.
#[derive(Debug, Body)]
pub(crate) struct Size {
    #[body(range = 1..=10)]
    size: Option<u8>,
}

/// The content of the page.
#[derive(Template)]
#[template(path = "register.html")]
struct RegisterPage {
    window: Window,
    is_registered: bool,
    is_full: bool,
    email: Option<String>,
    sizes: Vec<u8>,
    size: u8,
    form: Form,
    /// What the draft is kept under: each person has their own.
    draft: String,
}

/// Shows the registration of a team.
#[operation(GET "/register", refuses(NotConfigured))]
async fn register_page(app: &App, call: &Call<(), (), Size>) -> Answer<Html> {
    let config = app.config().await?;
    let used = app.db.totals().await?.map_or(0, |totals| totals.slots_used);
    let sizes: Vec<u8> = (config.min_team_size..=config.max_team_size).collect();
    let size = call.query.size.filter(|size| sizes.contains(size)).unwrap_or(config.min_team_size);
    let is_full = used >= u64::from(config.max_teams);
    let email = policy::verified_email(call).ok().map(|email| email.0);
    let mut form = Form::of(call, &team::route())
        .elements("members", (1..=size).map(title))
        .options("track", tracks(&config))
        .fixed("members.0.is_leader", true)
        .fixed("members.0.email", email.as_deref().unwrap_or_default())
        .submit(if is_full { "Join the waiting list" } else { "Register the team" })
        .then("/pay");
    for position in 1..size {
        form = form.without(&[&format!("members.{position}.is_leader")]);
    }
    form = if is_full { form.fixed("waitlist", true) } else { form.without(&["waitlist"]) };
    let page = RegisterPage {
        window: Window::at(&config, app.db.now()),
        is_registered: policy::own_participant(app, call).await?.is_some(),
        is_full,
        email,
        sizes,
        size,
        form,
        draft: format!("registration of {}", call.principal()?.id),
    };
    Ok(Html::new(call, "Register a team", &page)?.into())
}

fn title(number: u8) -> String {
    if number == 1 { "You, the leader".to_owned() } else { format!("Member {number}") }
}
