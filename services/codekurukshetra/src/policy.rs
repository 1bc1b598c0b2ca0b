//! Who may do what: the roles of §5.6 and the actions that they may take.
//!
//! `admin` and `judge` come from tokens or are granted by the host; who leads or belongs to a team is in its rows.

use monotable_kit::{Policy, Principal, Problem, Request};

use crate::app::App;
use crate::refusal::Refusal;
use crate::table::{
    AccountId, CodeKurukshetraReads as _, Email, JudgeId, Participant, ParticipantId, Team, TeamId,
};

/// What somebody is to a team, or to the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A member of the team.
    Member,
    /// The member who leads the team.
    Leader,
    /// A judge who is assigned to the team.
    Judge,
    /// An administrator of the event.
    Admin,
}

/// What is done, as far as roles decide it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// See the team.
    View,
    /// Pay for the team.
    Pay,
    /// Change the team and its members.
    Edit,
    /// Submit what the team has built.
    Submit,
    /// Score what the team has built.
    Score,
    /// List, export, refund, delete, configure.
    Administer,
}

/// What each role may do.
pub const POLICY: Policy<Action, Role> = {
    use Role::{Admin, Judge, Leader, Member};
    Policy::new(&[
        (Action::View, &[Member, Leader, Judge, Admin]),
        (Action::Pay, &[Leader]),
        (Action::Edit, &[Leader, Admin]),
        (Action::Submit, &[Member, Leader]),
        (Action::Score, &[Judge, Admin]),
        (Action::Administer, &[Admin]),
    ])
};

/// A team with what the caller is to it.
#[derive(Clone, Debug)]
pub struct Granted {
    /// The team.
    pub team: Team,
    /// What the caller is.
    pub roles: Vec<Role>,
    /// The caller's own row, if the caller is a participant.
    pub participant: Option<Participant>,
}

impl Granted {
    /// Returns whether the caller may do this.
    pub fn allows(&self, action: Action) -> bool {
        self.roles.iter().any(|role| POLICY.allows(action, *role))
    }
}

/// Returns whether the caller is an administrator.
pub fn is_admin(principal: &Principal) -> bool {
    principal.has_role("admin")
}

/// Returns whether the caller is a judge.
pub fn is_judge(principal: &Principal) -> bool {
    principal.has_role("judge")
}

/// Returns the account of the caller.
///
/// # Errors
/// Returns 401 if the caller is not signed in, or 400 if the issuer's name of the caller can't be
/// part of a key.
pub fn account(call: &Request) -> Result<AccountId, Problem> {
    call.user()
}

/// Authorizes an administrator.
///
/// # Errors
/// Returns 401 if the caller is not signed in, or 403 if the caller is another person.
pub fn administer(call: &Request) -> Result<AccountId, Problem> {
    if is_admin(call.principal()?) { account(call) } else { Err(Refusal::Forbidden.into()) }
}

/// Returns the verified e-mail address of the caller.
///
/// # Errors
/// Returns 401 if the caller is not signed in, or 403 without one.
pub fn verified_email(call: &Request) -> Result<Email, Problem> {
    let principal = call.principal()?;
    let email = principal.email.as_ref().filter(|_| principal.email_verified);
    let email = email.ok_or(Refusal::EmailNotVerified)?;
    Ok(Email(Email(email.clone()).normal()))
}

/// Returns the participant that the caller is: by the account, or else by the verified e-mail address. Of members other than
/// the leader only the address is known until they sign in.
///
/// # Errors
/// Returns 401 if the caller is not signed in.
pub async fn own_participant(app: &App, call: &Request) -> Result<Option<Participant>, Problem> {
    let account_id = account(call)?;
    if let Some(account) = app.db.account(&account_id).await? {
        return Ok(app.db.participant(&account.participant_id).await?);
    }
    let Ok(email) = verified_email(call) else { return Ok(None) };
    let participant = match app.db.email_guard(&email).await? {
        Some(guard) => app.db.participant(&guard.participant_id).await?,
        // Rows of older programs have no guard until the backfill.
        None => live_participant(app, &email).await?,
    };
    // An address that passed to another account is not that account's participant.
    let is_own = |one: &Participant| one.firebase_uid.as_ref().is_none_or(|it| *it == account_id);
    Ok(participant.filter(is_own))
}

/// Returns the participant with an address in a team that keeps it for itself.
///
/// # Errors
/// Returns the errors of the table.
pub async fn live_participant(app: &App, email: &Email) -> Result<Option<Participant>, Problem> {
    let is_live = |team: &Team| team.registration().has_guards();
    let found = with_address(app, email).await?.into_iter();
    let mut live = found.filter(|(it, team)| {
        team.as_ref().is_some_and(is_live) && it.email.normal() == email.normal()
    });
    Ok(live.next().map(|(participant, _)| participant))
}

