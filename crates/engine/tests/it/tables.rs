//! Tables as their owner sees them: create, describe, list, change, delete, tags, expiry setting.

mod changes;
mod life;
mod settings;

use monotable_engine::{
    CreateTable, Database, DescribeTable, Error, IndexDefinition, Query, Result, TableDescription,
};

/// A table with a partition key, a sort key and one local and one global index.
fn roster() -> CreateTable {
    let roster = || -> Result<CreateTable> {
        Ok(CreateTable::new("roster")
            .partition_key("PK", "S")?
            .sort_key("SK", "S")?
            .attribute("city", "S")?
            .attribute("goals", "N")?
            .global_index(IndexDefinition::new("by-city", &["city"], &[]))
            .local_index(IndexDefinition::new("by-goals", &["PK"], &["goals"])))
    };
    roster().unwrap()
}

fn database() -> Database {
    let database = Database::memory();
    database.create_table(roster()).unwrap();
    database
}

fn describe(database: &Database, name: &str) -> TableDescription {
    let request = DescribeTable::new(name);
    database.describe_table(request).unwrap().table
}

fn count_in_index(database: &Database, index: &str, attribute: &str, value: &str) -> Result<u64> {
    let query = Query::new("roster")
        .index(index)
        .key_condition("#key = :key")
        .name("#key", attribute)
        .value(":key", value);
    Ok(database.query(query)?.count as u64)
}

/// The exception and its text.
fn check_error<T: std::fmt::Debug>(outcome: Result<T>, code: &str, message: &str) {
    let error: Error = outcome.unwrap_err();
    assert_eq!((error.code(), error.to_string().as_str()), (code, message));
}
