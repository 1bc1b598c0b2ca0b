//! Megabytes of elements where a handful is meant. What takes the square of their number would keep
//! a thread busy for hours.

use crate::fixture::World;

const COUNT: usize = 100_000;

fn many(one: impl Fn(usize) -> String) -> String {
    (0..COUNT).map(one).collect::<Vec<_>>().join(",")
}

fn names() -> String {
    many(|number| format!(r#""a{number}""#))
}

fn members(value: &str) -> String {
    many(|number| format!(r#""a{number}":{value}"#))
}

fn elements(element: &str) -> String {
    many(|number| element.replace('#', &number.to_string()))
}

/// Operation, members besides the table's name, and the status.
fn cases() -> Vec<(&'static str, String, u16)> {
    let key = r#""Key":{"id":{"S":"there"}}"#;
    let evil = r#""Item":{"id":{"S":"evil"}}"#;
    let condition = r#"{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}"#;
    let schema = r#""KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]"#;
    let index = format!(r#"{{"IndexName":"i#",{schema},"Projection":{{}}}}"#);
    let definition = r#"{"AttributeName":"a#","AttributeType":"S"}"#;
    let definitions = elements(definition);
    let arn = r#""ResourceArn":"arn:aws:dynamodb:us-east-1:123456789012:table/plain""#;
    let numbers = many(|number| format!(r#""{number:08}""#));
    let set =
        |name, elements| format!(r#""Item":{{"id":{{"S":"evil"}},"s":{{"{name}":[{elements}]}}}}"#);
    let aliases = many(|number| format!(r##""#a{number}":"a{number}""##));
    let values = many(|number| format!(r#"":a{number}":{{"S":"x"}}"#));
    let keys = elements(r#"{"id":{"S":"a#"}}"#);
    let deletes = elements(r#"{"DeleteRequest":{"Key":{"id":{"S":"a#"}}}}"#);
    let updates = members(r#"{"Action":"PUT","Value":{"S":"x"}}"#);
    let tags = elements(r#"{"Key":"k#","Value":"v"}"#);
    vec![
        ("GetItem", format!(r#"{key},"AttributesToGet":[{}]"#, names()), 400),
        (
            "GetItem",
            format!(
                r##"{key},"ProjectionExpression":"#n","ExpressionAttributeNames":{{{aliases}}}"##
            ),
            400,
        ),
        ("PutItem", set("SS", names()), 400),
        ("PutItem", set("NS", numbers.clone() + r#","7""#), 400),
        ("PutItem", set("BS", numbers), 400),
        (
            "PutItem",
            format!(
                r#"{evil},"ConditionExpression":"n = :a1","ExpressionAttributeValues":{{{values}}}"#
            ),
            400,
        ),
        ("PutItem", format!(r#"{evil},"Expected":{{{}}}"#, members(condition)), 400),
        ("UpdateItem", format!(r#"{key},"AttributeUpdates":{{{updates}}}"#), 400),
        ("BatchGetItem", format!(r#""RequestItems":{{"plain":{{"Keys":[{keys}]}}}}"#), 400),
        ("BatchWriteItem", format!(r#""RequestItems":{{"plain":[{deletes}]}}"#), 400),
        (
            "CreateTable",
            format!(
                r#"{schema},"AttributeDefinitions":[{}],"GlobalSecondaryIndexes":[{}]"#,
                definition,
                elements(&index)
            ),
            400,
        ),
        ("CreateTable", format!(r#"{schema},"AttributeDefinitions":[{definitions}]"#), 400),
        ("UpdateTable", format!(r#""AttributeDefinitions":[{definitions}]"#), 400),
        ("TagResource", format!(r#"{arn},"Tags":[{tags}]"#), 400),
        ("UntagResource", format!(r#"{arn},"TagKeys":[{}]"#, names()), 200),
    ]
}

#[test]
fn many_elements_are_answered_in_good_time() {
    let world = World::new();
    for (operation, members, status) in cases() {
        // The client's own patience is the measure.
        let answer = world.ask(operation, format!(r#"{{"TableName":"plain",{members}}}"#));
        let shown: String = answer.text().chars().take(200).collect();
        assert_eq!(answer.status, status, "{operation}: {shown}");
        world.assert_serves();
    }
    assert!(!world.has("evil"));
}
