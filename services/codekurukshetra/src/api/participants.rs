//! Participants: what they enter about themselves, who sees it, and how it is forgotten.

pub(crate) mod erase;
pub(crate) mod get;
pub(crate) mod update;

use crate::api::prelude::*;
use crate::money::guards;
use crate::rules::registration::{self, checked_ttl};
use crate::rules::{college, people};
use crate::table::{linkedin, phone};

/// What somebody enters about themselves, apart from the e-mail address.
#[derive(Debug, Body)]
#[body(case = "snake")]
pub(crate) struct Profile {
    #[body(length = 1..=50, check = people::name, example = "Ananya")]
    pub(crate) first_name: String,
    #[body(length = 1..=50, check = people::name, example = "Iyer")]
    pub(crate) last_name: String,
    /// A mobile number of India, or another one with its calling code.
    #[body(length = 8..=25, check = people::phone, example = "+91-9876543210")]
    pub(crate) phone: String,
    #[body(length = 2..=120, check = college::name, example = "Example University")]
    pub(crate) college: String,
    #[body(words = people::YEARS, example = "3rd Year")]
    pub(crate) year: String,
    #[body(length = 1..=80, check = people::github_username, label = "GitHub", example = "ananya")]
    pub(crate) github_username: Option<String>,
    #[body(length = 1..=200, check = people::linkedin, label = "LinkedIn", example = "https://www.linkedin.com/in/ananya")]
    pub(crate) linkedin: Option<String>,
    /// Whether the person is a student.
    #[body(label = "Student")]
    pub(crate) student_status: Option<bool>,
}

/// Somebody who is registered by another person.
#[derive(Debug, Body)]
#[body(case = "snake")]
pub(crate) struct NewMember {
    #[body(length = 3..=254, check = people::email, example = "ananya@example.org")]
    pub(crate) email: String,
    #[body(flatten)]
    pub(crate) profile: Profile,
}

impl Profile {
    /// Makes the row of a new participant, with what is encrypted in it. The day is the one that counts it.
    ///
    /// # Errors
    /// Returns 409 if the event ended long ago.
    pub(crate) fn participant(
        &self,
        app: &App,
        participant_id: ParticipantId,
        email: Email,
        team: &Team,
        config: &Config,
        day: Date,
    ) -> Result<Participant, Problem> {
        let kept_until = checked_ttl(config.people_kept_until(), app.db.now()).map_err(|_| {
            Refusal::RegistrationClosed.text("Personal data of the event is kept no longer.")
        })?;
        let row = Participant::row_name(&participant_id);
        let encrypt = |at, text: &String| app.field_keys.encrypt(at, text);
        Ok(Participant {
            phone: Some(encrypt(phone(&row), &self.phone)),
            linkedin: self.linkedin.as_ref().map(|link| encrypt(linkedin(&row), link)),
            participant_id,
            first_name: self.first_name.clone(),
            last_name: self.last_name.clone(),
            email,
            college: Some(College(self.college.clone())),
            year: Some(self.year.clone()),
            github_username: self.github_username.clone(),
            student_status: self.student_status,
            registration_type: Some(TEAM_MEMBER.to_owned()),
            team_id: team.team_id.clone(),
            payment_status: team.payment_status,
            is_leader: false,
            firebase_uid: None,
            ttl: Some(kept_until),
            erased_at: None,
            day: Some(day),
            stamps: Stamps::default(),
        })
    }
}

/// The act of an administrator who reads personal data.
const READ: &str = "readPersonalData";
const HOUR_MS: i64 = 60 * 60 * 1_000;

/// How participants register: there is no other way.
const TEAM_MEMBER: &str = "team_member";

/// A participant, as the person and those see it who manage the team.
#[derive(View)]
#[view(of = Participant, case = "snake", differs_by_viewer)]
pub(crate) struct ParticipantView {
    participant_id: ParticipantId,
    #[view(example = "Ananya")]
    first_name: String,
    #[view(example = "Iyer")]
    last_name: String,
    #[view(from = email.0, example = "ananya@example.org")]
    email: String,
    #[view(absent, secret, example = "+91-9876543210")]
    phone: Option<String>,
    #[view(from = college_name(), example = "Example University")]
    college: Option<String>,
    #[view(example = "3rd Year")]
    year: Option<String>,
    #[view(example = "ananya")]
    github_username: Option<String>,
    #[view(absent, secret, example = "https://www.linkedin.com/in/ananya")]
    linkedin: Option<String>,
    student_status: Option<bool>,
    #[view(example = "team_member")]
    registration_type: Option<String>,
    team_id: TeamId,
    payment_status: PaymentStatus,
    is_leader: bool,
    /// Whether the person has signed in.
    #[view(from = has_account())]
    has_account: bool,
    /// When the personal data was removed.
    erased_at: Option<Timestamp>,
    #[view(stamps)]
    stamps: Stamps,
}

