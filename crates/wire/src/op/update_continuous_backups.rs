//! UpdateContinuousBackups: enables or disables point-in-time recovery of a table.

use monotable_engine::Database;
use monotable_types::Constraints;

use crate::backup::{NO_RECOVERY, write_continuous_backups};
use crate::error::Result;
use crate::field::Holder;
use crate::json::{Reader, Writer};
use crate::operation::{Call, Endpoint};
use crate::parameters::finish;
use crate::table::NamedTable;
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

/// The request.
#[derive(Default)]
pub(crate) struct UpdateContinuousBackups {
    table_name: NamedTable,
    specification: Option<Specification>,
}

impl Call for UpdateContinuousBackups {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = NamedTable::read(reader)?,
            "PointInTimeRecoverySpecification" => self.specification = Specification::read(reader)?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("UpdateContinuousBackups", self.table_name.given())]
    }

    async fn respond(mut self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let recovery_days = self.recovery_days()?;
        self.table_name.describe_for_backups(database)?;
        if recovery_days.is_some() {
            return Err(UnsupportedFeature::PointInTimeRecovery.refusal());
        }
        write_continuous_backups(json, &NO_RECOVERY);
        Ok(())
    }

    async fn respond_at(mut self, endpoint: &Endpoint, json: &mut Writer<'_>) -> Result<()> {
        let Ok(lifecycle) = endpoint.lifecycle(UnsupportedFeature::PointInTimeRecovery) else {
            return self.respond(endpoint.database(), json).await;
        };
        let recovery_days = self.recovery_days()?;
        let table = self.table_name.required()?;
        let backups = lifecycle.update_continuous_backups(&table, recovery_days).await?;
        write_continuous_backups(json, &backups);
        Ok(())
    }
}

impl UpdateContinuousBackups {
    /// Returns for how many days recovery is enabled, or `None` if it is disabled.
    fn recovery_days(&mut self) -> Result<Option<u64>> {
        let mut constraints = Constraints::default();
        let specification = self.specification.take();
        let is_enabled = specification.as_ref().and_then(|specification| specification.enabled);
        let path = "pointInTimeRecoverySpecification";
        match &specification {
            None => constraints.null(path),
            Some(specification) => {
                if is_enabled.is_none() {
                    constraints.null(&format!("{path}.pointInTimeRecoveryEnabled"));
                }
                if let Some(days) = specification.days {
                    let path = format!("{path}.recoveryPeriodInDays");
                    let least = "have value greater than or equal to 1";
                    constraints.check(days >= 1, days, &path, least);
                    let most = "have value less than or equal to 35";
                    constraints.check(days <= DAYS_MAX, days, &path, most);
                }
            }
        }
        finish(constraints)?;
        let days = specification.and_then(|specification| specification.days).unwrap_or(DAYS_MAX);
        Ok((is_enabled == Some(true)).then_some(u64::from(days.unsigned_abs())))
    }
}

/// How many days back a time can be restored at most, which is also the default.
const DAYS_MAX: i32 = 35;

/// `PointInTimeRecoverySpecification`
#[derive(Default)]
struct Specification {
    enabled: Option<bool>,
    days: Option<i32>,
}

impl Specification {
    fn read(reader: &mut Reader<'_>) -> Result<Option<Self>> {
        let mut specification = Self::default();
        let class = "PointInTimeRecoverySpecification";
        let found = reader.structure(class, Holder::Member, |reader, name| {
            match name {
                "PointInTimeRecoveryEnabled" => specification.enabled = reader.truth()?,
                "RecoveryPeriodInDays" => specification.days = reader.integer()?,
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(found.then_some(specification))
    }
}
