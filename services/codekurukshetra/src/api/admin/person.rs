//! A participant in lists and exports for organisers.

use std::borrow::Cow;

use monotable_kit::{EncryptedText, FieldKeys, FieldLocation, Masking};
use serde_json::Value;

use crate::api::prelude::*;
use crate::rules::people::legacy_phone;
use crate::table::{linkedin, phone};

/// The columns of a table: the fields of [`PersonView`].
pub(crate) const COLUMNS: [&str; 17] = [
    "participant_id",
    "team_id",
    "team_name",
    "track",
    "registration_status",
    "payment_status",
    "is_leader",
    "first_name",
    "last_name",
    "email",
    "phone",
    "college",
    "year",
    "github_username",
    "linkedin",
    "student_status",
    "created_at",
];

/// A participant with the team. Personal data is masked unless it was asked for with a reason.
#[derive(View)]
#[view(case = "snake", list = "participants")]
pub(crate) struct PersonView {
    participant_id: ParticipantId,
    team_id: TeamId,
    #[view(example = "Code Warriors")]
    team_name: String,
    track: Option<Track>,
    registration_status: RegistrationStatus,
    payment_status: PaymentStatus,
    is_leader: bool,
    #[view(example = "A***")]
    first_name: String,
    #[view(example = "R***")]
    last_name: String,
    #[view(example = "a***@example.org")]
    email: String,
    #[view(example = "**********3210")]
    phone: Option<String>,
    #[view(example = "Example University")]
    college: Option<String>,
    #[view(example = "3rd Year")]
    year: Option<String>,
    #[view(example = "")]
    github_username: Option<String>,
    #[view(example = "")]
    linkedin: Option<String>,
    student_status: Option<bool>,
    created_at: Timestamp,
}

impl PersonView {
    /// Shows a participant of a team.
    ///
    /// # Errors
    /// Returns 500 if a field is encrypted with a key that is missing.
    pub(crate) fn of(
        person: &Participant,
        team: &Team,
        masking: Masking,
        keys: &FieldKeys,
    ) -> Result<Self, Problem> {
        let row = Participant::row_name(&person.participant_id);
        let decrypted = |location: FieldLocation<'_>, text: &Option<EncryptedText>| {
            let text = text.as_ref().map(|text| keys.decrypt(location, text));
            text.transpose().map_err(Problem::from)
        };
        // Older programs kept numbers in any spelling.
        let number = decrypted(phone(&row), &person.phone)?
            .map(|number| legacy_phone(&number).unwrap_or(number));
        let link = decrypted(linkedin(&row), &person.linkedin)?;
        Ok(Self {
            participant_id: person.participant_id.clone(),
            team_id: team.team_id.clone(),
            team_name: team.name.0.clone(),
            track: team.track.clone(),
            registration_status: team.registration(),
            payment_status: team.payment_status,
            is_leader: team.leader_participant_id == person.participant_id,
            first_name: masking.name(&person.first_name),
            last_name: masking.name(&person.last_name),
            email: masking.email(&person.email.0),
            phone: number.map(|number| masking.phone(&number)),
            college: person.college.as_ref().map(|college| college.0.clone()),
            year: person.year.clone(),
            github_username: person.github_username.as_deref().map(|name| masking.link(name)),
            linkedin: link.map(|link| masking.link(&link)),
            student_status: person.student_status,
            created_at: person.stamps.created,
        })
    }

    /// Returns the cells of a row of a table.
    pub(crate) fn cells(&self) -> [Cow<'static, str>; COLUMNS.len()] {
        let fields = serde_json::to_value(self).unwrap_or_default();
        COLUMNS.map(|column| match &fields[column] {
            Value::Null => Cow::Borrowed(""),
            Value::String(text) => Cow::Owned(text.clone()),
            value => Cow::Owned(value.to_string()),
        })
    }
}

/// Returns whether a participant can be shown: nobody whose data was erased, and of a team that has lost its place nobody
/// whose row has expired.
pub(crate) fn is_shown(person: &Participant, team: &Team, now: Timestamp) -> bool {
    let has_expired = person.ttl.is_some_and(|ttl| ttl <= now.epoch_seconds());
    person.erased_at.is_none() && (!has_expired || team.registration().has_guards())
}
