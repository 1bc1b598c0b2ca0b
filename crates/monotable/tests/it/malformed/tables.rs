//! Describing, listing, changing and deleting tables; expiry and tags.

use std::collections::BTreeMap;

use monotable::dynamodb::{
    BillingMode, CreateTable, DeleteTable, DescribeTable, DescribeTimeToLive, IndexDefinition,
    IndexUpdate, ListTables, ListTagsOfResource, ProvisionedThroughput, StreamUpdate,
    StreamViewType, TableClass, TagResource, UntagResource, UpdateTable, UpdateTimeToLive,
};

use super::{
    ABSENT, Message, NOT_FOUND, TABLE, VALIDATION, check, constraint, invalid, load, parameter,
    refused,
};
use crate::support::stores::on_both_stores;

const ARN: &str = "arn:aws:dynamodb:us-east-1:123456789012:table/teams";

fn units(units: u64) -> ProvisionedThroughput {
    ProvisionedThroughput { read_capacity_units: units, write_capacity_units: units }
}

fn change() -> UpdateTable {
    UpdateTable::new(TABLE)
}

fn create_index() -> IndexUpdate {
    IndexUpdate::Create(IndexDefinition::new("by-name", &["name"], &[]))
}

fn delete_index(name: &str) -> IndexUpdate {
    IndexUpdate::Delete { index_name: name.to_owned() }
}

/// Returns a change that defines the attribute of a new index.
fn defining_name() -> UpdateTable {
    change().attribute("name", "S").unwrap()
}

#[test]
fn operations_on_tables_name_one_that_exists() {
    check(|| {
        let text =
            || Message::Exactly(format!("Requested resource not found: Table: {ABSENT} not found"));
        vec![
            refused(NOT_FOUND, "describe", DescribeTable::new(ABSENT), text()),
            refused(NOT_FOUND, "delete", DeleteTable::new(ABSENT), text()),
            refused(
                NOT_FOUND,
                "update",
                UpdateTable::new(ABSENT).deletion_protection(true),
                text(),
            ),
            refused(NOT_FOUND, "expire", UpdateTimeToLive::enable(ABSENT, "ttl"), text()),
            refused(NOT_FOUND, "describe expiry", DescribeTimeToLive::new(ABSENT), text()),
        ]
    });
}

#[test]
fn operations_on_tables_name_one_that_could_exist() {
    check(|| {
        let least = "have length greater than or equal to 3";
        let pattern = "satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
        let from = |name: &str| ListTables {
            exclusive_start_table_name: Some(name.to_owned()),
            limit: None,
        };
        let page = |limit| ListTables { exclusive_start_table_name: None, limit: Some(limit) };
        vec![
            constraint("describe", DescribeTable::new("ab"), "ab", "tableName", least),
            constraint("delete", DeleteTable::new("ab"), "ab", "tableName", least),
            constraint("delete, blanks", DeleteTable::new("a b c"), "a b c", "tableName", pattern),
            constraint(
                "update",
                UpdateTable::new("ab").deletion_protection(true),
                "ab",
                "tableName",
                least,
            ),
            constraint("expire", UpdateTimeToLive::enable("ab", "ttl"), "ab", "tableName", least),
            constraint("list", from("ab"), "ab", "exclusiveStartTableName", least),
            constraint("list, blanks", from("a b c"), "a b c", "exclusiveStartTableName", pattern),
            constraint("no page", page(0), "0", "limit", "have value greater than or equal to 1"),
            constraint(
                "a long page",
                page(101),
                "101",
                "limit",
                "have value less than or equal to 100",
            ),
        ]
    });
}

#[test]
fn a_protected_table_is_not_deleted() {
    on_both_stores(|db| {
        load(db);
        db.update_table(change().deletion_protection(true)).unwrap();
        let refused = db.delete_table(DeleteTable::new(TABLE)).unwrap_err();
        assert_eq!(refused.code(), VALIDATION);
        assert_eq!(
            refused.to_string(),
            "Resource cannot be deleted as it is currently protected against deletion. Disable \
             deletion protection first."
        );
    });
}

