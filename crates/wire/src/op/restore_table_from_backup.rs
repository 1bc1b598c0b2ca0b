//! RestoreTableFromBackup: a new table, which a job fills.

use monotable_engine::Database;
use monotable_lifecycle::RestoreFromBackup;
use monotable_types::Constraints;

use crate::backup_arguments::Target;
use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::{Call, Endpoint};
use crate::parameters::required_arn;
use crate::table::write_table;
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

/// The request.
#[derive(Default)]
pub(crate) struct RestoreTableFromBackup {
    backup_arn: Option<String>,
    target: Target,
}

impl Call for RestoreTableFromBackup {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "BackupArn" => self.backup_arn = reader.text()?,
            name => self.target.member(name, reader)?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        // The backup that is read, and the table that is written.
        let tables = [self.backup_arn.as_deref(), self.target.table_name()];
        tables.map(|table| Touch::table("RestoreTableFromBackup", table)).to_vec()
    }

    async fn respond(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
        Err(UnsupportedFeature::Backups.refusal())
    }

    async fn respond_at(self, endpoint: &Endpoint, json: &mut Writer<'_>) -> Result<()> {
        let lifecycle = endpoint.lifecycle(UnsupportedFeature::Backups)?;
        let mut constraints = Constraints::default();
        let target = self.target.noted(&mut constraints)?;
        if self.backup_arn.is_none() {
            constraints.null("backupArn");
        }
        let (target_table_name, overrides) = target.checked(constraints)?;
        let backup_arn = required_arn(self.backup_arn, "backupArn")?;
        let request = RestoreFromBackup { backup_arn, target_table_name, overrides };
        let table = lifecycle.restore_from_backup(request).await?;
        write_table(json, "TableDescription", &table);
        Ok(())
    }
}
