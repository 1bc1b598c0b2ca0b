//! Guards: every member of a team that holds a place has the guards of its address and account, and the team that of its
//! name; nobody else has one.

use std::collections::BTreeMap;

use super::fix::Fix;
use super::{Found, Rows};
use crate::money::guards;
use crate::rules::teams::name_guard;
use crate::table::{Participant, ParticipantId, Team};

/// Compares guards with who holds them.
pub(super) fn compare(rows: &Rows, found: &mut Vec<Found>) {
    emails(rows, found);
    accounts(rows, found);
    names(rows, found);
}

fn emails(rows: &Rows, found: &mut Vec<Found>) {
    let held: BTreeMap<String, &ParticipantId> =
        rows.emails.iter().map(|guard| (guard.email.normal(), &guard.participant_id)).collect();
    for member in rows.participants.values().filter(|it| rows.holding_team(it).is_some()) {
        let name = Participant::row_name(&member.participant_id);
        match held.get(&member.email.normal()) {
            Some(holder) if **holder == member.participant_id => {}
            Some(holder) => {
                let text = format!("PARTICIPANT#{holder} has the same address");
                found.push(Found::new("guards", name, text));
            }
            None => {
                let guard = guards::of_email(member);
                let missing = Found::new("guards", name, "there is no guard of its address");
                found.push(missing.fixed_by(Fix::TakeEmail(guard, member.clone())));
            }
        }
    }
    for guard in &rows.emails {
        let holds = |member: &&Participant| {
            rows.holding_team(member).is_some() && member.email.normal() == guard.email.normal()
        };
        if rows.participants.get(&guard.participant_id).filter(holds).is_none() {
            let name = Participant::row_name(&guard.participant_id);
            let orphan = Found::new("guards", name, "a guard holds an address that it lacks");
            found.push(orphan.fixed_by(Fix::DropEmail(guard.clone())));
        }
    }
}

fn accounts(rows: &Rows, found: &mut Vec<Found>) {
    let held: BTreeMap<&str, &ParticipantId> = rows
        .accounts
        .iter()
        .map(|guard| (guard.account_id.as_str(), &guard.participant_id))
        .collect();
    for member in rows.participants.values().filter(|it| rows.holding_team(it).is_some()) {
        let Some(guard) = guards::of_account(member) else { continue };
        let name = Participant::row_name(&member.participant_id);
        match held.get(guard.account_id.as_str()) {
            Some(holder) if **holder == member.participant_id => {}
            Some(holder) => {
                let text = format!("PARTICIPANT#{holder} has the same account");
                found.push(Found::new("guards", name, text));
            }
            None => {
                let missing = Found::new("guards", name, "there is no guard of its account");
                found.push(missing.fixed_by(Fix::TakeAccount(guard, member.clone())));
            }
        }
    }
    for guard in &rows.accounts {
        let holds = |member: &&Participant| {
            rows.holding_team(member).is_some()
                && member.firebase_uid.as_ref() == Some(&guard.account_id)
        };
        if rows.participants.get(&guard.participant_id).filter(holds).is_none() {
            let name = Participant::row_name(&guard.participant_id);
            let orphan = Found::new("guards", name, "a guard holds an account that it lacks");
            found.push(orphan.fixed_by(Fix::DropAccount(guard.clone())));
        }
    }
}

fn names(rows: &Rows, found: &mut Vec<Found>) {
    let held: BTreeMap<String, _> =
        rows.names.iter().map(|guard| (name_guard(&guard.name.0), &guard.team_id)).collect();
    for team in rows.teams.values().filter(|team| team.registration().has_guards()) {
        let row = format!("TEAM#{}", team.team_id);
        match held.get(&name_guard(&team.name.0)) {
            Some(holder) if **holder == team.team_id => {}
            Some(holder) => {
                found.push(Found::new("guards", row, format!("TEAM#{holder} has the same name")));
            }
            None => {
                let missing = Found::new("guards", row, "there is no guard of its name");
                found.push(missing.fixed_by(Fix::TakeName(guards::of_name(team), team.clone())));
            }
        }
    }
    for guard in &rows.names {
        let holds = |team: &&Team| {
            team.registration().has_guards()
                && name_guard(&team.name.0) == name_guard(&guard.name.0)
        };
        if rows.teams.get(&guard.team_id).filter(holds).is_none() {
            let row = format!("TEAM#{}", guard.team_id);
            let orphan = Found::new("guards", row, "a guard holds a name that it lacks");
            found.push(orphan.fixed_by(Fix::DropName(guard.clone())));
        }
    }
}
