//! Notes: all users keep their own.
#![allow(unreachable_pub, reason = "the service is one module of a program")]

use monotable::model::{create, delete};
use monotable::prelude::*;
use monotable_host::TableApp;
use monotable_kit::{
    Answer, AuthKey, Body, Call, Created, KeepsRequests, NoContent, Page, Paged, Path, Problem,
    Refusal, RequestKey, Service, View, operation, operations,
};

monotable_kit::ids!(UserId, NoteId);

/// A note of a user.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(type = "NOTE")]
#[key(pk = "USER#{user_id}", sk = "NOTE#{note_id}")]
pub struct Note {
    pub user_id: UserId,
    pub note_id: NoteId,
    pub text: String,
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

table! {
    /// Notes by user.
    pub Notes {
        name = "notes-{environment}";
        key(PK, SK);
        type_attribute = itemType;
        stamps Stamps(version = ver);
        entities(Note);
        rules(RequestKey, AuthKey);
        patterns(NoteReads);
    }
}

pub type App = TableApp<Notes>;

impl KeepsRequests for Notes {
    type Key = RequestKey;
}

#[access_patterns(Notes)]
pub trait NoteReads {
    /// The notes of a user, oldest first.
    #[query(pk = "USER#{user_id}", sk = begins_with("NOTE#"))]
    fn notes(&self, user_id: &UserId) -> Rows<Note>;
    /// One note.
    #[get(pk = "USER#{user_id}", sk = "NOTE#{note_id}", consistent)]
    fn note(&self, user_id: &UserId, note_id: &NoteId) -> One<Note>;
}

/// The refusals of the service, with the texts that clients get.
#[derive(Clone, Copy, Debug, Refusal)]
pub enum Refusal {
    /// There is no such note.
    #[refusal(not_found)]
    NoteNotFound,
}

/// A note, as its owner sees it. A field that is not here is never sent.
#[derive(View)]
#[view(of = Note, list = "notes")]
pub struct NoteView {
    #[view(example = "n1")]
    note_id: NoteId,
    #[view(example = "Buy milk.")]
    text: String,
}

pub mod create_note {
    use super::*;
    /// A note to keep.
    #[derive(Debug, Body)]
    pub struct NewNote {
        #[body(length = 1..=500, example = "Buy milk.")]
        text: String,
    }

    /// Keeps a note.
    #[operation(POST "/notes", once)]
    pub async fn create_note(app: &App, call: &Call<(), NewNote>) -> Answer<Created<NoteView>> {
        let (user_id, note_id, text) = (call.user()?, app.new_id()?, call.body.text.clone());
        let mut tx = app.db.transact();
        let note = tx.add(create(Note { user_id, note_id, text, stamps: Stamps::default() }));
        call.commit(tx).respond(move |done| Created(NoteView::of(&done[note]))).await
    }
}

mod list_notes {
    use super::*;
    /// Lists the notes of the caller.
    #[operation(GET "/notes")]
    pub async fn list_notes(app: &App, call: &Call<(), (), Paged>) -> Answer<Page<NoteView>> {
        let page = call.page().of(app.db.notes(&call.user()?)).await?;
        Ok(Page::of(page, NoteView::of).into())
    }
}

mod delete_note {
    use super::*;
    /// The note that a path names.
    #[derive(Debug, Path)]
    pub struct NotePath {
        note_id: NoteId,
    }

    /// Deletes a note.
    #[operation(DELETE "/notes/{noteId}", once, refuses(NoteNotFound))]
    pub async fn delete_note(app: &App, call: &Call<NotePath>) -> Answer<NoContent> {
        let note = app.db.note(&call.user()?, &call.path.note_id).await?;
        let mut tx = app.db.transact();
        tx.add(delete(&note.ok_or(Refusal::NoteNotFound)?));
        call.commit(tx).or_retry().respond(|_| NoContent).await
    }
}

/// The list of operations.
pub fn service() -> Service {
    Service::new("notes", "Notes", "Notes that users keep.", Problem::plain_form)
        .chapter("Notes", operations![create_note, list_notes, delete_note])
}