/// Returns the participants that the index lists under an address, as they are now: it may lag.
async fn with_address(
    app: &App,
    email: &Email,
) -> Result<Vec<(Participant, Option<Team>)>, Problem> {
    let mut found = Vec::new();
    for listed in app.db.participants_by_email(email).all().await? {
        let Some(participant) = app.db.participant(&listed.participant_id).await? else { continue };
        let team = app.db.team(&participant.team_id).await?;
        found.push((participant, team));
    }
    Ok(found)
}

/// Returns whether a participant is the caller: by the account, or else by the verified e-mail address. That holds for rows of
/// teams that have ended, too, which nothing leads to any more.
///
/// # Errors
/// Returns 401 if the caller is not signed in.
pub fn is_own(call: &Request, participant: &Participant) -> Result<bool, Problem> {
    let account_id = account(call)?;
    Ok(match &participant.firebase_uid {
        Some(uid) => *uid == account_id,
        None => verified_email(call).is_ok_and(|own| own.0 == participant.email.normal()),
    })
}

/// Returns the caller's participants in teams that have ended, the latest first.
///
/// # Errors
/// Returns the errors of the table.
pub async fn earlier_participants(app: &App, call: &Request) -> Result<Vec<Participant>, Problem> {
    let Ok(email) = verified_email(call) else { return Ok(Vec::new()) };
    let mut earlier = Vec::new();
    for (participant, team) in with_address(app, &email).await? {
        let has_ended = team.is_none_or(|team| !team.registration().has_guards());
        if has_ended && participant.erased_at.is_none() && is_own(call, &participant)? {
            earlier.push(participant);
        }
    }
    earlier.sort_by_key(|participant| std::cmp::Reverse(participant.stamps.created));
    Ok(earlier)
}

/// Authorizes the caller to do something with a team.
///
/// # Errors
/// Returns 404 if there is no such team, or the caller has no relation to it, or 403 if the caller may only do other
/// things.
pub async fn team(
    app: &App,
    call: &Request,
    team_id: &TeamId,
    action: Action,
) -> Result<Granted, Problem> {
    let mut granted = roles(app, call, team_id).await?;
    if action == Action::Pay && has_led(app, call, &granted.team).await? {
        granted.roles.push(Role::Leader);
    }
    if granted.roles.is_empty() {
        return Err(Refusal::NotFound.into());
    }
    if !granted.allows(action) {
        return Err(Refusal::Forbidden.into());
    }
    Ok(granted)
}

/// Returns a team with what the caller is to it, which may be nothing.
///
/// # Errors
/// Returns 404 if there is no such team.
pub async fn roles(app: &App, call: &Request, team_id: &TeamId) -> Result<Granted, Problem> {
    let principal = call.principal()?;
    let team = app.db.team(team_id).await?.ok_or(Refusal::NotFound)?;
    let participant = own_participant(app, call).await?;
    let mut roles = Vec::new();
    if let Some(participant) = &participant
        && participant.team_id == team.team_id
    {
        roles.push(Role::Member);
        if is_leader(&team, &participant.participant_id) {
            roles.push(Role::Leader);
        }
    }
    if is_admin(principal) {
        roles.push(Role::Admin);
    }
    if is_judge(principal) {
        let judge_id: JudgeId = call.user()?;
        if app.db.assignment(&judge_id, team_id).await?.is_some() {
            roles.push(Role::Judge);
        }
    }
    Ok(Granted { team, roles, participant })
}

/// Returns whether the caller's account is that of the leader. When a hold ends, the team loses the guard of the account, but
/// its leader may come back from the gateway after that.
async fn has_led(app: &App, call: &Request, team: &Team) -> Result<bool, Problem> {
    let account_id = account(call)?;
    let leader = app.db.participant(&team.leader_participant_id).await?;
    Ok(leader.is_some_and(|leader| leader.firebase_uid == Some(account_id)))
}

/// Returns whether a participant leads a team.
pub fn is_leader(team: &Team, participant_id: &ParticipantId) -> bool {
    team.leader_participant_id == *participant_id
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn roles_may_do_what_the_table_lists() {
        let roles = [Role::Member, Role::Leader, Role::Judge, Role::Admin];
        expect![[r#"
            | | Member | Leader | Judge | Admin |
            |---|---|---|---|---|
            | View | yes | yes | yes | yes |
            | Pay | | yes | | |
            | Edit | | yes | | yes |
            | Submit | yes | yes | | |
            | Score | | | yes | yes |
            | Administer | | | | yes |
        "#]]
        .assert_eq(&POLICY.document(&POLICY.actions().collect::<Vec<_>>(), &roles));
    }
}
