//! Expressions and placeholders, in every operation that has them.

use std::collections::BTreeMap;

use monotable::dynamodb::{
    DeleteItem, GetItem, PutItem, Scan, Substitutions, TransactWriteItems, UpdateItem,
};

use super::{ABSENT, Case, TABLE, check, invalid, key, query, row, update, wrapped};

/// Returns a put to a table that does not exist, because expressions are checked first.
fn put(condition: &str) -> PutItem {
    PutItem::new(ABSENT, row()).condition(condition)
}

fn scan(filter: &str) -> Scan {
    Scan::new(ABSENT).filter(filter)
}

fn get(projection: &str) -> GetItem {
    GetItem::new(ABSENT, key()).projection(projection)
}

fn of_update(expression: &str) -> UpdateItem {
    UpdateItem { table_name: ABSENT.to_owned(), ..update(expression) }
}

#[test]
fn an_expression_is_not_empty() {
    check(|| {
        let empty = |kind: &str| format!("Invalid {kind}: The expression can not be empty;");
        vec![
            wrapped("condition of a put", put(""), empty("ConditionExpression")),
            wrapped(
                "condition of a delete",
                DeleteItem::new(ABSENT, key()).condition(""),
                empty("ConditionExpression"),
            ),
            wrapped(
                "condition of an update",
                of_update("REMOVE a").condition(""),
                empty("ConditionExpression"),
            ),
            wrapped("update", of_update(""), empty("UpdateExpression")),
            invalid("filter of a query", query().filter(""), empty("FilterExpression")),
            invalid("filter of a scan", scan(""), empty("FilterExpression")),
            invalid("projection of a get", get(""), empty("ProjectionExpression")),
            invalid(
                "projection of a scan",
                Scan::new(ABSENT).projection(""),
                empty("ProjectionExpression"),
            ),
            invalid("key condition", query().key_condition(""), empty("KeyConditionExpression")),
        ]
    });
}

#[test]
fn an_expression_has_four_kilobytes() {
    check(|| {
        let long = || format!("a{}", " ".repeat(4096));
        let without_size = |kind: &str| {
            format!("Invalid {kind}: Expression size has exceeded the maximum allowed size;")
        };
        let text = |kind: &str| format!("{} expression size: 4097", without_size(kind));
        vec![
            wrapped("condition", put(&long()), text("ConditionExpression")),
            wrapped("update", of_update(&long()), without_size("UpdateExpression")),
            invalid("filter", scan(&long()), text("FilterExpression")),
            invalid("projection", get(&long()), text("ProjectionExpression")),
            invalid("key condition", query().key_condition(long()), text("KeyConditionExpression")),
        ]
    });
}

#[test]
fn an_expression_is_of_its_language() {
    check(|| {
        let syntax = |kind: &str, token: &str, near: &str| {
            format!("Invalid {kind}: Syntax error; token: \"{token}\", near: \"{near}\"")
        };
        vec![
            wrapped("half a comparison", put("a ="), syntax("ConditionExpression", "<EOF>", "=")),
            wrapped("two names", put("a b"), syntax("ConditionExpression", "b", "a b")),
            invalid("an unknown sign", scan("a ! b"), syntax("FilterExpression", "!", "a ! b")),
            wrapped("no section", of_update("a = b"), syntax("UpdateExpression", "a", "a =")),
            invalid("a comma too many", get("a,"), syntax("ProjectionExpression", "<EOF>", ",")),
            wrapped(
                "redundant parentheses",
                put("((attribute_exists(a)))"),
                "Invalid ConditionExpression: The expression has redundant parentheses;",
            ),
            wrapped(
                "a section twice",
                of_update("REMOVE a REMOVE b"),
                "Invalid UpdateExpression: The \"REMOVE\" section can only be used once in an update \
                 expression;",
            ),
        ]
    });
}

#[test]
fn functions_and_operands_fit() {
    check(|| {
        let condition = |reason: &str| format!("Invalid ConditionExpression: {reason}");
        vec![
            wrapped(
                "an unknown function",
                put("exists(a)"),
                condition("Invalid function name; function: exists"),
            ),
            wrapped(
                "an operand too few",
                put("begins_with(a)"),
                condition(
                    "Incorrect number of operands for operator or function; operator or function: \
                     begins_with, number of operands: 1",
                ),
            ),
            wrapped(
                "a number for a prefix",
                put("begins_with(a, :v)").value(":v", 1),
                condition(
                    "Incorrect operand type for operator or function; operator or function: \
                     begins_with, operand type: N",
                ),
            ),
            wrapped(
                "bounds in the wrong order",
                put("a BETWEEN :hi AND :lo").value(":hi", 2).value(":lo", 1),
                condition(
                    "The BETWEEN operator requires upper bound to be greater than or equal to lower \
                     bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: \
                     AttributeValue: {N:1}",
                ),
            ),
            invalid(
                "a reserved word",
                scan("status = a"),
                "Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: \
                 status",
            ),
            wrapped(
                "paths that overlap",
                of_update("SET a = :v, a.b = :v").value(":v", 1),
                "Invalid UpdateExpression: Two document paths overlap with each other; must remove \
                 or rewrite one of these paths; path one: [a], path two: [a, b]",
            ),
            invalid(
                "projections that overlap",
                get("a, a[0]"),
                "Invalid ProjectionExpression: Two document paths overlap with each other; must \
                 remove or rewrite one of these paths; path one: [a], path two: [a, [0]]",
            ),
            wrapped(
                "ADD of a string",
                of_update("ADD a :v").value(":v", "x"),
                "Invalid UpdateExpression: Incorrect operand type for operator or function; \
                 operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND",
            ),
        ]
    });
}