#[test]
fn a_change_changes_one_thing() {
    check(|| {
        let only =
            |what: &str| format!("{what} modification must be the only operation in the request");
        let nothing = "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, \
                       GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, \
                       MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, \
                       DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass \
                       is required";
        let stream = StreamUpdate::Enable(StreamViewType::KeysOnly);
        vec![
            invalid("nothing", change(), nothing),
            invalid("only a definition", defining_name(), nothing),
            parameter(
                "protection and billing",
                change().deletion_protection(true).billing_mode(BillingMode::PayPerRequest),
                &only("DeletionProtection"),
            ),
            parameter(
                "class and protection",
                change().deletion_protection(true).table_class(TableClass::Standard),
                &only("TableClass"),
            ),
            parameter(
                "stream and capacity",
                change().stream(stream).provisioned_throughput(units(5)),
                "You cannot modify stream status while updating table IOPS",
            ),
            parameter(
                "index and capacity",
                change().index_update(delete_index("by-city")).provisioned_throughput(units(5)),
                "You cannot create or delete index while updating table IOPS",
            ),
            parameter(
                "index and stream",
                change().index_update(delete_index("by-city")).stream(stream),
                "You cannot create or delete index while changing stream status",
            ),
        ]
    });
}

#[test]
fn a_change_of_billing_names_its_capacity() {
    check(|| {
        vec![
            parameter(
                "provisioned without",
                change().billing_mode(BillingMode::Provisioned),
                "ProvisionedThroughput must be specified when BillingMode is PROVISIONED",
            ),
            parameter(
                "on demand with",
                change().billing_mode(BillingMode::PayPerRequest).provisioned_throughput(units(5)),
                "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode \
                 is PAY_PER_REQUEST",
            ),
            parameter(
                "indexes without",
                change().billing_mode(BillingMode::Provisioned).provisioned_throughput(units(5)),
                "ProvisionedThroughput must be specified for index: by-city",
            ),
        ]
    });
}

#[test]
fn unchanged_capacity_is_refused() {
    on_both_stores(|db| {
        let table = CreateTable {
            billing_mode: None,
            provisioned_throughput: Some(units(5)),
            ..CreateTable::new("provisioned").partition_key("id", "S").unwrap()
        };
        db.create_table(table).unwrap();
        let request = UpdateTable::new("provisioned").provisioned_throughput(units(5));
        let refused = db.update_table(request).unwrap_err();
        assert_eq!(refused.code(), VALIDATION);
        assert_eq!(
            refused.to_string(),
            "The provisioned throughput for the table will not change. The requested value equals \
             the current value. Current ReadCapacityUnits provisioned for the table: 5. Requested \
             ReadCapacityUnits: 5. Current WriteCapacityUnits provisioned for the table: 5. \
             Requested WriteCapacityUnits: 5. Refer to the Amazon DynamoDB Developer Guide for \
             current limits and how to request higher limits."
        );
    });
}

#[test]
fn changes_of_indexes_name_existing_indexes() {
    check(|| {
        let existing = IndexUpdate::Create(IndexDefinition::new("by-city", &["name"], &[]));
        let missing = format!("Requested resource not found: Index by-name for table {TABLE}");
        let two =
            change().index_update(delete_index("by-city")).index_update(delete_index("by-logo"));
        vec![
            parameter(
                "no definitions",
                change().index_update(create_index()),
                "AttributeDefinitions is not specified for index: by-name",
            ),
            parameter(
                "one index twice",
                change().index_update(create_index()).index_update(delete_index("by-name")),
                "Only one global secondary index update per index is allowed simultaneously. Index: \
                 by-name",
            ),
            invalid(
                "create what exists",
                defining_name().index_update(existing),
                "Attempting to create an index which already exists",
            ),
            refused(
                NOT_FOUND,
                "delete what does not exist",
                change().index_update(delete_index("by-name")),
                Message::Exactly(missing),
            ),
            invalid(
                "delete a local index",
                change().index_update(delete_index("local")),
                "Cannot delete an index that is not a GlobalSecondaryIndex: local",
            ),
            refused(
                "LimitExceededException",
                "delete two",
                two,
                Message::Exactly(
                    "Subscriber limit exceeded: Only 1 online index can be created or deleted \
                     simultaneously per table"
                        .to_owned(),
                ),
            ),
        ]
    });
}

