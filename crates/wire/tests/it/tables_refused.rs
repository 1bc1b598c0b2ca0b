//! Requests for tables that are refused, with AWS's messages.

use monotable_wire::Operation;

use crate::fixture::{World, check_refusals, error_body};

const VALIDATION: &str = "ValidationException";
const INVALID: &str = "One or more parameter values were invalid: ";
const MISSING_NAME: &str =
    "The parameter 'TableName' is required but was not present in the request";

/// Returns AWS's message for one broken constraint.
fn broken(value: &str, path: &str, rule: &str) -> String {
    format!("Value {value} at '{path}' failed to satisfy constraint: Member must {rule}")
}

fn one(constraint: &str) -> String {
    format!("1 validation error detected: {constraint}")
}

fn null(path: &str) -> String {
    broken("null", path, "not be null")
}

#[track_caller]
fn check_invalid(operation: &str, body: &str, message: &str) {
    check_refusals(&[(operation, body, VALIDATION, message)]);
}

/// Returns a table with the key `id` and `more` members.
fn create(more: &str) -> String {
    format!(
        r#"{{"TableName":"fresh","BillingMode":"PAY_PER_REQUEST",
            "AttributeDefinitions":[{{"AttributeName":"id","AttributeType":"S"}}],
            "KeySchema":[{{"AttributeName":"id","KeyType":"HASH"}}],{more}}}"#
    )
}

/// Returns a table with the key `id` and an index that has `more` members.
fn create_index(more: &str) -> String {
    create(&format!(
        r#""GlobalSecondaryIndexes":[{{"IndexName":"by-id",
            "KeySchema":[{{"AttributeName":"id","KeyType":"HASH"}}]{more}}}]"#
    ))
}

