//! A refused form, shown again with its values and errors.

use askama::Template;
use serde_json::Value;

use super::Form;
use crate::http::form::{SentForm, THEN, local_path};
use crate::pages::html;
use crate::pages::layout::Frame;
use crate::pages::problem::Reported;
use crate::reply::Reply;
use crate::route::Route;
use crate::zone::Zone;

/// A form that was refused.
#[derive(Template)]
#[template(path = "form_problem.html")]
struct RefusedForm<'a> {
    frame: Frame,
    heading: &'a str,
    form: Form,
    back: String,
    code: &'a str,
    request_id: &'a str,
}

/// Returns the page that shows a form again, with its values and errors.
pub(crate) fn refused(
    frame: Frame,
    (route, path): (&Route, &str),
    sent: &SentForm,
    zone: &Zone,
    Reported { problem, code, message, request_id }: Reported<'_>,
) -> Reply {
    let service = frame.service;
    let csrf = (!sent.csrf.is_empty()).then(|| sent.csrf.clone());
    let mut form = Form::new(service, (route, path), csrf, zone).with_sent_elements(sent);
    if let Some(shown) = &sent.shown {
        form.is_partial = true;
        form.fields.retain(|field| shown.contains(&field.name));
        // Hidden fields are sent again unchanged.
        let unseen = sent.fields.iter().filter(|(name, _)| !shown.contains(name));
        form.hidden.extend(unseen.map(|(name, value)| (name.clone().into(), value.clone())));
    }
    for (name, value) in &sent.fields {
        form.set(name, &Value::String(value.clone()));
    }
    let back = local_path(service, sent.then.as_deref()).into_owned();
    if let Some(then) = &sent.then {
        form.hidden.push((THEN.into(), then.clone()));
    }
    form.refuse(problem, message);
    let heading = route.summary.trim_end_matches('.');
    let page = RefusedForm { frame, heading, form, back, code, request_id };
    match page.render() {
        Ok(text) => html::reply(problem.status(), text),
        Err(error) => unreachable!("texts are put into a frame: {error}"),
    }
}
