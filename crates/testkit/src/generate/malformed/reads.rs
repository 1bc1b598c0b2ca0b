//! Reads that DynamoDB refuses.

use monotable_engine::{
    BatchGetItem, Consistency, GetItem, Query, Scan, Segment, Select, TransactGetItems,
};
use monotable_expression::{KeyCondition, Projection, attribute_exists, key};
use monotable_types::{AttributeValue as V, item};

use super::{EVENTS, LEAGUE, MISMATCH, START, cancelled, empty, league, refused, wrong_keys};
use crate::operation::{Stage, Step};

/// Returns all of them.
pub(super) fn all() -> Vec<Step> {
    [gets(), queries(), index_queries(), scans(), batches()].concat()
}

fn query(condition: KeyCondition) -> Query {
    Query::new("league").key_condition(condition)
}

fn queries() -> Vec<Step> {
    let all = || query(key("PK").eq("a"));
    let envelope = "1 validation error detected: ";
    let limit = format!(
        "{envelope}Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1"
    );
    let missed = |name| format!("Query condition missed key schema element: {name}");
    let typed = "One or more parameter values were invalid: Condition parameter type does not match schema type";
    let chosen = "Cannot specify the ProjectionExpression when choosing to get";
    vec![
        refused(all().limit(0_u32), Stage::Request, &limit),
        refused(
            Query::new("league"),
            Stage::Request,
            "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.",
        ),
        refused(query(key("SK").eq("1")), LEAGUE, &missed("PK")),
        refused(query(key("PK").eq("a").and(key("y").eq("1"))), LEAGUE, &missed("SK")),
        refused(
            query(key("PK").eq("a").and(key("SK").eq("1")).and(key("y").eq("1"))),
            LEAGUE,
            "The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)",
        ),
        refused(query(key("PK").eq(1)), LEAGUE, typed),
        refused(query(key("PK").eq("a").and(key("SK").gt(1))), LEAGUE, typed),
        refused(query(key("PK").gt("a")), LEAGUE, "Query key condition not supported"),
        refused(
            all().filter(attribute_exists("SK")),
            LEAGUE,
            "Filter Expression can only contain non-primary key attributes: Primary key attribute: SK",
        ),
        refused(
            all().select(Select::SpecificAttributes),
            Stage::Request,
            &format!(
                "{envelope}Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"
            ),
        ),
        refused(
            all().select(Select::AllProjectedAttributes),
            Stage::Request,
            &format!(
                "{envelope}ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"
            ),
        ),
        refused(
            all().projection(Projection::of(["y"])).select(Select::AllProjectedAttributes),
            Stage::Request,
            &format!("{envelope}{chosen} ALL_PROJECTED_ATTRIBUTES"),
        ),
        refused(
            all().projection(Projection::of(["y"])).select(Select::Count),
            Stage::Request,
            &format!("{envelope}{chosen} only the Count"),
        ),
        refused(
            all().projection(Projection::of(["y"])).select(Select::AllAttributes),
            Stage::Request,
            &format!("{envelope}{chosen} ALL_ATTRIBUTES"),
        ),
        refused(all().exclusive_start_key(item! { "PK" => "a" }), LEAGUE, START),
        refused(all().exclusive_start_key(league("SK", 1)), LEAGUE, START),
        refused(all().exclusive_start_key(league("y", 1)), LEAGUE, START),
        refused(
            all().exclusive_start_key(league("PK", "b")),
            LEAGUE,
            "The provided starting key is outside query boundaries based on provided conditions",
        ),
        refused(
            query(key("PK").eq("a").and(key("SK").gt("2"))).exclusive_start_key(league("SK", "1")),
            LEAGUE,
            "The provided starting key does not match the range key predicate",
        ),
    ]
}

