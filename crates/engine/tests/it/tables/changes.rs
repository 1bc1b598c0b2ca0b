//! UpdateTable: indexes that come and go, billing, storage class.

use monotable_engine::{
    BillingMode, CreateTable, Database, IndexDefinition, IndexStatus, IndexUpdate,
    ProvisionedThroughput, PutItem, TableClass, TableStatus, UpdateItem, UpdateTable, item,
};

use super::{check_error, count_in_index, database, describe};

fn with_index(name: &str, attribute: &str, scalar_type: &str) -> UpdateTable {
    let request = UpdateTable::new("roster").attribute(attribute, scalar_type).unwrap();
    request.create_index(IndexDefinition::new(name, &[attribute], &[]))
}

fn units(units: u64) -> ProvisionedThroughput {
    ProvisionedThroughput { read_capacity_units: units, write_capacity_units: units }
}

fn provisioned() -> Database {
    let database = Database::memory();
    let table = CreateTable::new("roster").partition_key("PK", "S").unwrap();
    let index = IndexDefinition::new("by-city", &["city"], &[]).provisioned_throughput(units(3));
    let table = table.attribute("city", "S").unwrap().global_index(index);
    let provisioned_throughput = Some(units(5));
    database
        .create_table(CreateTable { billing_mode: None, provisioned_throughput, ..table })
        .unwrap();
    database
}

#[test]
fn a_new_index_holds_the_items_that_were_there() {
    let database = database();
    for (number, rank) in ["gold", "gold", "tin"].into_iter().enumerate() {
        let key = format!("PLAYER#{number}");
        let player = item! { "PK" => "TEAM#1", "SK" => key, "rank" => rank };
        database.put_item(PutItem::new("roster", player)).unwrap();
    }
    // Items that have the attribute with another type, not at all, or with a value that no key can
    // have, are not in the index.
    for player in [
        item! { "PK" => "TEAM#2", "SK" => "1", "rank" => 1 },
        item! { "PK" => "TEAM#2", "SK" => "2" },
        item! { "PK" => "TEAM#2", "SK" => "3", "rank" => "" },
        item! { "PK" => "TEAM#2", "SK" => "4", "rank" => "x".repeat(2049) },
        item! { "PK" => "TEAM#2", "SK" => "5", "rank" => "x".repeat(100_000) },
    ] {
        database.put_item(PutItem::new("roster", player)).unwrap();
    }
    let updated = database.update_table(with_index("by-rank", "rank", "S")).unwrap();
    let updated = updated.table_description;
    assert_eq!(updated.table_status, TableStatus::Updating);
    let index = updated.global_secondary_indexes.last().unwrap();
    assert_eq!((index.index_status, index.backfilling), (IndexStatus::Creating, false));

    let table = describe(&database, "roster");
    assert_eq!(table.table_status, TableStatus::Active);
    let index = table.global_secondary_indexes.last().unwrap();
    assert_eq!((index.index_status, index.item_count), (IndexStatus::Active, 3));
    assert_eq!(count_in_index(&database, "by-rank", "rank", "gold"), Ok(2));

    // They can still be changed, and enter the index once they fit.
    let update = |key: &str, update: &str| {
        let key = item! { "PK" => "TEAM#2", "SK" => key };
        let request = UpdateItem::new("roster", key).update(update);
        request.name("#rank", "rank").value(":gold", "gold")
    };
    let another = update("3", "SET nickname = :gold, medal = #rank");
    database.update_item(another).unwrap();
    for key in ["3", "5"] {
        database.update_item(update(key, "SET #rank = :gold")).unwrap();
    }
    assert_eq!(count_in_index(&database, "by-rank", "rank", "gold"), Ok(4));
    assert!(database.check().unwrap().is_clean());
}

#[test]
fn a_large_table_is_filled_in_many_steps() {
    let database = database();
    for number in 0..1200 {
        let key = format!("PLAYER#{number:04}");
        let player = item! { "PK" => "TEAM#1", "SK" => key, "rank" => "gold" };
        database.put_item(PutItem::new("roster", player)).unwrap();
    }
    database.update_table(with_index("by-rank", "rank", "S")).unwrap();
    let table = describe(&database, "roster");
    assert_eq!(table.global_secondary_indexes.last().unwrap().item_count, 1200);
    assert!(database.check().unwrap().is_clean());
}

#[test]
fn a_removed_index_takes_its_attributes_along() {
    let database = database();
    let player = item! { "PK" => "TEAM#1", "SK" => "PLAYER#1", "city" => "Bern" };
    database.put_item(PutItem::new("roster", player)).unwrap();
    let remove = UpdateTable::new("roster").delete_index("by-city");
    let updated = database.update_table(remove.clone()).unwrap().table_description;
    assert_eq!(updated.global_secondary_indexes[0].index_status, IndexStatus::Deleting);

    let table = describe(&database, "roster");
    assert!(table.global_secondary_indexes.is_empty());
    let names: Vec<_> = table.attribute_definitions.iter().map(|known| &known.name).collect();
    assert_eq!(names, ["PK", "SK", "goals"]);
    check_error(
        count_in_index(&database, "by-city", "city", "Bern"),
        "ValidationException",
        "The table does not have the specified index: by-city",
    );
    check_error(
        database.update_table(remove),
        "ResourceNotFoundException",
        "Requested resource not found: Index by-city for table roster",
    );
    // The name is free for another index, of another type.
    database.update_table(with_index("by-city", "city", "N")).unwrap();
    assert_eq!(describe(&database, "roster").global_secondary_indexes[0].item_count, 0);
    assert!(database.check().unwrap().is_clean());
}

