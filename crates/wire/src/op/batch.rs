//! What the two batch operations have in common: the constraints on their map of tables.

use monotable_engine::table_name_of_arn;
use monotable_types::TableName;

use crate::error::{Failure, Result};

/// The rules that AWS lists for the names of a batch's tables, all of them whichever is broken.
const NAME_RULES: &str = "Member must have length less than or equal to 255, Member must have \
     length greater than or equal to 3, Member must satisfy regular expression pattern: \
     [a-zA-Z0-9_.-]+";

/// Every table is named, or given by its ARN. What AWS prints of the request here changes from one
/// server of theirs to the next; the names are what a reader needs.
pub(super) fn check_table_names<'a>(
    tables: impl Iterator<Item = &'a String> + Clone,
) -> Result<()> {
    let is_name = |table: &String| {
        table_name_of_arn(table).is_some() || TableName::try_from(table.as_str()).is_ok()
    };
    if tables.clone().all(is_name) {
        return Ok(());
    }
    let printed: Vec<String> = tables.map(|table| format!("{table}=...")).collect();
    Err(Failure::validation(format!(
        "1 validation error detected: Value '{{{}}}' at 'requestItems' failed to satisfy \
         constraint: Map keys must satisfy constraint: [{NAME_RULES}]",
        printed.join(", ")
    )))
}

/// The rule that a list of 1 to `max` elements breaks with this length.
pub(super) fn wrong_length(length: usize, max: usize) -> Option<String> {
    let rule = match length {
        0 => "greater than or equal to 1".to_owned(),
        _ if length > max => format!("less than or equal to {max}"),
        _ => return None,
    };
    Some(format!("Member must have length {rule}"))
}
