//! Operations that need or would change what this server has not. [`absence`](crate::absence) has the rule.

use monotable_engine::Database;

use crate::absence::Absence;
use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::touch::Touch;

/// One request type an operation: it reads just enough to know which table is meant.
macro_rules! refused {
    ($($name:ident, $table_member:literal, $absence:ident;)*) => {
        $(
            /// The request.
            #[derive(Default)]
            pub(crate) struct $name {
                table: Option<String>,
            }

            impl Call for $name {
                fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
                    match name {
                        $table_member => self.table = reader.text()?,
                        _ => reader.ignore()?,
                    }
                    Ok(())
                }

                fn touches(&self) -> Vec<Touch<'_>> {
                    vec![Touch::table(stringify!($name), self.table.as_deref())]
                }

                async fn answer(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
                    Err(Absence::$absence.refusal())
                }
            }
        )*
    };
}

refused! {
    CreateBackup, "TableName", Backups;
    CreateGlobalTable, "GlobalTableName", GlobalTables;
    DeleteBackup, "BackupArn", Backups;
    DisableKinesisStreamingDestination, "TableName", KinesisDestinations;
    EnableKinesisStreamingDestination, "TableName", KinesisDestinations;
    ExportTableToPointInTime, "TableArn", Exports;
    RestoreTableFromBackup, "TargetTableName", Backups;
    RestoreTableToPointInTime, "TargetTableName", PointInTimeRecovery;
    SearchVectors, "TableName", VectorIndexes;
    StartBulkPutItems, "TableName", BulkOperations;
    UpdateGlobalTable, "GlobalTableName", GlobalTables;
    UpdateGlobalTableSettings, "GlobalTableName", GlobalTables;
    UpdateKinesisStreamingDestination, "TableName", KinesisDestinations;
    UpdateTableReplicaAutoScaling, "TableName", ReplicaAutoScaling;
}

/// The request: without a table, or with one that is deep inside of it.
macro_rules! refused_for_account {
    ($($name:ident, $absence:ident;)*) => {
        $(
            /// The request.
            #[derive(Default)]
            pub(crate) struct $name;

            impl Call for $name {
                fn member(&mut self, _: &str, reader: &mut Reader<'_>) -> Result<()> {
                    reader.ignore()
                }

                fn touches(&self) -> Vec<Touch<'_>> {
                    vec![Touch::account(stringify!($name))]
                }

                async fn answer(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
                    Err(Absence::$absence.refusal())
                }
            }
        )*
    };
}

refused_for_account! {
    // An address would have to be that of this server, which only its network knows. SDKs that look
    // for endpoints stay with the one they have when they are told none.
    ImportTable, Imports;
}
