//! Key conditions of a Query: their form, and whether they fit the table or index.

use monotable::dynamodb::Query;
use monotable::list;

use super::{Case, TABLE, check, invalid, parameter, query};

fn of(condition: &str) -> Query {
    query().key_condition(condition)
}

/// Returns a key condition that uses `:pk` and one value more.
fn with(condition: &str, value: impl Into<monotable::AttributeValue>) -> Query {
    of(condition).value(":v", value)
}

#[test]
fn a_query_has_a_key_condition() {
    check(|| {
        vec![invalid(
            "neither form",
            Query::new(TABLE),
            "Either the KeyConditions or KeyConditionExpression parameter must be specified in the \
             request.",
        )]
    });
}

#[test]
fn a_key_condition_has_a_form_that_an_index_supports() {
    check(|| {
        let operator =
            |name: &str| format!("Invalid operator used in KeyConditionExpression: {name}");
        let condition =
            |reason: &str| format!("Invalid condition in KeyConditionExpression: {reason}");
        let expression = |reason: &str| format!("Invalid KeyConditionExpression: {reason}");
        vec![
            invalid("OR", with("PK = :pk OR SK = :v", "x"), operator("OR")),
            invalid("NOT", of("NOT PK = :pk"), operator("NOT")),
            invalid("<>", of("PK <> :pk"), operator("<>")),
            invalid("IN", of("PK IN (:pk)"), operator("IN")),
            invalid(
                "attribute_exists",
                of("PK = :pk AND attribute_exists(SK)"),
                operator("attribute_exists"),
            ),
            invalid("contains", with("PK = :pk AND contains(SK, :v)", "x"), operator("contains")),
            invalid(
                "size",
                with("PK = :pk AND size(SK) = :v", 1),
                expression("KeyConditionExpressions cannot contain nested operations"),
            ),
            invalid(
                "a path",
                with("PK = :pk AND SK.a = :v", "x"),
                expression("KeyConditionExpressions cannot have conditions on nested attributes"),
            ),
            invalid(
                "an attribute twice",
                with("PK = :pk AND PK = :v", "x"),
                expression("KeyConditionExpressions must only contain one condition per key"),
            ),
            invalid(
                "two attributes",
                of("PK = :pk AND SK = PK"),
                condition("Multiple attribute names used in one condition"),
            ),
            invalid(
                "no attribute",
                with("PK = :pk AND :v = :v", "x"),
                condition("No key attribute specified"),
            ),
            invalid(
                "bounds in the wrong order",
                with("PK = :pk AND SK BETWEEN :v AND :w", "b").value(":w", "a"),
                expression(
                    "The BETWEEN operator requires upper bound to be greater than or equal to lower \
                     bound; lower bound operand: AttributeValue: {S:b}, upper bound operand: \
                     AttributeValue: {S:a}",
                ),
            ),
            invalid(
                "redundant parentheses",
                of("((PK = :pk))"),
                expression("The expression has redundant parentheses;"),
            ),
        ]
    });
}

#[test]
fn a_key_condition_names_the_keys_of_the_table() {
    check(|| {
        let missed = |key: &str| format!("Query condition missed key schema element: {key}");
        let not_supported = "Query key condition not supported";
        vec![
            invalid(
                "only the sort key",
                Query::new(TABLE).key_condition("SK = :v").value(":v", "x"),
                missed("PK"),
            ),
            invalid("another attribute", with("PK = :pk AND wins = :v", 1), missed("SK")),
            invalid("a range of partitions", of("PK > :pk"), not_supported),
            invalid("a prefix of partitions", of("begins_with(PK, :pk)"), not_supported),
            invalid(
                "two conditions where there is one key",
                Query::new("numbers")
                    .key_condition("id = :v AND wins = :w")
                    .value(":v", 1)
                    .value(":w", 1),
                TOO_MANY,
            ),
            invalid(
                "the keys of the table on an index",
                of("PK = :pk").index("by-city"),
                missed("city"),
            ),
            invalid(
                "three conditions",
                with("PK = :pk AND SK = :v AND wins = :v", "x"),
                "The number of query conditions (3) exceeds the number of key attributes defined in \
                 the schema (2)",
            ),
        ]
    });
}

const TOO_MANY: &str = "The number of query conditions (2) exceeds the number of key attributes defined in the schema (1)";

