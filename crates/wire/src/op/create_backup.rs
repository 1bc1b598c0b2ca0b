//! CreateBackup: a job writes it, from the moment of the request.

use monotable_engine::Database;
use monotable_types::Constraints;

use crate::backup::write_details;
use crate::backup_arguments::backup_name;
use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::{Call, Endpoint};
use crate::parameters::{finish, table_name};
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

/// The request.
#[derive(Default)]
pub(crate) struct CreateBackup {
    table_name: Option<String>,
    backup_name: Option<String>,
}

impl Call for CreateBackup {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = reader.text()?,
            "BackupName" => self.backup_name = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("CreateBackup", self.table_name.as_deref())]
    }

    async fn respond(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
        Err(UnsupportedFeature::Backups.refusal())
    }

    async fn respond_at(self, endpoint: &Endpoint, json: &mut Writer<'_>) -> Result<()> {
        let lifecycle = endpoint.lifecycle(UnsupportedFeature::Backups)?;
        let mut constraints = Constraints::default();
        table_name(&mut constraints, "tableName", self.table_name.as_deref());
        backup_name(&mut constraints, self.backup_name.as_deref());
        finish(constraints)?;
        let (table, name) =
            (self.table_name.unwrap_or_default(), self.backup_name.unwrap_or_default());
        let backup = lifecycle.create_backup(&table, &name).await?;
        write_details(json, &backup);
        Ok(())
    }
}
