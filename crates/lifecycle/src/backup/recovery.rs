//! Point-in-time recovery of single tables: whether it is enabled, which times can be restored, and
//! RestoreTableToPointInTime. A restore begins with the newest backup of all tables that is not later than the time, and
//! goes on with what was committed since; a table that the log has from its creation on needs no backup.

use std::ops::RangeInclusive;
use std::sync::Arc;

use monotable_engine::{
    DescribeTable, Error as EngineError, History, LoggedChange, PointInTimeRecovery, RestoreSource,
    TableDescription, UpdateContinuousBackups,
};
use serde::{Deserialize, Serialize};

use super::Manifest;
use super::at::{covers, replayed_from_ms};
use super::restore::{Filling, RestoreJob, RestoreOverrides, restored_table};
use crate::error::{Error, Refusal, Result, recovery_unavailable, table_not_found};
use crate::jobs::Control;
use crate::lifecycle::{Lifecycle, Shared};

const DAY_MS: u64 = 24 * 60 * 60 * 1000;
/// Clients send times in whole seconds.
const SECOND_MS: u64 = 1000;

/// Continuous backups of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContinuousBackups {
    /// Whether the log of the database is kept, without which no table can be restored to a point in time.
    pub is_available: bool,
    /// What can be restored, if point-in-time recovery is enabled.
    pub recovery: Option<RecoveryWindow>,
}

/// Which times of a table can be restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecoveryWindow {
    /// How many days back a time can be restored at most.
    pub period_days: u64,
    /// The times, in milliseconds since the epoch; none until there is a backup to begin with.
    pub times_ms: Option<RangeInclusive<u64>>,
}

/// What RestoreTableToPointInTime asks for.
#[derive(Clone, Debug)]
pub struct RestoreToPointInTime {
    /// The table, by name or ARN.
    pub source_table: String,
    /// The new table.
    pub target_table_name: String,
    /// The time, in milliseconds since the epoch; none is the latest one.
    pub restore_ms: Option<u64>,
    /// What differs.
    pub overrides: RestoreOverrides,
}

/// The commits that a restore applies.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Commits {
    /// The number of the table.
    table: u32,
    /// From when, in milliseconds since the epoch.
    pub(crate) from_ms: u64,
    /// Until when, this time included.
    until_ms: u64,
}

/// What a restore of a table can begin with.
pub(crate) struct Base {
    /// The backup; none if it begins with the empty table.
    pub(crate) backup_id: Option<String>,
    /// From when on commits are applied.
    pub(crate) from_ms: u64,
    /// The earliest time that can be restored.
    earliest_ms: u64,
}

impl Lifecycle {
    /// Describes the continuous backups of a table.
    ///
    /// # Errors
    /// `TableNotFoundException`
    pub fn describe_continuous_backups(&self, table: &str) -> Result<ContinuousBackups> {
        let shared = self.shared();
        let table = shared.described(table)?;
        shared.continuous_backups(&table, table.recovery)
    }

    /// Enables point-in-time recovery of a table for so many days, or disables it.
    ///
    /// # Errors
    /// `TableNotFoundException`, `TableInUseException` while the table is being created, and
    /// `ContinuousBackupsUnavailableException` if the log is not kept.
    pub async fn update_continuous_backups(
        &self,
        table: &str,
        recovery_days: Option<u64>,
    ) -> Result<ContinuousBackups> {
        let shared = self.shared();
        let described = shared.described(table)?;
        if recovery_days.is_some() && shared.options.history.is_none() {
            return Err(Refusal::ContinuousBackupsUnavailable.with(
                "Continuous backups are not available: the server does not keep its log of commits (serve --keep-log)",
            ));
        }
        let update = UpdateContinuousBackups { table_name: table.to_owned(), recovery_days };
        let recovery = match shared.database.submit(update).await {
            Err(EngineError::ResourceInUse(_) | EngineError::ResourceNotFound(_)) => {
                return Err(shared.unusable(table));
            }
            result => result?,
        };
        shared.continuous_backups(&described, recovery)
    }

    /// Creates a table and starts to fill it with what another one had at an earlier time. It can be used when it is
    /// `ACTIVE`. Keys, indexes and capacity are those that the other table has now, as on AWS.
    ///
    /// # Errors
    /// `TableNotFoundException`, `TableInUseException`, `TableAlreadyExistsException`, `LimitExceededException`,
    /// `PointInTimeRecoveryUnavailableException` if it is not enabled, `InvalidRestoreTimeException`, and
    /// `ValidationException` for overrides that do not fit.
    pub async fn restore_to_point_in_time(
        &self,
        request: RestoreToPointInTime,
    ) -> Result<TableDescription> {
        let shared = self.shared();
        let snapshot = shared.database.snapshot();
        let Some(source) = snapshot.table(&request.source_table) else {
            return Err(shared.unusable(&request.source_table));
        };
        let definition = source.definition();
        let table = definition.description();
        let (Some(recovery), Some(history)) = (table.recovery, shared.history()?) else {
            return Err(recovery_unavailable(&table.table_name));
        };
        let now_ms = shared.database.now_ms();
        let at_ms = request.restore_ms.unwrap_or(now_ms);
        let Some(base) = shared.base_at(&table, recovery, &history, at_ms)? else {
            return Err(Refusal::InvalidRestoreTime.with(
                "An invalid restore time was specified. RestoreDateTime must be between \
                 EarliestRestorableDateTime and LatestRestorableDateTime.",
            ));
        };
        let target = restored_table(&definition, &request.target_table_name, request.overrides)?;
        let job = RestoreJob {
            id: shared.ids.next(now_ms, &request.target_table_name),
            backup_id: base.backup_id,
            source: table.table_name,
            target: request.target_table_name,
            commits: Some(Commits {
                table: definition.number(),
                from_ms: base.from_ms,
                until_ms: at_ms,
            }),
            failure: None,
        };
        let source =
            RestoreSource { backup_arn: None, table_arn: table.table_arn, restore_ms: at_ms };
        shared.begin_restore(&job, target, source).await
    }
}

