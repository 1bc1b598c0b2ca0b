//! DescribeBackup: there are none.

use monotable_engine::Database;

use crate::error::{Absent, Failure, Result};
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::required_arn;
use crate::touch::Touch;

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

    async fn answer(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
        let arn = required_arn(self.backup_arn, "backupArn")?;
        Err(Failure::NotFound(Absent::Backup, format!("Backup not found: {arn}")))
    }
}
