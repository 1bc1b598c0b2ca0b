//! Tags and the expiry setting, and that everything survives a restart.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use monotable_engine::{
    CreateTable, Database, DescribeTimeToLive, Encryption, GetResourcePolicy, IndexDefinition,
    IndexUpdate, InsightsMode, ListTagsOfResource, OnDemandThroughput, Options, Projection,
    PutItem, PutResourcePolicy, ScalarType, StreamViewType, TagResource, UntagResource,
    UpdateContributorInsights, UpdateTable, UpdateTimeToLive, WarmThroughput, item,
};

use super::{check_error, count_in_index, database, describe, roster};

fn tags(keys: impl Iterator<Item = u32>) -> BTreeMap<String, String> {
    keys.map(|key| (format!("key{key:02}"), key.to_string())).collect()
}

fn list_tags(database: &Database, arn: &str) -> BTreeMap<String, String> {
    let request = ListTagsOfResource { resource_arn: arn.to_owned() };
    database.list_tags_of_resource(request).unwrap().tags
}

#[test]
fn key_schemas_name_the_keys_and_their_types() {
    let database = database();
    let table = database.key_schema("roster", None).unwrap();
    assert_eq!(table.partition_key().collect::<Vec<_>>(), [("PK", ScalarType::S)]);
    assert_eq!(table.sort_key().collect::<Vec<_>>(), [("SK", ScalarType::S)]);
    assert!(!table.is_of_global_index() && table.is_projected("anything"));

    let by_goals = database.key_schema("roster", Some("by-goals")).unwrap();
    assert_eq!(by_goals.partition_key().collect::<Vec<_>>(), [("PK", ScalarType::S)]);
    assert_eq!(by_goals.sort_key().collect::<Vec<_>>(), [("goals", ScalarType::N)]);
    assert!(!by_goals.is_of_global_index());

    let keys_only = IndexDefinition::new("by-sort", &["SK"], &[]).projection(Projection::KeysOnly);
    database
        .update_table(
            UpdateTable::new("roster").attribute("SK", "S").unwrap().create_index(keys_only),
        )
        .unwrap();
    let by_sort = database.key_schema("roster", Some("by-sort")).unwrap();
    assert!(by_sort.is_of_global_index() && by_sort.sort_key().next().is_none());
    assert!(by_sort.is_projected("PK") && !by_sort.is_projected("city"));

    let missing = database.key_schema("roster", Some("by-name"));
    check_error(
        missing,
        "ValidationException",
        "The table does not have the specified index: by-name",
    );
    let missing = database.key_schema("nowhere", None);
    check_error(missing, "ResourceNotFoundException", "Requested resource not found");
}

#[test]
fn tags_are_set_replaced_listed_and_removed() {
    let database = database();
    let resource_arn = describe(&database, "roster").table_arn;
    assert_eq!(list_tags(&database, &resource_arn), BTreeMap::new());
    let request = TagResource { resource_arn: resource_arn.clone(), tags: tags(0..25) };
    database.tag_resource(request).unwrap();
    assert_eq!(list_tags(&database, &resource_arn), tags(0..25));

    let replaced = BTreeMap::from([("key03".to_owned(), "new".to_owned())]);
    let request = TagResource { resource_arn: resource_arn.clone(), tags: replaced };
    database.tag_resource(request).unwrap();
    assert_eq!(list_tags(&database, &resource_arn)["key03"], "new");

    let tag_keys = (0..24).map(|key| format!("key{key:02}")).chain(["unknown".to_owned()]);
    let request =
        UntagResource { resource_arn: resource_arn.clone(), tag_keys: tag_keys.collect() };
    database.untag_resource(request).unwrap();
    assert_eq!(list_tags(&database, &resource_arn), tags(24..25));

    let request = TagResource { resource_arn: resource_arn.clone(), tags: tags(30..80) };
    check_error(
        database.tag_resource(request),
        "ValidationException",
        "Number of Tags exceed the current limit for the provided ResourceArn",
    );
    assert_eq!(list_tags(&database, &resource_arn), tags(24..25));
}

fn expiry(database: &Database) -> Option<String> {
    let request = DescribeTimeToLive::new("roster");
    database.describe_time_to_live(request).unwrap().attribute_name
}

#[test]
fn expiry_is_enabled_and_disabled() {
    let database = database();
    assert_eq!(expiry(&database), None);
    check_error(
        database.update_time_to_live(UpdateTimeToLive::disable("roster", "until")),
        "ValidationException",
        "TimeToLive is already disabled",
    );
    let enabled = database.update_time_to_live(UpdateTimeToLive::enable("roster", "until"));
    assert!(enabled.unwrap().enabled);
    assert_eq!(expiry(&database).as_deref(), Some("until"));
    check_error(
        database.update_time_to_live(UpdateTimeToLive::enable("roster", "until")),
        "ValidationException",
        "TimeToLive is already enabled",
    );
    check_error(
        database.update_time_to_live(UpdateTimeToLive::enable("roster", "other")),
        "ValidationException",
        "TimeToLive is active on a different AttributeName: current AttributeName is until",
    );
    database.update_time_to_live(UpdateTimeToLive::disable("roster", "until")).unwrap();
    assert_eq!(expiry(&database), None);
    assert!(database.check().unwrap().is_clean());
}

