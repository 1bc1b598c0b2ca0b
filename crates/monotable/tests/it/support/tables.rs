//! Tables as the seeds define them.

use monotable::Database;
use monotable::dynamodb::{CreateTable, IndexDefinition, Substitutions};

use super::literal::Literal;

/// Creates an on-demand table with string keys, and indexes `GSI1`, `GSI2`, … on `GSI1PK` and
/// `GSI1SK`, … that project everything.
pub(crate) fn create_table(db: &Database, name: &str, keys: [&str; 2], global_indexes: u32) {
    let [partition_key, sort_key] = keys;
    let mut table = CreateTable::new(name)
        .partition_key(partition_key, "S")
        .and_then(|table| table.sort_key(sort_key, "S"))
        .unwrap();
    for number in 1..=global_indexes {
        let (partition, sort) = (format!("GSI{number}PK"), format!("GSI{number}SK"));
        let index = IndexDefinition::new(format!("GSI{number}"), &[&partition], &[&sort]);
        table = table
            .attribute(&partition, "S")
            .and_then(|table| table.attribute(&sort, "S"))
            .unwrap()
            .global_index(index);
    }
    db.create_table(table).unwrap();
}

/// `ExpressionAttributeValues` as a seed prints them.
pub(crate) fn values(literal: Literal<'_>) -> Substitutions {
    Substitutions { names: None, values: Some(literal.item()) }
}
