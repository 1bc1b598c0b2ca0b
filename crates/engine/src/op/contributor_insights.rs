//! UpdateContributorInsights: whether the most used keys of a table or index are reported.

use super::constraints::table_name;
use crate::commit::Stage;
use crate::error::{Error, Result};
use crate::table::{ContributorInsights, InsightsMode, Table};

/// Enables or disables Contributor Insights. The figures are those of
/// [`Database::statistics`](crate::Database::statistics), which are counted in any case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UpdateContributorInsights {
    /// The table's name.
    pub table_name: String,
    /// The index; `None` for the table itself.
    pub index_name: Option<String>,
    /// On or off.
    pub enabled: bool,
    /// Which keys are reported; `None` keeps the setting.
    pub mode: Option<InsightsMode>,
}

impl UpdateContributorInsights {
    pub(crate) fn validate(&self) -> Result<()> {
        table_name(&self.table_name)
    }

    pub(crate) fn run(self, stage: &mut Stage<'_>) -> Result<UpdateContributorInsightsOutput> {
        let mut table = Table::clone(stage.catalog().settled_table(&self.table_name)?);
        let table_name = table.name.clone();
        let insights = match &self.index_name {
            None => &mut table.insights,
            Some(name) => {
                let index = table.indexes.iter_mut().find(|index| index.name == *name);
                let index = index.ok_or_else(|| {
                    Error::ResourceNotFound(format!(
                        "Requested resource not found: Index {name} for table {table_name}"
                    ))
                })?;
                &mut index.insights
            }
        };
        let mode = self.mode.or(insights.map(|known| known.mode)).unwrap_or_default();
        let updated_ms = stage.now_ms;
        *insights = self.enabled.then_some(ContributorInsights { mode, updated_ms });
        stage.save_table(table);
        Ok(UpdateContributorInsightsOutput { table_name, mode })
    }
}

/// The response to an [`UpdateContributorInsights`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateContributorInsightsOutput {
    /// The table's name.
    pub table_name: String,
    /// Which keys are reported.
    pub mode: InsightsMode,
}