fn index_queries() -> Vec<Step> {
    let wrong = "One or more parameter values were invalid";
    let sparse = || query(key("gs").eq("p")).index("g2-keys");
    let multi = |condition| Query::new("events").key_condition(condition).index("g1-multi");
    let both = || key("gs").eq("p").and(key("gn").eq(1));
    vec![
        refused(
            query(key("PK").eq("a")).index("nowhere"),
            LEAGUE,
            "The table does not have the specified index: nowhere",
        ),
        refused(
            sparse().consistency(Consistency::Strong),
            LEAGUE,
            "Consistent reads are not supported on global secondary indexes",
        ),
        refused(
            sparse().select(Select::AllAttributes),
            LEAGUE,
            &format!(
                "{wrong}: Select type ALL_ATTRIBUTES is not supported for global secondary index \
                 g2-keys because its projection type is not ALL"
            ),
        ),
        refused(
            sparse().projection(Projection::of(["PK", "y"])),
            LEAGUE,
            &format!("{wrong}: Global secondary index g2-keys does not project [y]"),
        ),
        refused(sparse().exclusive_start_key(item! { "gs" => "p", "PK" => "a" }), LEAGUE, START),
        refused(
            sparse().exclusive_start_key(item! { "gs" => "q", "PK" => "a", "SK" => "1" }),
            LEAGUE,
            "The provided starting key is outside query boundaries based on provided conditions",
        ),
        refused(
            multi(key("gs").eq("p")),
            EVENTS,
            "HASH key attributes gn must have equality conditions specified in the query",
        ),
        refused(
            multi(key("gn").gt(1)),
            EVENTS,
            "HASH key attributes gs, gn must have equality conditions specified in the query",
        ),
        refused(
            multi(both().and(key("gb").eq(V::B(vec![1])))),
            EVENTS,
            "RANGE key attributes gt must have equality conditions specified in the query because \
             a condition is present on key attribute gb",
        ),
        refused(
            multi(both().and(key("gt").gt("s")).and(key("gb").eq(V::B(vec![1])))),
            EVENTS,
            "RANGE key attributes gt must have equality conditions specified in the query because \
             a condition is present on key attribute gb",
        ),
    ]
}

fn scans() -> Vec<Step> {
    let segment =
        |segment, total_segments| Scan::new("league").segment(Segment { segment, total_segments });
    vec![
        refused(
            Scan::new("league").limit(0_u32),
            Stage::Request,
            "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member \
             must have value greater than or equal to 1",
        ),
        refused(
            segment(5, 5),
            Stage::Request,
            "The Segment parameter is zero-based and must be less than parameter TotalSegments: \
             Segment: 5 is not less than TotalSegments: 5",
        ),
        refused(
            Scan::new("league").index("nowhere"),
            LEAGUE,
            "The table does not have the specified index: nowhere",
        ),
        refused(
            Scan::new("league").index("g1-all").consistency(Consistency::Strong),
            LEAGUE,
            "Consistent reads are not supported on global secondary indexes",
        ),
        refused(
            Scan::new("league").exclusive_start_key(item! { "PK" => "a" }),
            LEAGUE,
            &format!("{START}: {MISMATCH}"),
        ),
        refused(
            Scan::new("league").index("g1-all").exclusive_start_key(league("gs", "p")),
            LEAGUE,
            &format!("{START}: {MISMATCH}"),
        ),
    ]
}

fn gets() -> Vec<Step> {
    let keys = wrong_keys().into_iter();
    keys.map(|(key, message)| refused(GetItem::new("league", key), LEAGUE, &message)).collect()
}

fn batches() -> Vec<Step> {
    let one = || league("SK", "1");
    let short = || item! { "PK" => "a" };
    let duplicates = "Provided list of item keys contains duplicates";
    vec![
        refused(
            BatchGetItem::new(),
            Stage::Request,
            "1 validation error detected: Value at 'RequestItems' failed to satisfy constraint: \
             Member must have length greater than or equal to 1",
        ),
        refused(
            BatchGetItem::new().key("league", one()).key("league", one()),
            Stage::Request,
            duplicates,
        ),
        refused(BatchGetItem::new().key("league", one()).key("league", short()), LEAGUE, MISMATCH),
        cancelled(
            TransactGetItems::new()
                .get("league", league("SK", "1"))
                .get("league", item! { "PK" => "a" }),
            vec![None, Some(MISMATCH)],
        ),
        cancelled(
            TransactGetItems::new().get("league", league("SK", "")),
            vec![Some(&empty("SK", "string"))],
        ),
        refused(
            TransactGetItems::new()
                .get("league", league("SK", "1"))
                .get("league", league("SK", "1")),
            LEAGUE,
            "Transaction request cannot include multiple operations on one item",
        ),
    ]
}
