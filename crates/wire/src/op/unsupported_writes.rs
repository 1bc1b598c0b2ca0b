//! Operations that need or change unsupported features. [`unsupported`](crate::unsupported) has the rule.

use monotable_engine::Database;

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

/// Implements one request type per operation, which reads only the name of the table.
macro_rules! refused {
    ($($name:ident, $table_member:literal, $feature:ident;)*) => {
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

                async fn respond(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
                    Err(UnsupportedFeature::$feature.refusal())
                }
            }
        )*
    };
}

refused! {
    CreateGlobalTable, "GlobalTableName", GlobalTables;
    DisableKinesisStreamingDestination, "TableName", KinesisDestinations;
    EnableKinesisStreamingDestination, "TableName", KinesisDestinations;
    SearchVectors, "TableName", VectorIndexes;
    UpdateGlobalTable, "GlobalTableName", GlobalTables;
    UpdateGlobalTableSettings, "GlobalTableName", GlobalTables;
    UpdateKinesisStreamingDestination, "TableName", KinesisDestinations;
    UpdateTableReplicaAutoScaling, "TableName", ReplicaAutoScaling;
}
