//! Tables that were filled by a job of the layer above: a restore or an import.

use monotable_types::{Item, item};

use super::definition::Fields;
use crate::layout::Malformed;

/// The job that fills a table, or has filled it. Until it is done, the table can't be read or
/// written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableLoad {
    /// The name of the job, which the layer above chose.
    pub job: String,
    /// Whether the job is still running.
    pub in_progress: bool,
    /// The source, if it is a restore.
    pub source: Option<RestoreSource>,
}

/// The source of a restored table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoreSource {
    /// The ARN of the backup, if there was one.
    pub backup_arn: Option<String>,
    /// The ARN of the table that was backed up.
    pub table_arn: String,
    /// The moment to which it was restored, in milliseconds since the epoch.
    pub restore_ms: u64,
}

impl TableLoad {
    pub(super) fn encode(&self) -> Item {
        let mut fields = item! { "job" => self.job.clone(), "inProgress" => self.in_progress };
        if let Some(source) = &self.source {
            fields.insert("sourceTable".to_owned(), source.table_arn.clone().into());
            fields.insert("restored".to_owned(), source.restore_ms.into());
            if let Some(arn) = &source.backup_arn {
                fields.insert("sourceBackup".to_owned(), arn.clone().into());
            }
        }
        fields
    }

    pub(super) fn decode(fields: &Fields<'_>) -> Result<Self, Malformed> {
        let source = match fields.optional_text("sourceTable")? {
            None => None,
            Some(table_arn) => Some(RestoreSource {
                backup_arn: fields.optional_text("sourceBackup")?,
                table_arn,
                restore_ms: fields.number("restored")?,
            }),
        };
        Ok(Self { job: fields.text("job")?, in_progress: fields.flag("inProgress")?, source })
    }
}