#[test]
fn an_attribute_keeps_the_type_it_has() {
    let database = database();
    check_error(
        database.update_table(with_index("by-goals-alone", "goals", "S")),
        "ValidationException",
        "One or more parameter values were invalid: AttributeDefinitions cannot change the type of \
         an existing key attribute. Attribute: goals, Existing type: N, Requested type: S",
    );
    let table = describe(&database, "roster");
    let goals = table.attribute_definitions.iter().find(|known| known.name == "goals").unwrap();
    assert_eq!(goals.scalar_type.as_str(), "N");
}

#[test]
fn an_index_name_is_taken_once_and_local_indexes_stay() {
    let database = database();
    check_error(
        database.update_table(with_index("by-city", "rank", "S")),
        "ValidationException",
        "Attempting to create an index which already exists",
    );
    check_error(
        database.update_table(UpdateTable::new("roster").delete_index("by-goals")),
        "ValidationException",
        "Cannot delete an index that is not a GlobalSecondaryIndex: by-goals",
    );
}

#[test]
fn indexes_come_and_go_one_at_a_time_and_all_or_nothing() {
    let database = database();
    let before = describe(&database, "roster");
    check_error(
        database.update_table(with_index("by-rank", "rank", "S").delete_index("by-city")),
        "LimitExceededException",
        "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously \
         per table",
    );
    assert_eq!(describe(&database, "roster"), before);
}

#[test]
fn a_table_has_twenty_global_indexes_at_most() {
    let database = database();
    for number in 1..20 {
        database.update_table(with_index(&format!("index-{number}"), "rank", "S")).unwrap();
    }
    let outcome = database.update_table(with_index("index-20", "rank", "S"));
    assert_eq!(outcome.unwrap_err().code(), "LimitExceededException");
    assert_eq!(describe(&database, "roster").global_secondary_indexes.len(), 20);
}

#[test]
fn throughput_changes_with_the_table_and_its_indexes() {
    let database = provisioned();
    let change = UpdateTable::new("roster").provisioned_throughput(units(7));
    let answer = database.update_table(change.clone()).unwrap().table_description;
    assert_eq!(answer.provisioned_throughput, units(5));
    assert_eq!(describe(&database, "roster").provisioned_throughput, units(7));
    check_error(
        database.update_table(change),
        "ValidationException",
        "The provisioned throughput for the table will not change. The requested value equals the \
         current value. Current ReadCapacityUnits provisioned for the table: 7. Requested \
         ReadCapacityUnits: 7. Current WriteCapacityUnits provisioned for the table: 7. Requested \
         WriteCapacityUnits: 7. Refer to the Amazon DynamoDB Developer Guide for current limits and \
         how to request higher limits.",
    );
    let index = IndexUpdate::provision("by-city", units(9));
    let answer = database.update_table(UpdateTable::new("roster").index_update(index)).unwrap();
    let index = &answer.table_description.global_secondary_indexes[0];
    assert_eq!(
        (index.index_status, index.provisioned_throughput),
        (IndexStatus::Updating, units(3))
    );
    let table = describe(&database, "roster");
    assert_eq!(table.global_secondary_indexes[0].provisioned_throughput, units(9));
}

#[test]
fn billing_changes_to_demand_and_back() {
    let database = provisioned();
    let on_demand = UpdateTable::new("roster").billing_mode(BillingMode::PayPerRequest);
    database.update_table(on_demand.clone()).unwrap();
    let table = describe(&database, "roster");
    assert_eq!(table.billing_mode, BillingMode::PayPerRequest);
    assert_eq!(table.provisioned_throughput, units(0));
    assert_eq!(table.global_secondary_indexes[0].provisioned_throughput, units(0));
    database.update_table(on_demand).unwrap();
    check_error(
        database.update_table(UpdateTable::new("roster").provisioned_throughput(units(5))),
        "ValidationException",
        "One or more parameter values were invalid: Neither ReadCapacityUnits nor \
         WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST",
    );

    let back = UpdateTable::new("roster")
        .billing_mode(BillingMode::Provisioned)
        .provisioned_throughput(units(5));
    check_error(
        database.update_table(back.clone()),
        "ValidationException",
        "One or more parameter values were invalid: ProvisionedThroughput must be specified for \
         index: by-city",
    );
    let index = IndexUpdate::provision("by-city", units(5));
    database.update_table(back.index_update(index)).unwrap();
    assert_eq!(describe(&database, "roster").billing_mode, BillingMode::Provisioned);
}

#[test]
fn the_storage_class_is_kept() {
    let database = database();
    let class = TableClass::StandardInfrequentAccess;
    database.update_table(UpdateTable::new("roster").table_class(class)).unwrap();
    assert_eq!(describe(&database, "roster").table_class, class);
}

#[test]
fn only_a_table_that_exists_changes() {
    check_error(
        Database::memory().update_table(UpdateTable::new("roster").deletion_protection(true)),
        "ResourceNotFoundException",
        "Requested resource not found: Table: roster not found",
    );
}
