//! `PUT /hackathon/participant/{participantId}`: changes a participant.

use super::{ParticipantView, Relation, is_live, must_be_free, note_read, related};
use crate::api::admin::merges;
use crate::api::prelude::*;
use crate::money::guards;
use crate::rules::{college, payment, people};
use crate::table::{linkedin, phone};

/// What changes of a participant.
#[derive(Debug, Body)]
#[body(case = "snake", not_empty, applies_to = Participant, read_only_of = ParticipantView)]
pub(crate) struct ParticipantChanges {
    #[body(length = 1..=50, check = people::name, example = "Ananya")]
    first_name: Option<String>,
    #[body(length = 1..=50, check = people::name, example = "Iyer")]
    last_name: Option<String>,
    #[body(length = 3..=254, check = people::email, not_applied, example = "ananya@example.org")]
    email: Option<String>,
    #[body(length = 8..=25, check = people::phone, not_applied, example = "+91-9876543210")]
    phone: Option<String>,
    #[body(length = 2..=120, check = college::name, not_applied, example = "Example University")]
    college: Option<String>,
    #[body(words = people::YEARS, not_applied, example = "3rd Year")]
    year: Option<String>,
    /// Leave it empty to have none.
    #[body(length = 1..=80, check = people::github_username, label = "GitHub", example = "ananya")]
    github_username: Patch<String>,
    /// Leave it empty to have none.
    #[body(length = 1..=200, check = people::linkedin, not_applied, label = "LinkedIn")]
    linkedin: Patch<String>,
    #[body(label = "Student")]
    student_status: Patch<bool>,
}

impl ParticipantChanges {
    /// Changes the row, with what is encrypted in it.
    fn apply_all(&self, app: &App, participant: &mut Participant) {
        let row = Participant::row_name(&participant.participant_id);
        self.apply(participant);
        if let Some(email) = &self.email {
            participant.email = Email(email.clone());
        }
        if let Some(text) = &self.phone {
            participant.phone = Some(app.field_keys.encrypt(phone(&row), text));
        }
        if let Some(name) = &self.college {
            participant.college = Some(College(name.clone()));
        }
        if let Some(year) = &self.year {
            participant.year = Some(year.clone());
        }
        let link = self.linkedin.value();
        let link = link.map(|text| app.field_keys.encrypt(linkedin(&row), text));
        match &self.linkedin {
            Patch::Keep => {}
            Patch::Remove | Patch::Set(_) => participant.linkedin = link,
        }
    }
}

/// Changes a participant: your own, one of your team until it has paid, or any as an administrator.
#[operation(
    PUT "/hackathon/participant/{participantId}", once, if_match,
    refuses(NotFound, Forbidden, DuplicateEmail, InvalidState)
)]
pub(crate) async fn update_participant(
    app: &App,
    call: &Call<ParticipantPath, ParticipantChanges>,
) -> Answer<Json<ParticipantView>> {
    let participant_id = &call.path.participant_id;
    let (before, team, relation) = related(app, call, participant_id).await?;
    call.check_version(before.stamps.version)?;
    let is_own_or_admin = relation != Relation::Leader;
    Refusal::Forbidden.unless(is_own_or_admin || payment::is_open(before.payment_status))?;
    Refusal::InvalidState
        .unless(before.erased_at.is_none() && team.as_ref().is_some_and(is_live))?;
    let mut after = before.clone();
    call.body.apply_all(app, &mut after);
    if call.body.college.is_some() {
        merges::apply(app, &mut after).await?;
    }
    let mut tx = call.transact(&app.db).or_retry();
    if after.email.normal() != before.email.normal() {
        must_be_free(app, &after.email).await?;
        let guard = app.db.email_guard(&before.email).await?;
        let is_own = |guard: &EmailGuard| guard.participant_id == before.participant_id;
        guard.filter(is_own).iter().for_each(|guard| _ = tx.add(delete(guard)));
        tx.require(create(guards::of_email(&after)), Refusal::DuplicateEmail);
    }
    if relation == Relation::Admin {
        note_read(app, call, Participant::row_name(participant_id)).await?;
        let entry = app.audit(call, "updateParticipant", Participant::row_name(participant_id))?;
        let is_shown = |field: &str| ["year", "student_status"].contains(&field);
        tx.add(create(entry.changes(&before, &after, is_shown)));
    }
    let view = ParticipantView::to_confidant(app, &after)?;
    let participant = tx.add(edit(&before, |participant| *participant = after));
    tx.respond(move |done| Json(view.after(&done[participant]))).await
}