#[test]
fn placeholders_are_defined() {
    check(|| {
        let name = |kind: &str| {
            format!(
                "Invalid {kind}: An expression attribute name used in the document path is not \
                 defined; attribute name: #n"
            )
        };
        let value = |kind: &str| {
            format!(
                "Invalid {kind}: An expression attribute value used in expression is not defined; \
                 attribute value: :v"
            )
        };
        vec![
            wrapped(
                "name in a condition",
                put("attribute_exists(#n)"),
                name("ConditionExpression"),
            ),
            wrapped("name in an update", of_update("REMOVE #n"), name("UpdateExpression")),
            invalid("name in a projection", get("#n"), name("ProjectionExpression")),
            wrapped("value in a condition", put("a = :v"), value("ConditionExpression")),
            wrapped("value in an update", of_update("SET a = :v"), value("UpdateExpression")),
            invalid("value in a filter", scan("a = :v"), value("FilterExpression")),
            invalid(
                "value in a key condition",
                query().key_condition("PK = :v"),
                value("KeyConditionExpression"),
            ),
        ]
    });
}

#[test]
fn placeholders_are_used() {
    check(|| {
        let names = "Value provided in ExpressionAttributeNames unused in expressions: keys: {#n}";
        let values =
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}";
        let both = |what, request: PutItem| -> Vec<Case> {
            vec![
                wrapped(what, request.clone().name("#n", "a"), names),
                wrapped(what, request.value(":v", 1), values),
            ]
        };
        let mut cases = both("put", put("attribute_exists(a)"));
        cases.extend([
            wrapped("update", of_update("REMOVE a").name("#n", "a"), names),
            wrapped("update", of_update("REMOVE a").value(":v", 1), values),
            invalid("query", query().name("#n", "a"), names),
            invalid("query", query().value(":v", 1), values),
            invalid("scan", scan("attribute_exists(a)").value(":v", 1), values),
            invalid("get", get("a").name("#n", "a"), names),
            wrapped(
                "several",
                put("attribute_exists(a)").value(":x", 1).value(":w", 1),
                "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w, :x}",
            ),
            invalid(
                "in a transaction",
                TransactWriteItems::new().action(put("attribute_exists(a)").value(":v", 1)),
                values,
            ),
        ]);
        cases
    });
}

#[test]
fn placeholders_come_with_an_expression() {
    check(|| {
        let names = "ExpressionAttributeNames can only be specified when using expressions";
        let values = "ExpressionAttributeValues can only be specified when using expressions";
        let put = || PutItem::new(ABSENT, row());
        let update = || UpdateItem::new(ABSENT, key());
        vec![
            wrapped("names of a put", put().name("#n", "a"), names),
            wrapped("values of a put", put().value(":v", 1), values),
            invalid("names of a get", GetItem::new(ABSENT, key()).name("#n", "a"), names),
            wrapped("names of an update", update().name("#n", "a"), names),
            wrapped("values of an update", update().value(":v", 1), values),
            wrapped("values of a delete", DeleteItem::new(ABSENT, key()).value(":v", 1), values),
            invalid("names of a scan", Scan::new(ABSENT).name("#n", "a"), names),
            invalid(
                "values of a scan",
                Scan::new(ABSENT).value(":v", 1),
                format!("{values}: FilterExpression is null"),
            ),
        ]
    });
}

#[test]
fn placeholders_have_their_form() {
    check(|| {
        let with = |substitutions: Substitutions| PutItem {
            substitutions,
            ..PutItem::new(ABSENT, row()).condition("attribute_exists(a)")
        };
        let no_names = Substitutions { names: Some(BTreeMap::new()), values: None };
        let no_values = Substitutions { names: None, values: Some(BTreeMap::new()) };
        let key = |parameter: &str, key: &str| {
            format!("{parameter} contains invalid key: Syntax error; key: \"{key}\"")
        };
        vec![
            wrapped("no names", with(no_names), "ExpressionAttributeNames must not be empty"),
            wrapped("no values", with(no_values), "ExpressionAttributeValues must not be empty"),
            wrapped(
                "a name without its sign",
                put("attribute_exists(a)").name("n", "a"),
                key("ExpressionAttributeNames", "n"),
            ),
            wrapped(
                "a name that is only its sign",
                put("attribute_exists(a)").name("#", "a"),
                key("ExpressionAttributeNames", "#"),
            ),
            wrapped(
                "a value without its sign",
                put("attribute_exists(a)").value("v", 1),
                key("ExpressionAttributeValues", "v"),
            ),
            wrapped(
                "a value with a blank",
                put("attribute_exists(a)").value(":v w", 1),
                key("ExpressionAttributeValues", ":v w"),
            ),
        ]
    });
}

#[test]
fn expressions_are_refused_where_the_table_exists_too() {
    check(|| {
        vec![
            wrapped(
                "a condition",
                PutItem::new(TABLE, row()).condition("a ="),
                "Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \"=\"",
            ),
            invalid(
                "before the key",
                GetItem::new(TABLE, monotable::Item::new()).projection("status"),
                "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved \
                 keyword: status",
            ),
        ]
    });
}
