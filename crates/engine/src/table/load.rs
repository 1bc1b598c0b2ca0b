//! How a table was filled by a job of a layer above: a restore or an import.

use monotable_types::{Item, item};

use super::definition::Fields;
use crate::layout::Malformed;

/// The job that fills a table, or has filled it. Until it has, nothing can be read from the table or written to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableLoad {
    /// The name of the job, which the layer above chose.
    pub job: String,
    /// Whether the job is not done yet.
    pub in_progress: bool,
    /// What was restored, if it is a restore.
    pub source: Option<RestoreSource>,
}

/// What a table was restored from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoreSource {
    /// The ARN of the backup, if it was one.
    pub backup_arn: Option<String>,
    /// The ARN of the table that was backed up.
    pub table_arn: String,
    /// The moment as of which it was restored, in milliseconds since the epoch.
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