impl Shared {
    /// Describes a table for an operation on backups.
    fn described(&self, table: &str) -> Result<TableDescription> {
        match self.database.describe_table(DescribeTable::new(table)) {
            Ok(output) => Ok(output.table),
            Err(EngineError::ResourceNotFound(_)) => Err(table_not_found(table)),
            Err(error) => Err(error.into()),
        }
    }

    /// The log of the database, if it is kept.
    pub(crate) fn history(&self) -> Result<Option<History>> {
        Ok(self.options.history.as_ref().map(History::open).transpose()?)
    }

    fn continuous_backups(
        &self,
        table: &TableDescription,
        recovery: Option<PointInTimeRecovery>,
    ) -> Result<ContinuousBackups> {
        let Some(history) = self.history()? else {
            return Ok(ContinuousBackups { is_available: false, recovery: None });
        };
        let recovery = match recovery {
            None => None,
            Some(recovery) => {
                let bases = self.bases(table, &history)?;
                let times_ms = window(&bases, recovery, self.database.now_ms());
                let in_seconds = |times: RangeInclusive<u64>| {
                    let (earliest_ms, latest_ms) = times.into_inner();
                    earliest_ms.next_multiple_of(SECOND_MS).min(latest_ms)..=latest_ms
                };
                let times_ms = times_ms.map(in_seconds);
                Some(RecoveryWindow { period_days: recovery.period_days, times_ms })
            }
        };
        Ok(ContinuousBackups { is_available: true, recovery })
    }

    /// What a table begins with as it was at a time; none if that is not in the window of its recovery.
    pub(crate) fn base_at(
        &self,
        table: &TableDescription,
        recovery: PointInTimeRecovery,
        history: &History,
        at_ms: u64,
    ) -> Result<Option<Base>> {
        let bases = self.bases(table, history)?;
        let times_ms = window(&bases, recovery, self.database.now_ms());
        if !times_ms.is_some_and(|times| times.contains(&at_ms)) {
            return Ok(None);
        }
        let bases = bases.into_iter().filter(|base| base.earliest_ms <= at_ms);
        Ok(bases.max_by_key(|base| base.from_ms))
    }

    /// What restores of a table can begin with.
    fn bases(&self, table: &TableDescription, history: &History) -> Result<Vec<Base>> {
        let Some(beginning) = history.beginning()? else { return Ok(Vec::new()) };
        let sets = self.all_sets()?;
        let sets = sets.iter().filter(|set| covers(beginning, set));
        let has_table =
            |set: &&Arc<Manifest>| set.tables.iter().any(|entry| entry.table_id == table.table_id);
        let mut bases: Vec<Base> = sets
            .filter(has_table)
            .map(|set| Base {
                backup_id: Some(set.id.clone()),
                from_ms: replayed_from_ms(set.created_ms),
                earliest_ms: set.created_ms,
            })
            .collect();
        if table.creation_ms >= beginning.time_ms {
            let created_ms = table.creation_ms;
            bases.push(Base { backup_id: None, from_ms: created_ms, earliest_ms: created_ms });
        }
        Ok(bases)
    }

    /// Applies what was committed to the table of a restore.
    pub(super) fn apply_commits(
        &self,
        commits: &Commits,
        filling: &mut Filling,
        control: &Control,
    ) -> Result<()> {
        let missing = || Error::Io("commits that the restore needs are no longer kept".to_owned());
        let history = self.history()?.ok_or_else(missing)?;
        let beginning = history.beginning()?.ok_or_else(missing)?;
        if beginning.time_ms > commits.from_ms && !beginning.is_of_database {
            return Err(missing());
        }
        let (region, account) = (self.database.region(), self.database.account());
        let times_ms = commits.from_ms..=commits.until_ms;
        history.replay(times_ms, region, account, |commit| {
            control.check()?;
            for change in commit.changes {
                let LoggedChange::Item { table, position, stored } = change else { continue };
                if table == commits.table {
                    control.count(1, stored.as_ref().map_or(0, |stored| stored.len() as u64));
                    filling.put_change(&position, stored)?;
                }
            }
            Ok(())
        })
    }
}

/// The times that can be restored.
fn window(
    bases: &[Base],
    recovery: PointInTimeRecovery,
    now_ms: u64,
) -> Option<RangeInclusive<u64>> {
    let earliest_ms = bases.iter().map(|base| base.earliest_ms).min()?;
    let period_ms = recovery.period_days.saturating_mul(DAY_MS);
    let earliest_ms = earliest_ms.max(recovery.enabled_ms).max(now_ms.saturating_sub(period_ms));
    (earliest_ms <= now_ms).then_some(earliest_ms..=now_ms)
}
