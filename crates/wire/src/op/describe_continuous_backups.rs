//! DescribeContinuousBackups.

use monotable_engine::Database;

use crate::backup::{NO_RECOVERY, write_continuous_backups};
use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::{Call, Endpoint};
use crate::table::NamedTable;
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

/// The request.
#[derive(Default)]
pub(crate) struct DescribeContinuousBackups {
    table_name: NamedTable,
}

impl Call for DescribeContinuousBackups {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = NamedTable::read(reader)?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("DescribeContinuousBackups", self.table_name.given())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        self.table_name.describe_for_backups(database)?;
        write_continuous_backups(json, &NO_RECOVERY);
        Ok(())
    }

    async fn respond_at(self, endpoint: &Endpoint, json: &mut Writer<'_>) -> Result<()> {
        let Ok(lifecycle) = endpoint.lifecycle(UnsupportedFeature::PointInTimeRecovery) else {
            return self.respond(endpoint.database(), json).await;
        };
        let backups = lifecycle.describe_continuous_backups(&self.table_name.required()?)?;
        write_continuous_backups(json, &backups);
        Ok(())
    }
}
