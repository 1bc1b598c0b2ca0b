//! Members of a team: who joins, who leaves, and who comes instead.

pub(crate) mod add;
pub(crate) mod remove;
pub(crate) mod replace;

use crate::api::prelude::*;
use crate::money::guards;
use crate::money::tally::Tally;
use crate::rules::statistics::Figures;
use crate::rules::teams::Sizes;

/// What can refuse a change of the members of a team.
pub(crate) const CHANGING: &[Refusal] = &[
    Refusal::NotFound,
    Refusal::Forbidden,
    Refusal::RegistrationClosed,
    Refusal::HoldExpired,
    Refusal::InvalidState,
    Refusal::NotConfigured,
];

/// A team whose members can change.
pub(crate) struct Roster {
    pub(crate) team: Team,
    pub(crate) config: Config,
    pub(crate) members: Vec<Participant>,
    /// Whether an administrator makes the change, which is recorded.
    pub(crate) by_admin: bool,
}

/// Returns the team that the caller may change the members of: the leader until registration ends,
/// administrators also afterwards.
///
/// # Errors
/// Returns 404 or 403, or 409 if the team does not take part at the moment.
pub(crate) async fn changing(
    app: &App,
    call: &Request,
    team_id: &TeamId,
) -> Result<Roster, Problem> {
    let granted = policy::team(app, call, team_id, Action::Edit).await?;
    let by_admin = granted.roles.contains(&policy::Role::Admin);
    open(app, granted.team, by_admin).await
}

/// Returns a team if its members can change now.
///
/// # Errors
/// Returns 409 if the team takes part no more, or registration has ended.
pub(crate) async fn open(app: &App, team: Team, by_admin: bool) -> Result<Roster, Problem> {
    let (config, now) = (app.config().await?, app.db.now());
    let text = "Registration has ended. Ask an administrator to change the members.";
    let is_open = by_admin || now <= config.registration_end;
    is_open.then_some(()).ok_or_else(|| Refusal::RegistrationClosed.text(text))?;
    Refusal::InvalidState.unless(super::participants::is_live(&team))?;
    Refusal::HoldExpired.unless(team.held_until().is_none_or(|until| now < until))?;
    let members = app.cashier.members(&team).await?;
    Ok(Roster { team, config, members, by_admin })
}

impl Roster {
    /// Returns how many members the team can have.
    fn sizes(&self) -> Sizes {
        Sizes { min: self.config.min_team_size, max: self.team.max_members }
    }

    /// Requires that a team of so many members is allowed.
    ///
    /// # Errors
    /// Returns 400 `INVALID_TEAM_SIZE`.
    pub(crate) fn check_size(&self, people: usize) -> Result<(), Problem> {
        let sizes = self.sizes();
        sizes
            .contains(people)
            .then_some(())
            .ok_or_else(|| Refusal::InvalidTeamSize.text(sizes.text()))
    }

    /// Returns the member of an id.
    ///
    /// # Errors
    /// Returns 404 if it does not exist.
    pub(crate) fn member(&self, participant_id: &ParticipantId) -> Result<&Participant, Problem> {
        let member = self.members.iter().find(|it| it.participant_id == *participant_id);
        member.ok_or_else(|| Refusal::NotFound.into())
    }

    /// Lists other members in the team's row.
    pub(crate) fn list(
        &self,
        tx: &mut Commit<'_, CodeKurukshetra>,
        member_ids: Vec<ParticipantId>,
    ) {
        let count = u8::try_from(member_ids.len()).unwrap_or(u8::MAX);
        tx.add(edit(&self.team, |team| {
            (team.member_count, team.member_ids) = (count, member_ids);
        }));
    }

    /// Returns the ids of the members.
    pub(crate) fn ids(&self) -> Vec<ParticipantId> {
        self.members.iter().map(|it| it.participant_id.clone()).collect()
    }

    /// Returns the day on which a member was counted.
    ///
    /// # Errors
    /// Returns 500 if the event's time zone does not exist.
    pub(crate) fn came_on(&self, member: &Participant) -> Result<Date, Problem> {
        member.day.map_or_else(|| self.config.day_of(member.stamps.created), Ok)
    }

    /// Records the change.
    ///
    /// # Errors
    /// Returns 401 if the caller is not signed in.
    pub(crate) fn note(
        &self,
        app: &App,
        call: &Request,
        tx: &mut Commit<'_, CodeKurukshetra>,
        action: &str,
        participant_id: &ParticipantId,
    ) -> Result<(), Problem> {
        let entry = app.audit(call, action, format!("TEAM#{}", self.team.team_id))?;
        let entry = entry.is("participant_id", participant_id.as_str());
        tx.add(create(entry.is("by_admin", self.by_admin.to_string())));
        Ok(())
    }
}

/// Adds a new member to a transaction, with the guards of the address and the account.
pub(crate) fn join(
    tx: &mut Commit<'_, CodeKurukshetra>,
    member: Participant,
) -> monotable::model::Handle<Participant> {
    tx.require(create(guards::of_email(&member)), Refusal::DuplicateEmail);
    if let Some(account) = guards::of_account(&member) {
        tx.require(create(account), Refusal::AlreadyRegistered);
    }
    tx.add(create(member))
}

/// Removes a member in a transaction, with the guards that it holds.
///
/// # Errors
/// Returns 409 for the leader, and for participants who have arrived at the event.
pub(crate) async fn leave(
    app: &App,
    tx: &mut Commit<'_, CodeKurukshetra>,
    team: &Team,
    member: &Participant,
) -> Result<(), Problem> {
    if policy::is_leader(team, &member.participant_id) {
        let text = "The leader can't leave. Make another member the leader first.";
        return Err(Refusal::InvalidState.text(text));
    }
    if app.db.check_in(&member.participant_id).await?.is_some() {
        return Err(Refusal::InvalidState.text("The member has arrived at the event already."));
    }
    app.cashier.member_guards(member).await?.release(tx);
    tx.add(delete(member));
    Ok(())
}

/// Returns what one participant counts; `is_undone` if the row is deleted.
pub(crate) fn one(is_undone: bool) -> Tally {
    let figures = Figures { participants: 1, ..Figures::default() };
    Tally { figures, is_undone, ..Tally::default() }
}
