//! What BatchGetItem and BatchWriteItem share: the constraints on their map of tables.

use monotable_engine::table_name_of_arn;
use monotable_types::{Item, TableName, item_size_bytes, limits};

/// The rules for the table names of a batch. AWS lists all of them, whichever is broken.
const NAME_RULES: &str = "Member must have length less than or equal to 255, Member must have \
     length greater than or equal to 3, Member must satisfy regular expression pattern: \
     [a-zA-Z0-9_.-]+";
/// The largest request that a message contains in full.
const PRINTED_BYTES_MAX: usize = 4096;

/// Checks that each table has a name or an ARN, and returns AWS's error otherwise. `print` prints
/// the request; of a large request only the names are printed.
pub(super) fn wrong_table_names<'a>(
    tables: impl Iterator<Item = &'a String> + Clone,
    items: impl Iterator<Item = &'a Item>,
    print: impl FnOnce() -> String,
) -> Option<String> {
    let is_name = |table: &String| {
        table_name_of_arn(table).is_some() || TableName::try_from(table.as_str()).is_ok()
    };
    if tables.clone().all(is_name) {
        return None;
    }
    let sizes: Vec<usize> = items.take(limits::BATCH_GET_MAX + 1).map(item_size_bytes).collect();
    let printed = if sizes.len() <= limits::BATCH_GET_MAX
        && sizes.iter().sum::<usize>() <= PRINTED_BYTES_MAX
    {
        print()
    } else {
        let names: Vec<String> = tables.map(|table| format!("{table}=...")).collect();
        format!("{{{}}}", names.join(", "))
    };
    Some(format!(
        "Value '{printed}' at 'requestItems' failed to satisfy constraint: Map keys must satisfy \
         constraint: [{NAME_RULES}]"
    ))
}

/// Returns the rule that a list of 1 to `max` elements breaks with this length, if any.
pub(super) fn wrong_length(length: usize, max: usize) -> Option<String> {
    let rule = match length {
        0 => "greater than or equal to 1".to_owned(),
        _ if length > max => format!("less than or equal to {max}"),
        _ => return None,
    };
    Some(format!("Member must have length {rule}"))
}
