//! The pages of those who run leagues: leagues, seasons, match days and line-ups.

pub(crate) mod game;
pub(crate) mod league;
pub(crate) mod leagues;
pub(crate) mod player;
pub(crate) mod season;
pub(crate) mod session;
pub(crate) mod team;

use askama::Template;
use monotable_kit::{Form, Html};

use crate::api::prelude::*;

impl Granted {
    /// Returns whether the caller is an admin.
    fn is_admin(&self) -> bool {
        self.grant.role == Role::Admin
    }
}

/// A page that lists things, and has forms for new ones.
#[derive(Template)]
#[template(path = "manage.html")]
struct ManagePage {
    /// The pages above, and their names.
    above: Vec<(String, String)>,
    title: String,
    sections: Vec<Section>,
}

/// A list with forms, or forms alone.
struct Section {
    title: &'static str,
    entries: Option<Vec<Entry>>,
    /// What can be made or changed here.
    forms: Vec<(&'static str, Form)>,
}

/// An element of a list.
#[derive(Default)]
struct Entry {
    /// The path of its page, if it has one.
    path: Option<String>,
    name: String,
    note: String,
    /// What can be done with it.
    form: Option<Form>,
}

impl Entry {
    /// Creates an element with a page of its own.
    fn linked(path: String, name: String) -> Self {
        Self { path: Some(path), name, ..Self::default() }
    }
}

impl Section {
    /// Creates a list, and a form for those who can add to it.
    fn list(
        title: &'static str,
        entries: impl IntoIterator<Item = Entry>,
        form: Option<(&'static str, Form)>,
    ) -> Self {
        let entries = Some(entries.into_iter().collect());
        Self { title, entries, forms: form.into_iter().collect() }
    }

    /// Returns what can be changed of the thing that the page is about.
    fn settings(forms: impl IntoIterator<Item = (&'static str, Form)>) -> Self {
        Self { title: "Settings", entries: None, forms: forms.into_iter().collect() }
    }
}

impl ManagePage {
    fn html(&self, request: &Request) -> Result<Html, Problem> {
        Html::new(request, self.title.clone(), self)
    }
}

/// Lets people choose the length of thirds.
fn with_third_lengths(form: Form) -> Form {
    let lengths = [20, 25, 30].map(|minutes| (minutes.to_string(), format!("{minutes} minutes")));
    form.options("thirdLengthMinutes", lengths)
}
