//! Resource-based policies: stored with revisions, and enforced together with the permissions of
//! keys.

use monotable_wire::access::{Permissions, TablePattern};

use crate::fixture::{VALIDATION, World, check_refusals, error_body};

const TABLE: &str = "arn:aws:dynamodb:us-east-1:123456789012:table/plain";
const LEAGUE: &str = "arn:aws:dynamodb:us-east-1:123456789012:table/league";

/// Returns a document with one statement about the user of the test.
fn policy(effect: &str, actions: &str, resource: &str) -> String {
    format!(
        r#"{{"Version":"2012-10-17","Statement":[{{"Effect":"{effect}",
            "Principal":{{"AWS":"arn:aws:iam::123456789012:user/ada"}},
            "Action":{actions},"Resource":"{resource}"}}]}}"#
    )
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

fn put(arn: &str, policy: &str, more: &str) -> String {
    format!(r#"{{"ResourceArn":"{arn}","Policy":{}{more}}}"#, quoted(policy))
}

fn revision(response: &str) -> String {
    let (_, rest) = response.split_once(r#""RevisionId":""#).expect("a revision");
    rest.split('"').next().unwrap_or_default().to_owned()
}

#[test]
fn a_policy_is_kept_with_its_revision() {
    let world = World::new();
    let get = format!(r#"{{"ResourceArn":"{TABLE}"}}"#);
    let document = policy("Allow", r#""dynamodb:GetItem""#, TABLE);
    let first = revision(&world.answer("PutResourcePolicy", &put(TABLE, &document, "")));
    assert_eq!(
        world.answer("GetResourcePolicy", &get),
        format!(r#"{{"Policy":{},"RevisionId":"{first}"}}"#, quoted(&document))
    );
    let again = revision(&world.answer("PutResourcePolicy", &put(TABLE, &document, "")));
    assert_eq!(again, first, "the same document keeps its revision");
    let other = policy("Deny", r#""dynamodb:PutItem""#, TABLE);
    let second = revision(&world.answer("PutResourcePolicy", &put(TABLE, &other, "")));
    assert_ne!(second, first);
    assert_eq!(
        world.answer("DeleteResourcePolicy", &get),
        format!(r#"{{"RevisionId":"{second}"}}"#)
    );
    assert_eq!(world.answer("DeleteResourcePolicy", &get), "{}", "there is none to delete");
    let third = revision(&world.answer("PutResourcePolicy", &put(TABLE, &document, "")));
    assert!(third != first && third != second, "no revision comes twice");
}

#[test]
fn a_change_can_require_a_revision() {
    let world = World::new();
    let document = policy("Allow", r#""dynamodb:GetItem""#, TABLE);
    let other = policy("Allow", r#""dynamodb:Query""#, TABLE);
    let expected = |id: &str| format!(r#","ExpectedRevisionId":"{id}""#);
    let not_found = |id: &str| {
        error_body(
            "PolicyNotFoundException",
            &format!(
                "Resource-based policy with revision id {id} not found for the provided \
                 ResourceArn: {TABLE}"
            ),
        )
    };
    let call = |operation: &str, body: &str| world.call(operation, body.as_bytes());
    assert_eq!(
        call("PutResourcePolicy", &put(TABLE, &document, &expected("1"))),
        not_found("1"),
        "there is no policy"
    );
    let first =
        revision(&call("PutResourcePolicy", &put(TABLE, &document, &expected("NO_POLICY"))));
    assert_eq!(
        call("PutResourcePolicy", &put(TABLE, &other, &expected("NO_POLICY"))),
        not_found("NO_POLICY")
    );
    let second = revision(&call("PutResourcePolicy", &put(TABLE, &other, &expected(&first))));
    let delete = |id: &str| format!(r#"{{"ResourceArn":"{TABLE}"{}}}"#, expected(id));
    assert_eq!(call("DeleteResourcePolicy", &delete(&first)), not_found(&first));
    assert_eq!(revision(&call("DeleteResourcePolicy", &delete(&second))), second);
    assert_eq!(call("DeleteResourcePolicy", &delete(&second)), not_found(&second));
}

#[test]
fn what_is_not_a_policy_is_refused() {
    let invalid = |why: &str| {
        format!(
            "One or more parameter values were invalid: Policy is not a valid resource-based \
             policy: {why}"
        )
    };
    let nowhere = TABLE.replace("plain", "nowhere");
    let document = policy("Allow", r#""dynamodb:GetItem""#, TABLE);
    let long = format!("{document}{}", " ".repeat(20 << 10));
    check_refusals(&[
        (
            "PutResourcePolicy",
            &put(TABLE, "x", ""),
            VALIDATION,
            &invalid("the document is not JSON"),
        ),
        (
            "PutResourcePolicy",
            &put(TABLE, "{}", ""),
            VALIDATION,
            &invalid("a policy needs a Statement"),
        ),
        (
            "PutResourcePolicy",
            &put(TABLE, &long, ""),
            VALIDATION,
            "One or more parameter values were invalid: Policy is larger than the limit of 20 KB",
        ),
        (
            "PutResourcePolicy",
            &put(&nowhere, &document, ""),
            "ResourceNotFoundException",
            &format!("Requested resource not found: ResourceArn: {nowhere} not found"),
        ),
        (
            "PutResourcePolicy",
            "{}",
            VALIDATION,
            "2 validation errors detected: Value null at 'resourceArn' failed to satisfy constraint: Member must not be null; Value null at 'policy' failed to satisfy constraint: Member must not be null",
        ),
    ]);
}

#[test]
fn a_table_is_created_with_its_policy() {
    let world = World::new();
    let arn = TABLE.replace("plain", "fresh");
    let document = policy("Deny", r#""dynamodb:PutItem""#, &arn);
    world.answer(
        "CreateTable",
        &format!(
            r#"{{"TableName":"fresh","BillingMode":"PAY_PER_REQUEST","ResourcePolicy":{},
                "AttributeDefinitions":[{{"AttributeName":"id","AttributeType":"S"}}],
                "KeySchema":[{{"AttributeName":"id","KeyType":"HASH"}}]}}"#,
            quoted(&document)
        ),
    );
    let kept = world.answer("GetResourcePolicy", &format!(r#"{{"ResourceArn":"{arn}"}}"#));
    assert!(kept.starts_with(&format!(r#"{{"Policy":{}"#, quoted(&document))), "{kept}");
}

fn allow(action: &str, tables: &str) -> Permissions {
    Permissions::nothing().allow_action(action).allow_tables(TablePattern::parse(tables).unwrap())
}

const GET: &str = r#"{"TableName":"plain","Key":{"id":{"S":"a"}}}"#;

#[test]
fn a_policy_can_allow_more_than_the_key() {
    let world = World::new();
    let document = policy("Allow", r#"["dynamodb:GetItem"]"#, TABLE);
    world.answer("PutResourcePolicy", &put(TABLE, &document, ""));
    assert_eq!(world.call_as(Permissions::nothing(), "GetItem", GET), "{}");
    let by_arn = GET.replace("plain", TABLE);
    assert_eq!(world.call_as(Permissions::nothing(), "GetItem", &by_arn), "{}");
    for (operation, body) in [
        ("DeleteItem", GET.to_owned()),
        ("GetItem", GET.replace("plain", "numbers")),
        ("Scan", r#"{"TableName":"plain"}"#.to_owned()),
    ] {
        let response = world.call_as(Permissions::nothing(), operation, &body);
        assert!(response.contains("no identity-based policy allows"), "{response}");
    }
}

#[test]
fn a_policy_can_deny_what_the_key_allows() {
    let world = World::new();
    let document = policy("Deny", r#""dynamodb:*Item""#, TABLE);
    world.answer("PutResourcePolicy", &put(TABLE, &document, ""));
    let denied = |operation: &str, body: &str| {
        let response = world.call_as(Permissions::everything(), operation, body);
        response.contains("with an explicit deny in a resource-based policy")
    };
    assert!(denied("GetItem", GET));
    assert!(denied("GetItem", &GET.replace("plain", TABLE)), "by ARN too");
    let foreign = TABLE.replace("arn:aws:", "arn:aws-cn:");
    assert!(denied("GetItem", &GET.replace("plain", &foreign)), "by every ARN of the table");
    assert!(denied("TransactGetItems", &format!(r#"{{"TransactItems":[{{"Get":{GET}}}]}}"#),));
    assert!(denied("BatchGetItem", r#"{"RequestItems":{"plain":{"Keys":[{"id":{"S":"a"}}]}}}"#));
    assert!(!denied("Scan", r#"{"TableName":"plain"}"#), "other actions are not denied");
    assert!(!denied("GetItem", &GET.replace("plain", "absent")), "other tables are not");
    world.answer("DeleteResourcePolicy", &format!(r#"{{"ResourceArn":"{TABLE}"}}"#));
    assert!(!denied("GetItem", GET));
}

#[test]
fn an_index_and_a_statement_are_resources_and_actions_of_their_own() {
    let world = World::new();
    let document = policy(
        "Deny",
        r#"["dynamodb:Query","dynamodb:PartiQLSelect"]"#,
        &format!("{LEAGUE}/index/by-city"),
    );
    world.answer("PutResourcePolicy", &put(LEAGUE, &document, ""));
    let query = |more: &str| {
        let body = format!(
            r#"{{"TableName":"league",{more},"ExpressionAttributeValues":{{":v":{{"S":"a"}}}}}}"#
        );
        world.call_as(Permissions::everything(), "Query", &body)
    };
    let of_index = query(r#""IndexName":"by-city","KeyConditionExpression":"city = :v""#);
    assert!(of_index.contains("explicit deny"), "{of_index}");
    let of_table = query(r#""KeyConditionExpression":"PK = :v""#);
    assert!(of_table.contains(r#""Count":0"#), "{of_table}");
    let select = |from: &str| {
        let body = format!(r#"{{"Statement":"SELECT * FROM {from} WHERE city = 'a'"}}"#);
        world.call_as(Permissions::everything(), "ExecuteStatement", &body)
    };
    assert!(select(r#"\"league\".\"by-city\""#).contains("explicit deny"));
    assert!(select(r#"\"league\""#).contains("Items"));
}

#[test]
fn without_a_policy_the_permissions_decide() {
    let world = World::new();
    assert_eq!(world.call_as(allow("GetItem", "plain"), "GetItem", GET), "{}");
    let response = world.call_as(allow("GetItem", "league"), "GetItem", GET);
    assert!(response.contains("no identity-based policy allows"), "{response}");
}
