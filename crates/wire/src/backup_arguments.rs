//! Parameters of backups and restores.

use monotable_engine::OnDemandThroughput;
use monotable_lifecycle::RestoreOverrides;
use monotable_types::{Constraints, TableName};

use crate::error::{Failure, Result};
use crate::json::Reader;
use crate::parameters::finish;
use crate::table::{
    Indexes, NotedIndex, SseSpecification, Throughput, billing_mode, checked_indexes,
    read_on_demand,
};
use crate::unsupported::UnsupportedFeature;

/// Checks `BackupName`.
pub(crate) fn backup_name(constraints: &mut Constraints, name: Option<&str>) {
    const PATH: &str = "backupName";
    let Some(name) = name else {
        return constraints.null(PATH);
    };
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    let pattern = "satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
    constraints.check(is_plain && !name.is_empty(), name, PATH, pattern);
    constraints.text(name, PATH, 3..=255);
}

/// The new table of a restore, and the settings that differ.
#[derive(Default)]
pub(crate) struct Target {
    table_name: Option<String>,
    billing_mode: Option<String>,
    throughput: Option<Throughput>,
    on_demand: Option<OnDemandThroughput>,
    sse: Option<SseSpecification>,
    global_indexes: Indexes,
    local_indexes: Indexes,
    has_vector_indexes: bool,
}

/// A restore target whose broken constraints have been noted.
pub(crate) struct NotedTarget {
    table_name: String,
    overrides: RestoreOverrides,
    global_indexes: Option<Vec<NotedIndex>>,
    local_indexes: Option<Vec<NotedIndex>>,
    has_vector_indexes: bool,
}

impl Target {
    /// Reads a member, if it belongs to the target.
    pub(crate) fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TargetTableName" => self.table_name = reader.text()?,
            "BillingModeOverride" => self.billing_mode = reader.text()?,
            "ProvisionedThroughputOverride" => self.throughput = Throughput::read(reader)?,
            "OnDemandThroughputOverride" => self.on_demand = read_on_demand(reader)?,
            "SSESpecificationOverride" => self.sse = SseSpecification::read(reader)?,
            "GlobalSecondaryIndexOverride" => {
                self.global_indexes = Indexes::read(reader, "GlobalSecondaryIndex")?;
            }
            "LocalSecondaryIndexOverride" => {
                self.local_indexes = Indexes::read(reader, "LocalSecondaryIndex")?;
            }
            "VectorIndexOverride" => {
                self.has_vector_indexes = reader.list(Reader::ignore)?.is_some();
            }
            _ => reader.ignore()?,
        }
        Ok(())
    }

    /// Returns the name of the new table, if the request has one.
    pub(crate) fn table_name(&self) -> Option<&str> {
        self.table_name.as_deref()
    }

    /// Notes the broken constraints.
    pub(crate) fn noted(self, constraints: &mut Constraints) -> Result<NotedTarget> {
        match self.table_name.as_deref() {
            None => constraints.null("targetTableName"),
            Some(name) => constraints.name(TableName::try_from(name), "targetTableName"),
        }
        let billing_mode = billing_mode(constraints, self.billing_mode.as_deref());
        let path = "provisionedThroughputOverride";
        let throughput = self.throughput.and_then(|units| units.checked(constraints, path));
        let encryption = self.sse.map(|sse| sse.checked(constraints)).transpose()?;
        let global = self.global_indexes.noted(constraints, "globalSecondaryIndexOverride");
        let local = self.local_indexes.noted(constraints, "localSecondaryIndexOverride");
        Ok(NotedTarget {
            table_name: self.table_name.unwrap_or_default(),
            overrides: RestoreOverrides {
                billing_mode,
                provisioned_throughput: throughput,
                on_demand_throughput: self.on_demand,
                encryption,
                ..RestoreOverrides::default()
            },
            global_indexes: global,
            local_indexes: local,
            has_vector_indexes: self.has_vector_indexes,
        })
    }
}

impl NotedTarget {
    /// Returns the name of the new table and the settings that differ.
    pub(crate) fn checked(self, constraints: Constraints) -> Result<(String, RestoreOverrides)> {
        finish(constraints)?;
        if self.has_vector_indexes {
            return Err(UnsupportedFeature::VectorIndexes.refusal());
        }
        let overrides = RestoreOverrides {
            global_indexes: checked_indexes(self.global_indexes)?,
            local_indexes: checked_indexes(self.local_indexes)?,
            ..self.overrides
        };
        Ok((self.table_name, overrides))
    }
}

/// Reads a time as requests contain it: seconds since the epoch, with a fraction.
pub(crate) fn read_moment(reader: &mut Reader<'_>) -> Result<Option<u64>> {
    let seconds = reader.seconds()?;
    seconds
        .map(|seconds| {
            if seconds.is_finite() && (0.0..1e12).contains(&seconds) {
                Ok((seconds * 1000.0).round() as u64)
            } else {
                Err(Failure::Serialization(Some("Invalid timestamp".to_owned())))
            }
        })
        .transpose()
}