#[test]
fn a_key_condition_has_values_of_the_keys_type() {
    check(|| {
        let text = "Condition parameter type does not match schema type";
        let operand = |operator: &str, kind: &str| {
            format!(
                "Invalid KeyConditionExpression: Incorrect operand type for operator or function; \
                 operator or function: {operator}, operand type: {kind}"
            )
        };
        let of_partition = |value: monotable::AttributeValue| {
            Query::new(TABLE).key_condition("PK = :pk").value(":pk", value)
        };
        vec![
            parameter("a number for a string", of_partition(1.into()), text),
            parameter("a boolean", of_partition(true.into()), text),
            parameter("a list", of_partition(list!["x"]), text),
            parameter("a number for a sort key", with("PK = :pk AND SK = :v", 1), text),
            parameter("a range of numbers", with("PK = :pk AND SK > :v", 1), text),
            parameter(
                "a string for a number on an index",
                Query::new(TABLE)
                    .index("by-city")
                    .key_condition("city = :city AND founded > :year")
                    .value(":city", "Seattle")
                    .value(":year", "1999"),
                text,
            ),
            invalid(
                "a prefix that is a number",
                with("PK = :pk AND begins_with(SK, :v)", 1),
                operand("begins_with", "N"),
            ),
            invalid(
                "a range of booleans",
                with("PK = :pk AND SK < :v", true),
                operand("<", "BOOL"),
            ),
        ]
    });
}

#[test]
fn a_key_condition_names_no_empty_key() {
    check(|| {
        let empty = |key: &str| {
            format!(
                "One or more parameter values are not valid. The AttributeValue for a key attribute \
                 cannot contain an empty string value. Key: {key}"
            )
        };
        vec![
            invalid(
                "partition",
                Query::new(TABLE).key_condition("PK = :v").value(":v", ""),
                empty("PK"),
            ),
            invalid("sort", with("PK = :pk AND SK = :v", ""), empty("SK")),
        ]
    });
}

/// Returns a query of the index with two partition and three sort attributes; every condition compares with
/// the same value.
fn place(condition: &str) -> Query {
    Query::new("places").index("by-place").key_condition(condition).value(":v", "x")
}

#[test]
fn an_index_of_many_attributes_is_queried_from_the_left() {
    check(|| {
        let hash = |missing: &str| {
            format!(
                "HASH key attributes {missing} must have equality conditions specified in the query"
            )
        };
        let range = |missing: &str, present: &str| {
            format!(
                "RANGE key attributes {missing} must have equality conditions specified in the query \
                 because a condition is present on key attribute {present}"
            )
        };
        let cases: Vec<Case> = vec![
            invalid("half the partition", place("land = :v"), hash("district")),
            invalid("the other half", place("district = :v"), hash("land")),
            invalid("a range of partitions", place("land = :v AND district > :v"), hash("district")),
            invalid(
                "a gap",
                place("land = :v AND district = :v AND street = :v"),
                range("town", "street"),
            ),
            invalid(
                "a range before the last",
                place("land = :v AND district = :v AND town > :v AND street = :v"),
                range("town", "street"),
            ),
            invalid(
                "a foreign attribute",
                place("land = :v AND district = :v AND wins = :v"),
                "Query condition missed key schema element: town",
            ),
            invalid(
                "too many",
                place(
                    "land = :v AND district = :v AND town = :v AND street = :v AND #n = :v AND id = :v",
                )
                .name("#n", "number"),
                "The number of query conditions (6) exceeds the number of key attributes defined in \
                 the schema (5)",
            ),
        ];
        cases
    });
}

#[test]
fn a_filter_leaves_the_keys_to_the_key_condition() {
    check(|| {
        let text = |key: &str| {
            format!(
                "Filter Expression can only contain non-primary key attributes: Primary key \
                 attribute: {key}"
            )
        };
        vec![
            invalid("partition key", query().filter("PK = :pk"), text("PK")),
            invalid("sort key", query().filter("attribute_exists(SK)"), text("SK")),
            invalid(
                "key of the index",
                Query::new(TABLE)
                    .index("by-city")
                    .key_condition("city = :v")
                    .filter("founded > wins")
                    .value(":v", "x"),
                text("founded"),
            ),
        ]
    });
}
