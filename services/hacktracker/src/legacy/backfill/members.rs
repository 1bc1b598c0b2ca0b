//! Members of teams that nobody counted.

use std::collections::{BTreeMap, BTreeSet};

use monotable::model::{Error, Result, Store};

use super::{ATTEMPTS_MAX, Conflict, Report, was_changed};
use crate::table::{HackTracker, HackTrackerReads, TeamCounts, TeamId};

/// Counts the members of every team whose members were never counted.
///
/// The counts are read first and the memberships after them. Whoever comes or goes meanwhile moves the
/// version of the count, so that one that is out of date is not written; then it is counted again.
pub(super) async fn members(
    db: &Store<HackTracker>,
    mut teams: BTreeSet<TeamId>,
    report: &mut Report,
) -> Result<()> {
    for _ in 0..ATTEMPTS_MAX {
        let uncounted = uncounted(db, &mut teams).await?;
        if teams.is_empty() {
            return Ok(());
        }
        let counts = active_members(db).await?;
        for row in uncounted {
            let team_id = row.team_id.clone();
            let count = counts.get(&team_id).copied().unwrap_or(0);
            let counted = db.edit(row, |row| {
                (row.members, row.members_counted) = (count, Some(true));
            });
            match counted.await {
                Ok(_) => {
                    report.counted_teams += 1;
                    teams.remove(&team_id);
                }
                Err(error) if was_changed(&error) => {}
                Err(error) => return Err(error),
            }
        }
    }
    for team_id in teams {
        report.conflicts.push(Conflict::Busy { row: format!("TEAM#{team_id} / COUNTS") });
    }
    Ok(())
}

/// The counts of teams that are there and whose members are not counted; the other teams are dropped.
async fn uncounted(
    db: &Store<HackTracker>,
    teams: &mut BTreeSet<TeamId>,
) -> Result<Vec<TeamCounts>> {
    let mut uncounted = Vec::new();
    for team_id in teams.clone() {
        let counts = match db.team_counts(&team_id).await? {
            Some(counts) => counts,
            None if db.team(&team_id).consistent().await?.is_none() => {
                teams.remove(&team_id);
                continue;
            }
            None => match db.create(&TeamCounts::uncounted(team_id.clone())).await {
                Ok(counts) => counts,
                Err(Error::Exists { .. }) => continue,
                Err(error) => return Err(error),
            },
        };
        match counts.members_counted {
            Some(true) => {
                teams.remove(&team_id);
            }
            _ => uncounted.push(counts),
        }
    }
    Ok(uncounted)
}

/// The members of all teams. What can't be read was told before.
async fn active_members(db: &Store<HackTracker>) -> Result<BTreeMap<TeamId, i64>> {
    let mut counts = BTreeMap::new();
    let mut memberships = db.every_membership().stream();
    while let Some(membership) = memberships.next().await {
        match membership {
            Ok(membership) if membership.is_active() => {
                *counts.entry(membership.team_id).or_default() += 1;
            }
            Ok(_) => {}
            Err(error) => {
                super::unreadable(error)?;
            }
        }
    }
    Ok(counts)
}
