//! UpdateTimeToLive and DescribeTimeToLive: the attribute that contains an item's expiry.

use monotable_types::{Constraints, limits};

use super::constraints::table_name;
use crate::commit::{Chore, Shared, Stage};
use crate::error::{Error, Result};
use crate::table::{IndexState, Table, Ttl};

/// Sets or clears the attribute that contains an item's expiry in epoch seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UpdateTimeToLive {
    /// The table's name.
    pub table_name: String,
    /// The attribute.
    pub attribute_name: String,
    /// On or off.
    pub enabled: bool,
}

impl UpdateTimeToLive {
    /// Creates a request that enables expiry by this attribute.
    pub fn enable(table_name: impl Into<String>, attribute_name: impl Into<String>) -> Self {
        Self { table_name: table_name.into(), attribute_name: attribute_name.into(), enabled: true }
    }

    /// Creates a request that disables expiry; the attribute is the enabled one.
    pub fn disable(table_name: impl Into<String>, attribute_name: impl Into<String>) -> Self {
        Self { enabled: false, ..Self::enable(table_name, attribute_name) }
    }

    pub(crate) fn validate(&self) -> Result<()> {
        table_name(&self.table_name)?;
        let mut constraints = Constraints::default();
        constraints.text(
            &self.attribute_name,
            "timeToLiveSpecification.attributeName",
            1..=limits::KEY_ATTRIBUTE_NAME_BYTES_MAX,
        );
        Ok(constraints.finish()?)
    }

    /// Changes the setting. The order of expiry is built, or its space reclaimed, in the background.
    pub(crate) fn run(self, stage: &mut Stage<'_>) -> Result<UpdateTimeToLiveOutput> {
        let mut table = Table::clone(stage.catalog().settled_table(&self.table_name)?);
        self.check(table.ttl.as_ref())?;
        let id = table.id;
        let chore = match table.ttl.take() {
            Some(ttl) => Chore::Reclaim { table: id, area: Some(ttl.area) },
            None => {
                let area = table.take_area()?;
                let attribute = self.attribute_name.clone();
                table.ttl = Some(Ttl { attribute, area, state: IndexState::Backfilling });
                Chore::Backfill { table: id, area }
            }
        };
        stage.save_table(table);
        stage.add_chore(chore);
        let Self { attribute_name, enabled, .. } = self;
        Ok(UpdateTimeToLiveOutput { attribute_name, enabled })
    }

    /// Checks that the setting changes.
    fn check(&self, current: Option<&Ttl>) -> Result<()> {
        let problem = match (current, self.enabled) {
            (Some(ttl), _) if ttl.attribute != self.attribute_name => format!(
                "TimeToLive is active on a different AttributeName: current AttributeName is {}",
                ttl.attribute
            ),
            (Some(_), true) => "TimeToLive is already enabled".to_owned(),
            (None, false) => "TimeToLive is already disabled".to_owned(),
            (Some(_), false) | (None, true) => return Ok(()),
        };
        Err(Error::validation(problem))
    }
}

/// The response to an [`UpdateTimeToLive`]: the setting as requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateTimeToLiveOutput {
    /// The attribute.
    pub attribute_name: String,
    /// On or off.
    pub enabled: bool,
}

/// Requests a table's expiry setting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DescribeTimeToLive {
    /// The table's name.
    pub table_name: String,
}

impl DescribeTimeToLive {
    /// Creates a request for one table's setting.
    pub fn new(table_name: impl Into<String>) -> Self {
        Self { table_name: table_name.into() }
    }

    pub(crate) fn run(self, shared: &Shared) -> Result<DescribeTimeToLiveOutput> {
        table_name(&self.table_name)?;
        let newest = shared.newest();
        let table = newest.catalog.named_table(&self.table_name)?;
        let attribute_name = table.ttl.as_ref().map(|ttl| ttl.attribute.clone());
        Ok(DescribeTimeToLiveOutput { attribute_name })
    }
}

/// The response to a [`DescribeTimeToLive`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribeTimeToLiveOutput {
    /// The attribute, if expiry is enabled.
    pub attribute_name: Option<String>,
}