#[test]
fn an_expiry_setting_names_a_table_and_an_attribute() {
    check_error(
        database().update_time_to_live(UpdateTimeToLive::enable("roster", "")),
        "ValidationException",
        "1 validation error detected: Value '' at 'timeToLiveSpecification.attributeName' failed to \
         satisfy constraint: Member must have length greater than or equal to 1",
    );
    check_error(
        database().update_time_to_live(UpdateTimeToLive::enable("nowhere", "until")),
        "ResourceNotFoundException",
        "Requested resource not found: Table: nowhere not found",
    );
}

/// A directory of its own that goes away with the test.
struct Directory(PathBuf);

impl Directory {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("monotable-tables-{}-{number}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn tables_and_their_settings_survive_a_restart() {
    let directory = Directory::new();
    let open = || Database::open(&directory.0, Options::default()).unwrap();
    let database = open();
    database.create_table(roster().stream(StreamViewType::NewAndOldImages)).unwrap();
    for number in 0..700 {
        let key = format!("PLAYER#{number}");
        let player = item! { "PK" => "TEAM#1", "SK" => key, "rank" => "gold", "until" => number };
        // Only the last write needs to be waited for.
        let write = database.submit(PutItem::new("roster", player));
        if number == 699 {
            write.wait().unwrap();
        }
    }
    let resource_arn = describe(&database, "roster").table_arn;
    let request = TagResource { resource_arn: resource_arn.clone(), tags: tags(0..3) };
    database.tag_resource(request).unwrap();
    database.update_time_to_live(UpdateTimeToLive::enable("roster", "until")).unwrap();
    let index = IndexDefinition::new("by-rank", &["rank"], &[]);
    let request = UpdateTable::new("roster").attribute("rank", "S").unwrap().create_index(index);
    database.update_table(request).unwrap();
    // The index may still be filled in the background; the next process goes on with it.
    drop(database);

    let database = open();
    while describe(&database, "roster").table_status != monotable_engine::TableStatus::Active {
        std::thread::yield_now();
    }
    assert_eq!(count_in_index(&database, "by-rank", "rank", "gold"), Ok(700));
    assert_eq!(expiry(&database).as_deref(), Some("until"));
    assert_eq!(list_tags(&database, &resource_arn), tags(0..3));
    let before = describe(&database, "roster");
    assert_eq!(before.item_count, 700);
    assert!(before.stream.as_ref().is_some_and(|stream| stream.enabled));
    drop(database);
    assert_eq!(describe(&open(), "roster"), before);
    assert!(open().check().unwrap().is_clean());
}

#[test]
fn settings_of_production_tables_and_policies_survive_a_restart() {
    let directory = Directory::new();
    let open = || Database::open(&directory.0, Options::default()).unwrap();
    let database = open();
    let units = |units| OnDemandThroughput {
        max_read_request_units: Some(units),
        max_write_request_units: None,
    };
    let warm = WarmThroughput { read_units_per_second: Some(20_000), write_units_per_second: None };
    database
        .create_table(CreateTable {
            encryption: Encryption::Kms { key_id: None },
            on_demand_throughput: Some(units(10)),
            warm_throughput: Some(warm),
            resource_policy: Some("{}".to_owned()),
            ..roster().stream(StreamViewType::KeysOnly)
        })
        .unwrap();
    let index_settings = IndexUpdate::Update {
        index_name: "by-city".to_owned(),
        provisioned_throughput: None,
        on_demand_throughput: Some(units(7)),
        warm_throughput: Some(warm),
    };
    database.update_table(UpdateTable::new("roster").index_update(index_settings)).unwrap();
    for index_name in [None, Some("by-city".to_owned())] {
        let table_name = "roster".to_owned();
        let mode = Some(InsightsMode::ThrottledKeys);
        let enabled = true;
        let request = UpdateContributorInsights { table_name, index_name, enabled, mode };
        database.update_contributor_insights(request).unwrap();
    }
    let before = describe(&database, "roster");
    let stream_arn = before.stream.as_ref().unwrap().stream_arn.clone();
    let put = PutResourcePolicy {
        resource_arn: stream_arn.clone(),
        policy: "{\"of\":\"stream\"}".to_owned(),
        expected_revision_id: None,
    };
    database.put_resource_policy(put).unwrap();
    let policies = |database: &Database| {
        [&before.table_arn, &stream_arn].map(|resource_arn| {
            let request = GetResourcePolicy { resource_arn: resource_arn.clone() };
            database.get_resource_policy(request).unwrap().policy
        })
    };
    let kept = policies(&database);
    assert_eq!(
        (kept[0].document.as_str(), kept[1].document.as_str()),
        ("{}", "{\"of\":\"stream\"}")
    );
    drop(database);

    let database = open();
    let after = describe(&database, "roster");
    assert_eq!(after, before);
    assert!(after.kms_key_arn.is_some_and(|arn| arn.starts_with("arn:aws:kms:us-east-1:")));
    assert_eq!(after.on_demand_throughput, units(10));
    assert_eq!(after.warm_throughput.read_capacity_units, 20_000);
    let index = &after.global_secondary_indexes[0];
    assert_eq!(
        (index.on_demand_throughput, index.warm_throughput),
        (units(7), after.warm_throughput)
    );
    assert!(index.contributor_insights.is_some() && after.contributor_insights.is_some());
    assert_eq!(policies(&database), kept);
    assert!(database.check().unwrap().is_clean());
}
