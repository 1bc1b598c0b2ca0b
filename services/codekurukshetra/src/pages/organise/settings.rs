//! `GET /organise/settings`: the settings of the event.

use askama::Template;
use monotable_kit::{Form, Html};

use crate::api::admin::config_get::SettingsView;
use crate::api::admin::config_put;
use crate::api::prelude::*;

/// The content of the page.
#[derive(Template)]
#[template(path = "organise/settings.html")]
struct SettingsPage {
    is_new: bool,
    form: Form,
}

/// Shows the settings of the event to organisers, who make them here.
#[operation(GET "/organise/settings", refuses(Forbidden))]
async fn settings_page(app: &App, call: &Call) -> Answer<Html> {
    policy::administer(call)?;
    let config = app.db.config().await?;
    let form = Form::of(call, &config_put::route()).submit("Save the settings");
    let form = match &config {
        Some(config) => form.values(&SettingsView::of(config)),
        None => form,
    };
    let page = SettingsPage { is_new: config.is_none(), form: form.then("/organise/settings") };
    Ok(Html::new(call, "Settings", &page)?.into())
}