impl ParticipantView {
    /// Shows a participant to somebody who may see everything.
    ///
    /// # Errors
    /// Returns 500 if a field can't be decrypted.
    pub(crate) fn to_confidant(app: &App, participant: &Participant) -> Result<Self, Problem> {
        let row = Participant::row_name(&participant.participant_id);
        let decrypt = |at, text: &Option<_>| {
            text.as_ref().map(|text| app.field_keys.decrypt(at, text)).transpose()
        };
        Ok(Self {
            phone: decrypt(phone(&row), &participant.phone)?,
            linkedin: decrypt(linkedin(&row), &participant.linkedin)?,
            ..Self::of(participant)
        })
    }

    /// The same within the transaction of a change, with what was decrypted before.
    pub(crate) fn after(&self, participant: &Participant) -> Self {
        let (phone, linkedin) = (self.phone.clone(), self.linkedin.clone());
        Self { phone, linkedin, ..Self::of(participant) }
    }
}

impl Participant {
    pub(crate) fn college_name(&self) -> Option<String> {
        self.college.as_ref().map(|college| college.0.clone())
    }

    fn has_account(&self) -> bool {
        self.firebase_uid.is_some()
    }
}

/// What the caller is to a participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// The same person.
    Own,
    /// The leader of the participant's team.
    Leader,
    /// An administrator.
    Admin,
}

/// Returns a participant, its team if that is there, and what the caller is to it.
///
/// # Errors
/// Returns 404 if there is no such participant, or the caller has no relation to it, or 403 for other members of the
/// same team.
pub(crate) async fn related(
    app: &App,
    call: &Request,
    participant_id: &ParticipantId,
) -> Result<(Participant, Option<Team>, Relation), Problem> {
    let participant = app.db.participant(participant_id).await?.ok_or(Refusal::NotFound)?;
    let team = app.db.team(&participant.team_id).await?;
    let own = policy::own_participant(app, call).await?;
    let relation = match &own {
        Some(own) if own.participant_id == *participant_id => Relation::Own,
        _ if participant.erased_at.is_none() && policy::is_own(call, &participant)? => {
            Relation::Own
        }
        _ if policy::is_admin(call.principal()?) => Relation::Admin,
        Some(own) if own.team_id == participant.team_id => {
            let leads = |team: &Team| policy::is_leader(team, &own.participant_id);
            Refusal::Forbidden.unless(team.as_ref().is_some_and(leads))?;
            Relation::Leader
        }
        _ => return Err(Refusal::NotFound.into()),
    };
    Ok((participant, team, relation))
}

/// Refuses an e-mail address that is registered. The guard decides in the transaction; this finds addresses of older
/// programs, which have none.
///
/// # Errors
/// Returns 409 `DUPLICATE_EMAIL`.
pub(crate) async fn must_be_free(app: &App, email: &Email) -> Result<(), Problem> {
    Ok(Refusal::DuplicateEmail.unless(policy::live_participant(app, email).await?.is_none())?)
}

/// Records that an administrator has read personal data.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn note_read(app: &App, call: &Request, entity: String) -> Result<(), Problem> {
    app.db.create(&app.audit(call, READ, entity)?).await?;
    Ok(())
}

/// Records once an hour that an administrator reads personal data that a page shows again and again.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn note_reading(app: &App, call: &Request, entity: &str) -> Result<(), Problem> {
    let mut entry = app.audit(call, READ, entity)?;
    let hour = entry.at.as_ms().div_euclid(HOUR_MS) * HOUR_MS;
    entry.at = Timestamp::from_ms(hour).map_err(|error| Problem::internal(error.to_string()))?;
    entry.month = Month::of(entry.at);
    let reader = format!("{READ}.{entity}.{}", policy::account(call)?);
    entry.entry_id = EntryId::new(&reader).map_err(Problem::internal)?;
    match app.db.create(&entry).await {
        Ok(_) | Err(Error::Exists { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Links the caller's account to the participant with the caller's verified e-mail address, and returns it. Members
/// other than the leader have no account until they sign in.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn linked(app: &App, call: &Request) -> Result<Option<Participant>, Problem> {
    let Some(found) = policy::own_participant(app, call).await? else { return Ok(None) };
    if found.firebase_uid.is_some() {
        return Ok(Some(found));
    }
    let account_id = policy::account(call)?;
    let linked = edit(&found, |it| it.firebase_uid = Some(account_id.clone()));
    let guard = Participant { firebase_uid: Some(account_id.clone()), ..found.clone() };
    let mut tx = app.db.transact();
    let handle = tx.add(linked);
    guards::of_account(&guard).into_iter().for_each(|guard| _ = tx.add(create(guard)));
    match tx.commit().await {
        Ok(done) => Ok(Some(done[handle].clone())),
        // Another request of the same person was first, or something else has changed.
        Err(Error::VersionConflict { .. } | Error::Exists { .. }) => {
            policy::own_participant(app, call).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns whether a team still takes part, or may.
pub(crate) fn is_live(team: &Team) -> bool {
    registration::can_become(team.registration(), RegistrationStatus::Cancelled)
}