#[test]
fn a_stream_starts_once_and_ends_once() {
    on_both_stores(|db| {
        load(db);
        let refusal = |update| {
            let refused = db.update_table(change().stream(update)).unwrap_err();
            assert_eq!(refused.code(), VALIDATION);
            refused.to_string()
        };
        let disabled = format!("Table has no stream to disable: TableName: {TABLE}");
        assert_eq!(refusal(StreamUpdate::Disable), disabled);
        let enable = |kind| StreamUpdate::Enable(kind);
        db.update_table(change().stream(enable(StreamViewType::KeysOnly))).unwrap();
        let enabled = format!("Table already has an enabled stream: TableName: {TABLE}");
        assert_eq!(refusal(enable(StreamViewType::NewImage)), enabled);
        db.update_table(change().stream(StreamUpdate::Disable)).unwrap();
        assert_eq!(refusal(StreamUpdate::Disable), disabled);
    });
}

#[test]
fn expiry_is_switched_by_its_attribute() {
    on_both_stores(|db| {
        load(db);
        let refusal = |request| {
            let refused = db.update_time_to_live(request).unwrap_err();
            assert_eq!(refused.code(), VALIDATION);
            refused.to_string()
        };
        let (enable, disable) = (UpdateTimeToLive::enable, UpdateTimeToLive::disable);
        assert_eq!(
            refusal(enable(TABLE, "")),
            "1 validation error detected: Value '' at 'timeToLiveSpecification.attributeName' \
             failed to satisfy constraint: Member must have length greater than or equal to 1"
        );
        assert_eq!(refusal(disable(TABLE, "ttl")), "TimeToLive is already disabled");
        db.update_time_to_live(enable(TABLE, "ttl")).unwrap();
        assert_eq!(refusal(enable(TABLE, "ttl")), "TimeToLive is already enabled");
        assert_eq!(
            refusal(disable(TABLE, "other")),
            "TimeToLive is active on a different AttributeName: current AttributeName is ttl"
        );
    });
}

#[test]
fn tags_belong_to_the_arn_of_a_table() {
    check(|| {
        let list = |arn: &str| ListTagsOfResource { resource_arn: arn.to_owned() };
        let tag = |key: &str, value: &str| TagResource {
            resource_arn: ARN.to_owned(),
            tags: BTreeMap::from([(key.to_owned(), value.to_owned())]),
        };
        let of_index = format!("{ARN}/index/by-city");
        let elsewhere = ARN.replace("us-east-1", "eu-west-1");
        let absent = ARN.replace(TABLE, ABSENT);
        let foreign = ARN.replace("123456789012", "210987654321");
        let long = "v".repeat(257);
        vec![
            invalid("no name", list(""), "Invalid TableArn"),
            parameter("only a name", list(TABLE), &format!("ARNs must start with 'arn:': {TABLE}")),
            parameter(
                "of another service",
                list("arn:aws:s3:::bucket"),
                "Provided Arn is not a DynamoDB resource arn: arn:aws:s3:::bucket",
            ),
            parameter(
                "of an index",
                list(&of_index),
                &format!(
                    "Invalid resource arn provided, only table or stream is accepted. Provided \
                     resource arn: {of_index}"
                ),
            ),
            invalid(
                "elsewhere",
                list(&elsewhere),
                format!("Invalid TableArn: Invalid ResourceArn provided as input {elsewhere}"),
            ),
            refused(
                NOT_FOUND,
                "of no table",
                list(&absent),
                Message::Exactly(format!(
                    "Requested resource not found: ResourceArn: {absent} not found"
                )),
            ),
            refused("AccessDeniedException", "of others", list(&foreign), Message::Unknown),
            invalid(
                "no tag",
                TagResource { resource_arn: ARN.to_owned(), tags: BTreeMap::new() },
                "Atleast one Tag needs to be provided as Input.",
            ),
            invalid(
                "no tag to remove",
                UntagResource { resource_arn: ARN.to_owned(), tag_keys: Vec::new() },
                "Atleast one Tag Key needs to be provided as Input.",
            ),
            invalid(
                "a long value",
                tag("k", &long),
                format!("The Tag Value provided is invalid, Value: {long}"),
            ),
            invalid(
                "a tag of AWS",
                tag("aws:k", "v"),
                "Tag Key cannot be prefixed with aws:, Key: aws:k",
            ),
        ]
    });
}