fn update(more: &str) -> String {
    format!(r#"{{"TableName":"league",{more}}}"#)
}

#[test]
fn a_wrong_table_name_is_reported_alone() {
    for operation in ["CreateTable", "DescribeTable", "DeleteTable", "UpdateTable"] {
        check_invalid(operation, "{}", MISSING_NAME);
        let short = one(&broken("'ab'", "tableName", "have length greater than or equal to 3"));
        check_invalid(operation, r#"{"TableName":"ab"}"#, &short);
        let pattern = "satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
        let pattern = one(&broken("'a table'", "tableName", pattern));
        check_invalid(operation, r#"{"TableName":"a table"}"#, &pattern);
    }
}

#[test]
fn missing_tables_are_not_found() {
    let not_found = "Requested resource not found: Table: nowhere not found";
    for (operation, more) in [
        ("DescribeTable", ""),
        ("DeleteTable", ""),
        ("UpdateTable", r#","BillingMode":"PAY_PER_REQUEST""#),
    ] {
        let body = format!(r#"{{"TableName":"nowhere"{more}}}"#);
        check_refusals(&[(operation, &body, "ResourceNotFoundException", not_found)]);
    }
}

#[test]
fn a_table_is_created_once() {
    let body = create(r#""Tags":[]"#).replace("fresh", "league");
    let message = "Table already exists: league";
    check_refusals(&[("CreateTable", &body, "ResourceInUseException", message)]);
}

#[test]
fn missing_members_of_a_new_table_are_listed() {
    let message = format!(
        "2 validation errors detected: {}; {}",
        null("keySchema"),
        null("attributeDefinitions")
    );
    check_invalid("CreateTable", r#"{"TableName":"fresh"}"#, &message);
    let body = r#"{"TableName":"fresh","BillingMode":"FREE",
        "ProvisionedThroughput":{"ReadCapacityUnits":0},
        "KeySchema":[{"AttributeName":"id","KeyType":"INVALID"},{}],
        "AttributeDefinitions":[{"AttributeName":"id","AttributeType":"X"}],
        "GlobalSecondaryIndexes":[{}]}"#;
    let constraints = [
        broken("'FREE'", "billingMode", "satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]"),
        null("provisionedThroughput.writeCapacityUnits"),
        broken(
            "'0'",
            "provisionedThroughput.readCapacityUnits",
            "have value greater than or equal to 1",
        ),
        broken("'INVALID'", "keySchema.1.member.keyType", "satisfy enum value set: [HASH, RANGE]"),
        null("keySchema.2.member.attributeName"),
        null("keySchema.2.member.keyType"),
        broken(
            "'X'",
            "attributeDefinitions.1.member.attributeType",
            "satisfy enum value set: [B, N, S]",
        ),
        null("globalSecondaryIndexes.1.member.projection"),
        null("globalSecondaryIndexes.1.member.indexName"),
        null("globalSecondaryIndexes.1.member.keySchema"),
    ];
    let message = format!("10 validation errors detected: {}", constraints.join("; "));
    check_invalid("CreateTable", body, &message);
}

#[test]
fn projections_are_checked() {
    let projection = |projection: &str| create_index(&format!(r#","Projection":{projection}"#));
    let path = "globalSecondaryIndexes.1.member.projection";
    for (given, message) in [
        ("{}", format!("{INVALID}Unknown ProjectionType: null")),
        (
            r#"{"ProjectionType":"ALL","NonKeyAttributes":["a"]}"#,
            format!("{INVALID}ProjectionType is ALL, but NonKeyAttributes is specified"),
        ),
        (
            r#"{"ProjectionType":"KEYS_ONLY","NonKeyAttributes":["a"]}"#,
            format!("{INVALID}ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified"),
        ),
        (
            r#"{"ProjectionType":"INCLUDE"}"#,
            format!("{INVALID}ProjectionType is INCLUDE, but NonKeyAttributes is not specified"),
        ),
        (
            r#"{"ProjectionType":"INCLUDE","NonKeyAttributes":[]}"#,
            one(&broken(
                "'[]'",
                &format!("{path}.nonKeyAttributes"),
                "have length greater than or equal to 1",
            )),
        ),
        (
            r#"{"ProjectionType":"SOME"}"#,
            one(&broken(
                "'SOME'",
                &format!("{path}.projectionType"),
                "satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]",
            )),
        ),
    ] {
        check_invalid("CreateTable", &projection(given), &message);
    }
}

#[test]
fn streams_and_their_view_types_go_together() {
    let stream = |stream: &str| format!(r#""StreamSpecification":{stream}"#);
    let enabled = stream(r#"{"StreamEnabled":true}"#);
    let disabled = stream(r#"{"StreamEnabled":false,"StreamViewType":"KEYS_ONLY"}"#);
    let null = one(&null("streamSpecification.streamEnabled"));
    let message = "Table is being created with a stream enabled, UpdateViewType is required";
    check_invalid("CreateTable", &create(&enabled), &format!("{INVALID}{message}"));
    let message = "Table is being created with a stream disabled, UpdateViewType should not be \
                   specified";
    check_invalid("CreateTable", &create(&disabled), &format!("{INVALID}{message}"));
    check_invalid("CreateTable", &create(&stream("{}")), &null);
    let message = "If stream is being enabled then UpdateViewType is required";
    check_invalid("UpdateTable", &update(&enabled), &format!("{INVALID}{message}"));
    let message = "If stream is being disabled, then UpdateViewType must not be specified";
    check_invalid("UpdateTable", &update(&disabled), &format!("{INVALID}{message}"));
    check_invalid("UpdateTable", &update(&stream("{}")), &null);
    let message = "Table has no stream to disable: TableName: league";
    check_invalid("UpdateTable", &update(&stream(r#"{"StreamEnabled":false}"#)), message);
}

#[test]
fn classes_and_tags_are_checked() {
    let message = "Invalid table-class parameter provided. Please try again with a valid \
                   table-class value: [STANDARD, STANDARD_INFREQUENT_ACCESS].";
    check_invalid("CreateTable", &create(r#""TableClass":"COLD""#), message);
    check_invalid("UpdateTable", &update(r#""TableClass":"COLD""#), message);
    let tags = r#""Tags":[{"Key":"a","Value":"1"},{"Key":"a","Value":"2"}]"#;
    let message = "Duplicate Tag Keys provided as input: Duplicate Tag Key found a";
    check_invalid("CreateTable", &create(tags), message);
}

#[test]
fn an_update_makes_exactly_one_kind_of_change() {
    let message = "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, \
                   GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, \
                   MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, \
                   DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is \
                   required";
    check_invalid("UpdateTable", r#"{"TableName":"league"}"#, message);
    let updates = |updates: &str| update(&format!(r#""GlobalSecondaryIndexUpdates":{updates}"#));
    let message = format!("{INVALID}List of GlobalSecondaryIndexUpdates is empty");
    check_invalid("UpdateTable", &updates("[]"), &message);
    let message = format!(
        "{INVALID}One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, \
         GlobalSecondaryIndexUpdate.Delete must not be null"
    );
    check_invalid("UpdateTable", &updates("[{}]"), &message);
    let two = r#"[{"Delete":{"IndexName":"by-city"},
        "Update":{"IndexName":"by-city",
            "ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}}]"#;
    let message = format!(
        "{INVALID}Only one global secondary index action is allowed per \
         GlobalSecondaryIndexUpdate object"
    );
    check_invalid("UpdateTable", &updates(two), &message);
    let path = "globalSecondaryIndexUpdates.1.member.update";
    let message = format!(
        "2 validation errors detected: {}; {}",
        null(&format!("{path}.indexName")),
        null(&format!("{path}.provisionedThroughput"))
    );
    check_invalid("UpdateTable", &updates(r#"[{"Update":{}}]"#), &message);
}

#[test]
fn missing_indexes_are_not_found() {
    let body = update(r#""GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"by-none"}}]"#);
    let message = "Requested resource not found: Index by-none for table league";
    check_refusals(&[("UpdateTable", &body, "ResourceNotFoundException", message)]);
}

#[test]
fn pages_of_tables_have_1_to_100_names() {
    let limit = |limit: &str, rule: &str| one(&broken(&format!("'{limit}'"), "limit", rule));
    let least = limit("0", "have value greater than or equal to 1");
    check_invalid("ListTables", r#"{"Limit":0}"#, &least);
    let negative = limit("-5", "have value greater than or equal to 1");
    check_invalid("ListTables", r#"{"Limit":-5}"#, &negative);
    let most = limit("101", "have value less than or equal to 100");
    check_invalid("ListTables", r#"{"Limit":101}"#, &most);
    let path = "exclusiveStartTableName";
    let short = one(&broken("'ab'", path, "have length greater than or equal to 3"));
    check_invalid("ListTables", r#"{"ExclusiveStartTableName":"ab"}"#, &short);
}

#[test]
fn members_of_the_wrong_type_are_reported() {
    let package = "com.amazonaws.dynamodb.v20120810";
    for (member, message) in [
        (r#""TableName":1"#, "NUMBER_VALUE cannot be converted to String".to_owned()),
        (r#""KeySchema":{}"#, "Start of structure or map found where not expected".to_owned()),
        (r#""KeySchema":["x"]"#, "Unexpected value type in payload".to_owned()),
        (
            r#""KeySchema":[[]]"#,
            format!("Unrecognized collection type class {package}.KeySchemaElement"),
        ),
        (r#""ProvisionedThroughput":true"#, "Unexpected field type".to_owned()),
        (
            r#""ProvisionedThroughput":{"ReadCapacityUnits":"5"}"#,
            "STRING_VALUE cannot be converted to Long".to_owned(),
        ),
        (r#""Tags":7"#, "Unexpected field type".to_owned()),
        (
            r#""DeletionProtectionEnabled":1"#,
            "NUMBER_VALUE cannot be converted to Boolean".to_owned(),
        ),
    ] {
        let response = World::new().run(Operation::CreateTable, format!("{{{member}}}").as_bytes());
        assert_eq!(response, error_body("SerializationException", &message), "{member}");
    }
}

#[test]
fn a_key_attribute_keeps_its_type() {
    check_refusals(&[(
        "UpdateTable",
        r#"{"TableName":"league",
            "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"N"},
                {"AttributeName":"town","AttributeType":"S"}],
            "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"by-town",
                "KeySchema":[{"AttributeName":"town","KeyType":"HASH"}],
                "Projection":{"ProjectionType":"ALL"}}}]}"#,
        VALIDATION,
        "One or more parameter values were invalid: AttributeDefinitions cannot change the type of \
         an existing key attribute. Attribute: PK, Existing type: S, Requested type: N",
    )]);
}
