//! What people see in a browser.

use askama::Template;
use monotable_kit::{Answer, Call, Form, Html, Service, operation, operations};

use super::service::{self, App, Note, NoteReads as _, create_note};

mod my_notes {
    use super::*;

    #[derive(Template)]
    #[template(path = "notes.html")]
    struct NotesPage {
        notes: Vec<Note>,
        form: Form,
    }

    /// Shows the notes of the caller.
    #[operation(GET "/mine")]
    pub async fn my_notes(app: &App, call: &Call) -> Answer<Html> {
        let notes = app.db.notes(&call.user()?).take(50).page().await?.rows;
        let form = Form::of(call, &create_note::route()).submit("Keep it").then("/mine");
        Ok(Html::new(call, "My notes", &NotesPage { notes, form })?.into())
    }
}

/// The service with its page.
pub(crate) fn service() -> Service {
    service::service().chapter("Pages", operations![my_notes])
}
