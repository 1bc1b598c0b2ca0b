//! Counts that older programs did not keep: members of teams, and plate appearances of players.
//!
//! The counts are read first and the rows that they count after them. A change of such a row
//! changes the version of the count, so that an outdated count is not written; then everything is
//! counted again.

use std::collections::BTreeMap;

use monotable::model::{Error, Result};
use monotable_kit::backfill::{Look, LostRace as _};

use super::Run;
use crate::table::{HackTrackerReads as _, PlayerId, TeamCounts, TeamId};

impl Run<'_> {
    /// Counts the members of every team whose members were never counted.
    pub(super) async fn count_members(&self) -> Result<Look> {
        let mut uncounted = Vec::new();
        for team_id in &self.teams {
            let counts = match self.db.team_counts(team_id).await? {
                Some(counts) => counts,
                None if self.db.team(team_id).consistent().await?.is_none() => continue,
                None => self.db.create(&TeamCounts::uncounted(team_id.clone())).await?,
            };
            if counts.members_counted != Some(true) {
                uncounted.push(counts);
            }
        }
        if uncounted.is_empty() {
            return Ok(Look::Settled);
        }
        let mut members: BTreeMap<TeamId, i64> = BTreeMap::new();
        let mut memberships = self.db.every_membership().skip_unreadable().stream();
        while let Some(membership) = memberships.next().await {
            let membership = membership?;
            if membership.is_active() {
                *members.entry(membership.team_id).or_default() += 1;
            }
        }
        let mut written = Vec::new();
        for counts in uncounted {
            let count = members.get(&counts.team_id).copied().unwrap_or(0);
            let edited = self.db.edit(counts, |row| {
                (row.members, row.members_counted) = (count, Some(true));
            });
            written.push(edited.await.map(drop));
        }
        self.counted("countedTeams", written)
    }

    /// Counts the plate appearances of every player without a count.
    pub(super) async fn count_appearances(&self) -> Result<Look> {
        let mut uncounted = Vec::new();
        for (team_id, player_id) in &self.uncounted {
            let player = self.db.player(team_id, player_id).consistent().await?;
            uncounted.extend(player.filter(|player| player.pa_count.is_none()));
        }
        if uncounted.is_empty() {
            return Ok(Look::Settled);
        }
        let mut appearances: BTreeMap<PlayerId, u64> =
            uncounted.iter().map(|player| (player.player_id.clone(), 0)).collect();
        let mut at_bats = self.db.every_at_bat().skip_unreadable().stream();
        while let Some(at_bat) = at_bats.next().await {
            if let Some(count) = appearances.get_mut(&at_bat?.player_id) {
                *count += 1;
            }
        }
        let mut written = Vec::new();
        for player in uncounted {
            let count = appearances.get(&player.player_id).copied();
            written.push(self.db.edit(player, |player| player.pa_count = count).await.map(drop));
        }
        self.counted("countedPlayers", written)
    }

    /// Counts the written rows; an outdated count is an error that is retried.
    fn counted(&self, name: &'static str, written: Vec<Result<()>>) -> Result<Look> {
        let mut outdated = None;
        for written in written {
            match written {
                Ok(()) => self.backfill.repaired(name, 1),
                Err(error) if error.is_lost_race() => outdated = Some(error),
                Err(error) => return Err(error),
            }
        }
        outdated.map_or(Ok(Look::Settled), Err::<Look, Error>)
    }
}
