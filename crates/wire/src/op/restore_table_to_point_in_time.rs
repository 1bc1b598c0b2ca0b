//! RestoreTableToPointInTime: a new table, which a job fills with what another one had at an earlier time.

use monotable_engine::Database;
use monotable_lifecycle::RestoreToPointInTime;
use monotable_types::Constraints;

use crate::backup_arguments::{Target, read_moment};
use crate::error::{Failure, Result};
use crate::json::{Reader, Writer};
use crate::operation::{Call, Endpoint};
use crate::parameters::table_name;
use crate::table::write_table;
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

/// The request.
#[derive(Default)]
pub(crate) struct RestoreTableToPointInTime {
    source_name: Option<String>,
    source_arn: Option<String>,
    is_latest: Option<bool>,
    restore_ms: Option<u64>,
    target: Target,
}

impl Call for RestoreTableToPointInTime {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "SourceTableName" => self.source_name = reader.text()?,
            "SourceTableArn" => self.source_arn = reader.text()?,
            "UseLatestRestorableTime" => self.is_latest = reader.truth()?,
            "RestoreDateTime" => self.restore_ms = read_moment(reader)?,
            name => self.target.member(name, reader)?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        // The table that is read, and the one that is written.
        let source = self.source_arn.as_deref().or(self.source_name.as_deref());
        let tables = [source, self.target.table_name()];
        tables.map(|table| Touch::table("RestoreTableToPointInTime", table)).to_vec()
    }

    async fn respond(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
        Err(UnsupportedFeature::PointInTimeRecovery.refusal())
    }

    async fn respond_at(self, endpoint: &Endpoint, json: &mut Writer<'_>) -> Result<()> {
        let lifecycle = endpoint.lifecycle(UnsupportedFeature::PointInTimeRecovery)?;
        let mut constraints = Constraints::default();
        let target = self.target.noted(&mut constraints)?;
        if self.source_name.is_some() {
            table_name(&mut constraints, "sourceTableName", self.source_name.as_deref());
        }
        if let Some(arn) = &self.source_arn {
            constraints.text(arn, "sourceTableArn", 1..=1024);
        }
        let (target_table_name, overrides) = target.checked(constraints)?;
        let source_table = one_source(self.source_name, self.source_arn)?;
        let request = RestoreToPointInTime {
            source_table,
            target_table_name,
            restore_ms: one_time(self.is_latest == Some(true), self.restore_ms)?,
            overrides,
        };
        let table = lifecycle.restore_to_point_in_time(request).await?;
        write_table(json, "TableDescription", &table);
        Ok(())
    }
}

/// Returns the table that is restored.
fn one_source(name: Option<String>, arn: Option<String>) -> Result<String> {
    match (name, arn) {
        (Some(source), None) | (None, Some(source)) => Ok(source),
        (None, None) => Err(Failure::validation(
            "One of the parameters must be specified: SourceTableName or SourceTableArn",
        )),
        (Some(_), Some(_)) => Err(Failure::validation(
            "Only one of the parameters can be specified: SourceTableName or SourceTableArn",
        )),
    }
}

/// Returns the time that is restored; `None` is the latest one.
fn one_time(is_latest: bool, restore_ms: Option<u64>) -> Result<Option<u64>> {
    match (is_latest, restore_ms) {
        (true, None) => Ok(None),
        (false, Some(restore_ms)) => Ok(Some(restore_ms)),
        (false, None) => Err(Failure::validation(
            "One of the parameters must be specified: RestoreDateTime or UseLatestRestorableTime",
        )),
        (true, Some(_)) => Err(Failure::validation(
            "Only one of the parameters can be specified: RestoreDateTime or UseLatestRestorableTime",
        )),
    }
}
