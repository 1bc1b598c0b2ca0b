//! Removes expired rows, for stores that do not do it by themselves. Nothing depends on it: reads
//! and conditions already treat expired rows as absent.

use std::sync::Arc;
use std::time::Duration;

use monotable_design::meta::{RuleMeta, TableMeta};
use monotable_expression::Condition;
use monotable_types::Item;

use crate::backend::Row;
use crate::backend::request::{Action, Returns, Scan, Write};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::key::{ParsedParts, parse_template};
use crate::write::{self, PlannedWrite};

use super::row::expiry_in;

/// Deletes every row that expired at least this long ago: in a table that declares an expiry every
/// row that has it, in other tables the rows of rules.
pub(crate) async fn delete_expired(context: &Context, kept: Duration) -> Result<usize> {
    let mut deleted = 0;
    let mut start_key = None;
    loop {
        let filter = expiries(context.table)
            .map(|attribute| write::expired(attribute, end_seconds(context, kept)))
            .reduce(Condition::or);
        let Some(filter) = filter else { return Ok(0) };
        let page = context
            .scan(Scan {
                table: Arc::clone(&context.table_name),
                index: None,
                filter: Some(filter),
                consistent: true,
                limit: None,
                start_key,
                segment: None,
            })
            .await?;
        for row in &page.rows {
            deleted += usize::from(delete(context, row, kept).await?);
        }
        start_key = page.last_key;
        if start_key.is_none() {
            return Ok(deleted);
        }
    }
}

/// Returns the last second of expiry of rows that are deleted.
fn end_seconds(context: &Context, kept: Duration) -> i64 {
    let kept = i64::try_from(kept.as_secs()).unwrap_or(i64::MAX);
    context.now_seconds().as_seconds().saturating_sub(kept)
}

/// Returns the attributes that can contain an expiry.
fn expiries(table: &'static TableMeta) -> impl Iterator<Item = &'static str> {
    let of_rules = table.rules.iter().map(|rule| expiry_in(table, &rule.attributes));
    table.ttl_attribute.into_iter().chain(of_rules)
}

/// Deletes a row that has expired. Returns `false` if it has been replaced since it was read.
async fn delete(context: &Context, row: &Row, kept: Duration) -> Result<bool> {
    let Some((key, attribute)) = key_and_expiry(context.table, row) else { return Ok(false) };
    let expired = write::expired(attribute, end_seconds(context, kept));
    let write = Write {
        table: Arc::clone(&context.table_name),
        action: Action::Delete(key),
        condition: Some(expired),
        return_on_failure: false,
        returns: Returns::Nothing,
        returns_units: false,
    };
    let failure = Box::new(|row| Error::ConditionFailed { entity: "expired row", row });
    match write::single(context, vec![PlannedWrite::new(write, failure)]).await {
        Ok(_) => Ok(true),
        Err(Error::ConditionFailed { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Returns the key of a row and the attribute of its expiry. Returns `None` if nothing declares
/// that the row expires: an entity may use the same attribute for something else.
fn key_and_expiry(table: &'static TableMeta, row: &Row) -> Option<(Item, &'static str)> {
    let partition = row.text(table.partition_key)?;
    let sort = table.sort_key.map(|sort_key| row.text(sort_key));
    let sort = match &sort {
        Some(text) => Some(text.as_deref()?),
        None => None,
    };
    let rule = table.rules.iter().find(|rule| is_row_of(rule, &partition, sort));
    let attribute = rule.map(|rule| expiry_in(table, &rule.attributes)).or(table.ttl_attribute)?;
    let mut key = Item::from([(table.partition_key.to_owned(), (&*partition).into())]);
    if let (Some(sort_key), Some(sort)) = (table.sort_key, sort) {
        key.insert(sort_key.to_owned(), sort.into());
    }
    Some((key, attribute))
}

/// Returns whether the key of a row is a key of a rule.
fn is_row_of(rule: &RuleMeta, partition: &str, sort: Option<&str>) -> bool {
    let key = &rule.row.key;
    let mut parts = ParsedParts::default();
    parse_template(&key.partition, partition, &mut parts)
        && match (&key.sort, sort) {
            (Some(template), Some(text)) => parse_template(template, text, &mut parts),
            (template, text) => template.is_none() && text.is_none(),
        }
}
