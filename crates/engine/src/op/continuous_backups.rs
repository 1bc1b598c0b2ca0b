//! UpdateContinuousBackups: whether a table can be restored as it was at an earlier time.

use super::constraints::table_name;
use crate::commit::Stage;
use crate::error::Result;
use crate::table::{PointInTimeRecovery, Table};

/// Enables or disables point-in-time recovery of a table. The engine keeps the setting; what can be restored depends on
/// the log that is kept ([`Options::keeps_history`](crate::Options::keeps_history)) and on backups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UpdateContinuousBackups {
    /// The table's name.
    pub table_name: String,
    /// How many days back a time can be restored; none disables it.
    pub recovery_days: Option<u64>,
}

impl UpdateContinuousBackups {
    pub(crate) fn validate(&self) -> Result<()> {
        table_name(&self.table_name)
    }

    /// Changes the setting. Recovery that is enabled already reaches as far back as before.
    pub(crate) fn run(self, stage: &mut Stage<'_>) -> Result<Option<PointInTimeRecovery>> {
        let mut table = Table::clone(stage.catalog().settled_table(&self.table_name)?);
        let enabled_ms = table.recovery.map_or(stage.now_ms, |known| known.enabled_ms);
        let recovery =
            self.recovery_days.map(|period_days| PointInTimeRecovery { period_days, enabled_ms });
        if table.recovery != recovery {
            table.recovery = recovery;
            stage.save_table(table);
        }
        Ok(recovery)
    }
}
