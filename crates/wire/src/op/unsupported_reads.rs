//! Requests about unsupported features whose response is an empty list or a missing resource.

use monotable_engine::Database;
use monotable_types::{Constraints, TableName};

use crate::error::{Failure, MissingResource, Result};
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::{finish, page_size};
use crate::touch::Touch;

/// Implements lists of an account by the parameter that limits a page, its path and its maximum,
/// and the member of the elements.
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

                async fn respond(self, _: &Database, json: &mut Writer<'_>) -> Result<()> {
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
    ListGlobalTables, "Limit", "limit", 100, "GlobalTables";
}

/// Implements requests for one resource by the parameter that names it, and its error.
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

                async fn respond(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
                    Err($failure(self.named))
                }
            }
        )*
    };
}

not_found! {
    DescribeGlobalTable, "GlobalTableName", global_table;
    DescribeGlobalTableSettings, "GlobalTableName", global_table;
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
    Failure::NotFound(MissingResource::GlobalTable, text)
}
