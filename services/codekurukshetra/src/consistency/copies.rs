//! Copies: what rows of participants repeat of their team, and names of colleges that are merged.

use std::collections::BTreeMap;

use monotable::model::edit;
use monotable_kit::Words as _;

use super::fix::Fix;
use super::{Found, Rows};
use crate::rules::college::slug;
use crate::table::{College, Participant};

/// Compares copies with their originals.
pub(super) fn compare(rows: &Rows, found: &mut Vec<Found>) {
    let merges: BTreeMap<String, &College> =
        rows.merges.iter().map(|merge| (slug(&merge.college.0), &merge.into)).collect();
    for member in rows.participants.values() {
        let name = Participant::row_name(&member.participant_id);
        if let Some(team) = rows.teams.get(&member.team_id) {
            let is_leader = team.leader_participant_id == member.participant_id;
            let is_same = member.payment_status == team.payment_status;
            if !is_same || member.is_leader != is_leader {
                let text = format!(
                    "payment_status is {} and is_leader {}; by its team {} and {is_leader}",
                    member.payment_status.word(),
                    member.is_leader,
                    team.payment_status.word(),
                );
                let (member, payment_status) = (member.clone(), team.payment_status);
                let copy = Fix::write(move |tx| {
                    tx.add(edit(&member, |member| {
                        (member.payment_status, member.is_leader) = (payment_status, is_leader);
                    }));
                });
                found.push(Found::new("copies", name, text).fixed_by(copy));
                // One repair of a row at a time: the next check finds the rest.
                continue;
            }
        }
        if rows.is_merging {
            continue;
        }
        let spelling = member.college.as_ref().map(|college| slug(&college.0));
        if let Some(into) = spelling.and_then(|spelling| merges.get(&spelling)) {
            let (member, college) = (member.clone(), (*into).clone());
            let rename = Fix::write(move |tx| {
                tx.add(edit(&member, |member| member.college = Some(college)));
            });
            let text = "the spelling of its college is merged into another one";
            found.push(Found::new("copies", name, text).fixed_by(rename));
        }
    }
}
