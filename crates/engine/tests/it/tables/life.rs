//! From CreateTable to DeleteTable.

use monotable_engine::{
    CreateTable, Database, DeleteTable, DescribeTable, GetItem, IndexStatus, ListTables,
    ListTablesOutput, PutItem, TableStatus, UpdateTable, item,
};

use super::{check_error, database, describe, roster};

#[test]
fn a_new_table_is_described_as_creating_and_is_active_at_once() {
    let database = Database::memory();
    let created = database.create_table(roster()).unwrap().table_description;
    assert_eq!(created.table_status, TableStatus::Creating);
    assert_eq!(created.global_secondary_indexes[0].index_status, IndexStatus::Creating);
    let table = describe(&database, "roster");
    assert_eq!(table.table_status, TableStatus::Active);
    assert_eq!(table.global_secondary_indexes[0].index_status, IndexStatus::Active);
    assert_eq!(table.table_arn, "arn:aws:dynamodb:us-east-1:123456789012:table/roster");
    assert_eq!(
        table.local_secondary_indexes[0].index_arn,
        "arn:aws:dynamodb:us-east-1:123456789012:table/roster/index/by-goals"
    );
    assert_eq!(table.table_id, created.table_id);
    assert_eq!((table.item_count, table.table_size_bytes), (0, 0));
}

#[test]
fn a_name_is_taken_once() {
    check_error(
        database().create_table(roster()),
        "ResourceInUseException",
        "Table already exists: roster",
    );
}

#[test]
fn an_invalid_request_is_refused_before_the_name_is_looked_up() {
    let request = CreateTable { key_schema: Vec::new(), ..roster() };
    check_error(
        database().create_table(request),
        "ValidationException",
        "1 validation error detected: Value '[]' at 'keySchema' failed to satisfy constraint: \
         Member must have length greater than or equal to 1",
    );
}

#[test]
fn a_table_is_found_by_name_and_by_arn() {
    let database = database();
    let arn = describe(&database, "roster").table_arn;
    assert_eq!(describe(&database, &arn).table_name, "roster");
    check_error(
        database.describe_table(DescribeTable::new("nowhere")),
        "ResourceNotFoundException",
        "Requested resource not found: Table: nowhere not found",
    );
    check_error(
        database.describe_table(DescribeTable::new("ab")),
        "ValidationException",
        "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: \
         Member must have length greater than or equal to 3",
    );
}

#[test]
fn counts_follow_the_items() {
    let database = database();
    let player = item! { "PK" => "TEAM#1", "SK" => "PLAYER#1", "city" => "Bern" };
    database.put_item(PutItem::new("roster", player)).unwrap();
    let table = describe(&database, "roster");
    assert_eq!((table.item_count, table.table_size_bytes), (1, 26));
    assert_eq!(table.global_secondary_indexes[0].item_count, 1);
    assert_eq!(table.local_secondary_indexes[0].item_count, 0);
}

#[test]
fn tables_are_listed_by_name_page_by_page() {
    let database = Database::memory();
    for name in ["cats", "ants", "bees"] {
        let table = CreateTable::new(name).partition_key("PK", "S").unwrap();
        database.create_table(table).unwrap();
    }
    let page = |start: Option<&str>, limit| -> ListTablesOutput {
        let exclusive_start_table_name = start.map(str::to_owned);
        database.list_tables(ListTables { exclusive_start_table_name, limit }).unwrap()
    };
    let first = page(None, Some(2));
    assert_eq!(first.table_names, ["ants", "bees"]);
    assert_eq!(first.last_evaluated_table_name.as_deref(), Some("bees"));
    let second = page(Some("bees"), Some(2));
    assert_eq!(second.table_names, ["cats"]);
    assert_eq!(second.last_evaluated_table_name, None);
    // The start need not exist, and a page that ends with the last table is the last one.
    assert_eq!(page(Some("bats"), Some(2)).table_names, ["bees", "cats"]);
    assert_eq!(page(None, Some(3)).last_evaluated_table_name, None);
    assert_eq!(page(None, None).table_names.len(), 3);
    check_error(
        database.list_tables(ListTables { limit: Some(101), ..ListTables::default() }),
        "ValidationException",
        "1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: Member \
         must have value less than or equal to 100",
    );
}

#[test]
fn a_deleted_table_is_gone_and_its_name_is_free() {
    let database = database();
    let before = describe(&database, "roster");
    let player = item! { "PK" => "TEAM#1", "SK" => "PLAYER#1", "city" => "Bern" };
    database.put_item(PutItem::new("roster", player)).unwrap();
    let deleted = database.delete_table(DeleteTable::new("roster")).unwrap().table_description;
    assert_eq!(deleted.table_status, TableStatus::Deleting);
    check_error(
        database.delete_table(DeleteTable::new("roster")),
        "ResourceNotFoundException",
        "Requested resource not found: Table: roster not found",
    );
    database.create_table(roster()).unwrap();
    let after = describe(&database, "roster");
    assert_ne!(after.table_id, before.table_id);
    assert_eq!(after.item_count, 0);
    let key = item! { "PK" => "TEAM#1", "SK" => "PLAYER#1" };
    assert_eq!(database.get_item(GetItem::new("roster", key)).unwrap().item, None);
    assert!(database.check().unwrap().is_clean());
}

#[test]
fn a_protected_table_stays_until_it_is_protected_no_more() {
    let database = Database::memory();
    database.create_table(roster().deletion_protection(true)).unwrap();
    check_error(
        database.delete_table(DeleteTable::new("roster")),
        "ValidationException",
        "Resource cannot be deleted as it is currently protected against deletion. Disable deletion \
         protection first.",
    );
    let unprotect = UpdateTable::new("roster").deletion_protection(false);
    let updated = database.update_table(unprotect).unwrap().table_description;
    assert_eq!(updated.table_status, TableStatus::Active);
    assert!(!updated.deletion_protection);
    database.delete_table(DeleteTable::new("roster")).unwrap();
}
