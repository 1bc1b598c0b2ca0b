//! Questions about what this server has not: lists without elements, and things that are not found.

use monotable_engine::{Database, Error};
use monotable_types::{Constraints, TableName};

use crate::error::{Absent, Failure, Result};
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::{finish, page_size, required_arn};
use crate::touch::Touch;

/// Lists of an account: the parameter that limits a page, its path and its maximum, and the member
/// that would have the elements.
macro_rules! empty_lists {
    ($($name:ident, $limit:literal, $path:literal, $max:literal, $elements:literal;)*) => {
        $(
            /// The request.
            #[derive(Default)]
            pub(crate) struct $name {
                limit: Option<i32>,
            }

            impl Call for $name {
                fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
                    match name {
                        $limit => self.limit = reader.integer()?,
                        _ => reader.ignore()?,
                    }
                    Ok(())
                }

                fn touches(&self) -> Vec<Touch<'_>> {
                    vec![Touch::account(stringify!($name))]
                }

                async fn answer(self, _: &Database, json: &mut Writer<'_>) -> Result<()> {
                    let mut constraints = Constraints::default();
                    page_size(&mut constraints, $path, self.limit, $max);
                    finish(constraints)?;
                    json.empty_array_member($elements);
                    Ok(())
                }
            }
        )*
    };
}

empty_lists! {
    ListBulkOperations, "MaxResults", "maxResults", 25, "BulkOperationsSummaryList";
    ListExports, "MaxResults", "maxResults", 25, "ExportSummaries";
    ListGlobalTables, "Limit", "limit", 100, "GlobalTables";
    ListImports, "PageSize", "pageSize", 25, "ImportSummaryList";
}

/// Things by name or ARN: the parameter that names one, and what becomes of it.
macro_rules! not_found {
    ($($name:ident, $member:literal, $failure:expr;)*) => {
        $(
            /// The request.
            #[derive(Default)]
            pub(crate) struct $name {
                named: Option<String>,
            }

            impl Call for $name {
                fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
                    match name {
                        $member => self.named = reader.text()?,
                        _ => reader.ignore()?,
                    }
                    Ok(())
                }

                fn touches(&self) -> Vec<Touch<'_>> {
                    vec![Touch::table(stringify!($name), self.named.as_deref())]
                }

                async fn answer(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
                    Err($failure(self.named))
                }
            }
        )*
    };
}

not_found! {
    CancelBulkOperation, "BulkOperationArn", bulk_operation;
    DescribeBackup, "BackupArn", |arn| by_arn(arn, "backupArn", Absent::Backup, "Backup");
    DescribeBulkOperation, "BulkOperationArn", bulk_operation;
    DescribeExport, "ExportArn", |arn| by_arn(arn, "exportArn", Absent::Export, "Export");
    DescribeGlobalTable, "GlobalTableName", global_table;
    DescribeGlobalTableSettings, "GlobalTableName", global_table;
    DescribeImport, "ImportArn", |arn| by_arn(arn, "importArn", Absent::Import, "Import");
}

/// Something with an ARN; what is wrong with the ARN is said first.
fn by_arn(arn: Option<String>, path: &str, absent: Absent, word: &str) -> Failure {
    match required_arn(arn, path) {
        Ok(arn) => Failure::NotFound(absent, format!("{word} not found: {arn}")),
        Err(failure) => failure,
    }
}

fn bulk_operation(arn: Option<String>) -> Failure {
    match required_arn(arn, "bulkOperationArn") {
        Ok(arn) => {
            let text = format!("Requested resource not found: Bulk operation: {arn} not found");
            Error::ResourceNotFound(text).into()
        }
        Err(failure) => failure,
    }
}

fn global_table(name: Option<String>) -> Failure {
    const PATH: &str = "globalTableName";
    let mut constraints = Constraints::default();
    match &name {
        None => constraints.null(PATH),
        Some(name) => constraints.name(TableName::try_from(name.as_str()), PATH),
    }
    if let Err(failure) = finish(constraints) {
        return failure;
    }
    let name = name.unwrap_or_default();
    let text = format!("Global table with name: '{name}' does not exist.");
    Failure::NotFound(Absent::GlobalTable, text)
}
