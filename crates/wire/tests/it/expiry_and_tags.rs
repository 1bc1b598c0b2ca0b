//! UpdateTimeToLive, DescribeTimeToLive; TagResource, UntagResource, ListTagsOfResource.

use expect_test::{Expect, expect};

use crate::fixture::{Refusal, World, check_refusals};

#[track_caller]
fn check(world: &World, operation: &str, body: &str, expected: Expect) {
    expected.assert_eq(&world.call(operation, body.as_bytes()));
}

#[test]
fn expiry_is_enabled_and_disabled() {
    let world = World::new();
    let describe = r#"{"TableName":"plain"}"#;
    check(
        &world,
        "DescribeTimeToLive",
        describe,
        expect![[r#"{"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}}"#]],
    );
    let update = |enabled: bool| {
        format!(
            r#"{{"TableName":"plain",
                "TimeToLiveSpecification":{{"Enabled":{enabled},"AttributeName":"end"}}}}"#
        )
    };
    check(
        &world,
        "UpdateTimeToLive",
        &update(true),
        expect![[r#"{"TimeToLiveSpecification":{"Enabled":true,"AttributeName":"end"}}"#]],
    );
    check(
        &world,
        "DescribeTimeToLive",
        describe,
        expect![[
            r#"{"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"end"}}"#
        ]],
    );
    check(
        &world,
        "UpdateTimeToLive",
        &update(true),
        expect![[
            r#"{"__type":"com.amazon.coral.validate#ValidationException","message":"TimeToLive is already enabled"}"#
        ]],
    );
    check(
        &world,
        "UpdateTimeToLive",
        &update(false),
        expect![[r#"{"TimeToLiveSpecification":{"Enabled":false,"AttributeName":"end"}}"#]],
    );
    check(
        &world,
        "UpdateTimeToLive",
        &update(false),
        expect![[
            r#"{"__type":"com.amazon.coral.validate#ValidationException","message":"TimeToLive is already disabled"}"#
        ]],
    );
}

#[test]
fn malformed_requests_for_expiry_are_refused() {
    let validation = "ValidationException";
    let not_found = "ResourceNotFoundException";
    let refusals: &[Refusal<'_>] = &[
        (
            "UpdateTimeToLive",
            "{}",
            validation,
            "The parameter 'TableName' is required but was not present in the request",
        ),
        (
            "UpdateTimeToLive",
            r#"{"TableName":"plain"}"#,
            validation,
            "1 validation error detected: Value null at 'timeToLiveSpecification' failed to satisfy constraint: Member must not be null",
        ),
        (
            "UpdateTimeToLive",
            r#"{"TableName":"plain","TimeToLiveSpecification":{}}"#,
            validation,
            "2 validation errors detected: Value null at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must not be null; Value null at 'timeToLiveSpecification.enabled' failed to satisfy constraint: Member must not be null",
        ),
        (
            "UpdateTimeToLive",
            r#"{"TableName":"plain","TimeToLiveSpecification":{"Enabled":true,"AttributeName":""}}"#,
            validation,
            "1 validation error detected: Value '' at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must have length greater than or equal to 1",
        ),
        (
            "UpdateTimeToLive",
            r#"{"TableName":"nowhere","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"end"}}"#,
            not_found,
            "Requested resource not found: Table: nowhere not found",
        ),
        (
            "UpdateTimeToLive",
            r#"{"TableName":"plain","TimeToLiveSpecification":[]}"#,
            "SerializationException",
            "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.TimeToLiveSpecification",
        ),
        (
            "DescribeTimeToLive",
            r#"{"TableName":"ab"}"#,
            validation,
            "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3",
        ),
        (
            "DescribeTimeToLive",
            r#"{"TableName":"nowhere"}"#,
            not_found,
            "Requested resource not found: Table: nowhere not found",
        ),
    ];
    check_refusals(refusals);
}

const ARN: &str = "arn:aws:dynamodb:us-east-1:123456789012:table/plain";

#[test]
fn tags_are_set_replaced_and_removed() {
    let world = World::new();
    let list = format!(r#"{{"ResourceArn":"{ARN}"}}"#);
    check(&world, "ListTagsOfResource", &list, expect![[r#"{"Tags":[]}"#]]);
    let tag = |tags: &str| format!(r#"{{"ResourceArn":"{ARN}","Tags":[{tags}]}}"#);
    let tags = r#"{"Key":"stage","Value":"test"},{"Key":"team","Value":""}"#;
    check(&world, "TagResource", &tag(tags), expect![""]);
    check(&world, "TagResource", &tag(r#"{"Key":"stage","Value":"live"}"#), expect![""]);
    check(
        &world,
        "ListTagsOfResource",
        &list,
        expect![[r#"{"Tags":[{"Key":"stage","Value":"live"},{"Key":"team","Value":""}]}"#]],
    );
    let untag = format!(r#"{{"ResourceArn":"{ARN}","TagKeys":["stage","unknown"]}}"#);
    check(&world, "UntagResource", &untag, expect![""]);
    check(
        &world,
        "ListTagsOfResource",
        &list,
        expect![[r#"{"Tags":[{"Key":"team","Value":""}]}"#]],
    );
}

#[test]
fn fifty_tags_are_listed_at_once() {
    let world = World::new();
    let tags: Vec<String> = (10..60).map(|at| format!(r#"{{"Key":"{at}","Value":"x"}}"#)).collect();
    let body = format!(r#"{{"ResourceArn":"{ARN}","Tags":[{}]}}"#, tags.join(","));
    assert_eq!(world.answer("TagResource", &body), "");
    let listed = world.answer("ListTagsOfResource", &format!(r#"{{"ResourceArn":"{ARN}"}}"#));
    assert_eq!(listed, format!(r#"{{"Tags":[{}]}}"#, tags.join(",")));
}

#[test]
fn malformed_requests_for_tags_are_refused() {
    let validation = "ValidationException";
    let with_arn = |rest: &str| format!(r#"{{"ResourceArn":"{ARN}"{rest}}}"#);
    let nowhere = ARN.replace("plain", "nowhere");
    let not_found = format!("Requested resource not found: ResourceArn: {nowhere} not found");
    let refusals: &[Refusal<'_>] = &[
        (
            "TagResource",
            &with_arn(""),
            validation,
            "1 validation error detected: Value null at 'tags' failed to satisfy constraint: Member must not be null",
        ),
        (
            "TagResource",
            &with_arn(r#","Tags":[]"#),
            validation,
            "Atleast one Tag needs to be provided as Input.",
        ),
        (
            "TagResource",
            &with_arn(r#","Tags":[{"Value":"x"}]"#),
            validation,
            "The Tag Key provided is invalid, Key: null",
        ),
        (
            "TagResource",
            &with_arn(r#","Tags":[{"Key":"x"}]"#),
            validation,
            "The Tag Value provided is invalid, Value: null",
        ),
        (
            "TagResource",
            &with_arn(r#","Tags":[{"Key":"","Value":"x"}]"#),
            validation,
            "The Tag Key provided is invalid, Key: ",
        ),
        (
            "TagResource",
            &with_arn(r#","Tags":[{"Key":"cost#center","Value":"x"}]"#),
            validation,
            "The Tag Key provided is invalid, Key: cost#center",
        ),
        (
            "TagResource",
            &with_arn(r#","Tags":[{"Key":"x","Value":"a;b"}]"#),
            validation,
            "The Tag Value provided is invalid, Value: a;b",
        ),
        (
            "TagResource",
            &with_arn(r#","Tags":[{"Key":"aws:x","Value":"x"}]"#),
            validation,
            "Tag Key cannot be prefixed with aws:, Key: aws:x",
        ),
        (
            "TagResource",
            &with_arn(r#","Tags":[{"Key":"a","Value":"x"},{"Key":"a","Value":"y"}]"#),
            validation,
            "Duplicate Tag Keys provided as input: Duplicate Tag Key found a",
        ),
        (
            "TagResource",
            r#"{"ResourceArn":"x","Tags":[{"Key":"a","Value":"x"}]}"#,
            validation,
            "One or more parameter values were invalid: ARNs must start with 'arn:': x",
        ),
        (
            "TagResource",
            &format!(r#"{{"ResourceArn":"{nowhere}","Tags":[{{"Key":"a","Value":"x"}}]}}"#),
            "ResourceNotFoundException",
            &not_found,
        ),
        (
            "UntagResource",
            &with_arn(""),
            validation,
            "1 validation error detected: Value null at 'tagKeys' failed to satisfy constraint: Member must not be null",
        ),
        (
            "UntagResource",
            &with_arn(r#","TagKeys":[]"#),
            validation,
            "Atleast one Tag Key needs to be provided as Input.",
        ),
        ("ListTagsOfResource", "{}", validation, "Invalid TableArn"),
        (
            "ListTagsOfResource",
            &format!(r#"{{"ResourceArn":"{nowhere}"}}"#),
            "ResourceNotFoundException",
            &not_found,
        ),
    ];
    check_refusals(refusals);
}

#[test]
fn tables_of_other_accounts_are_not_accessible() {
    let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/plain";
    let body = format!(r#"{{"ResourceArn":"{arn}"}}"#);
    let expected = expect![[
        r#"{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"User: arn:aws:iam::123456789012:root is not authorized to perform: dynamodb:ListTagsOfResource on resource: arn:aws:dynamodb:us-east-1:000000000000:table/plain"}"#
    ]];
    check(&World::new(), "ListTagsOfResource", &body, expected);
}
