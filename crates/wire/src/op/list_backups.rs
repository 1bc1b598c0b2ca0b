//! ListBackups, oldest first.

use monotable_engine::Database;
use monotable_lifecycle::{BackupFilter, BackupKind, ListBackups as List};
use monotable_types::Constraints;

use crate::backup::write_summary;
use crate::backup_arguments::read_moment;
use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::{Call, Endpoint};
use crate::parameters::{choose, finish, page_limit, table_name};
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

/// The request.
#[derive(Default)]
pub(crate) struct ListBackups {
    table_name: Option<String>,
    limit: Option<i32>,
    from_ms: Option<u64>,
    until_ms: Option<u64>,
    start_arn: Option<String>,
    backup_type: Option<String>,
}

const TYPES: &[(&str, BackupFilter)] = &[
    ("USER", BackupFilter::Of(BackupKind::User)),
    ("SYSTEM", BackupFilter::Of(BackupKind::System)),
    ("AWS_BACKUP", BackupFilter::Of(BackupKind::Scheduled)),
    ("ALL", BackupFilter::All),
];

impl Call for ListBackups {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = reader.text()?,
            "Limit" => self.limit = reader.integer()?,
            "TimeRangeLowerBound" => self.from_ms = read_moment(reader)?,
            "TimeRangeUpperBound" => self.until_ms = read_moment(reader)?,
            "ExclusiveStartBackupArn" => self.start_arn = reader.text()?,
            "BackupType" => self.backup_type = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::account("ListBackups")]
    }

    async fn respond(self, _: &Database, json: &mut Writer<'_>) -> Result<()> {
        self.checked()?;
        json.empty_array_member("BackupSummaries");
        Ok(())
    }

    async fn respond_at(self, endpoint: &Endpoint, json: &mut Writer<'_>) -> Result<()> {
        let Ok(lifecycle) = endpoint.lifecycle(UnsupportedFeature::Backups) else {
            return self.respond(endpoint.database(), json).await;
        };
        let page = lifecycle.list_backups(&self.checked()?)?;
        json.objects_member("BackupSummaries", &page.backups, write_summary);
        json.optional_text_member("LastEvaluatedBackupArn", page.last_arn.as_deref());
        Ok(())
    }
}

impl ListBackups {
    fn checked(self) -> Result<List> {
        let mut constraints = Constraints::default();
        if self.table_name.is_some() {
            table_name(&mut constraints, "tableName", self.table_name.as_deref());
        }
        let limit = page_limit(&mut constraints, self.limit, BACKUPS_PAGE_MAX);
        let backup_type = self.backup_type.as_deref();
        let filter = choose(&mut constraints, "backupType", backup_type, TYPES);
        if let Some(arn) = &self.start_arn {
            constraints.text(arn, "exclusiveStartBackupArn", 37..=1024);
        }
        finish(constraints)?;
        Ok(List {
            table_name: self.table_name,
            limit: limit.map_or(BACKUPS_PAGE_MAX, |limit| limit as usize),
            from_ms: self.from_ms,
            until_ms: self.until_ms,
            after_arn: self.start_arn,
            filter: filter.unwrap_or(BackupFilter::Of(BackupKind::User)),
        })
    }
}

/// The most backups on a page.
const BACKUPS_PAGE_MAX: usize = 100;
