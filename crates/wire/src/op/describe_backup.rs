//! DescribeBackup: a backup, whole or on its way.

use monotable_engine::Database;

use crate::backup::write_backup;
use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::{Call, Endpoint};
use crate::parameters::required_arn;
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

/// The request.
#[derive(Default)]
pub(crate) struct DescribeBackup {
    backup_arn: Option<String>,
}

impl Call for DescribeBackup {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "BackupArn" => self.backup_arn = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("DescribeBackup", self.backup_arn.as_deref())]
    }

    async fn respond(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
        Err(UnsupportedFeature::Backups.refusal())
    }

    async fn respond_at(self, endpoint: &Endpoint, json: &mut Writer<'_>) -> Result<()> {
        let lifecycle = endpoint.lifecycle(UnsupportedFeature::Backups)?;
        let arn = required_arn(self.backup_arn, "backupArn")?;
        write_backup(json, &lifecycle.describe_backup(&arn)?);
        Ok(())
    }
}
