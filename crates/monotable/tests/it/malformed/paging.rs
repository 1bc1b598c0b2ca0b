//! Limits, selections, segments, indexes and start keys of Query and Scan.

use monotable::dynamodb::{Consistency, Query, Scan, Segment, Select};
use monotable::{Item, item};

use super::{ABSENT, TABLE, check, constraint, invalid, key, key_with, parameter, query, without};

const START_INVALID: &str = "The provided starting key is invalid";
const START_MISMATCH: &str = "The provided starting key is invalid: The provided key element does not \
     match the schema";

fn scan() -> Scan {
    Scan::new(TABLE)
}

fn by_city() -> Query {
    Query::new(TABLE).index("by-city").key_condition("city = :v").value(":v", "Seattle")
}

#[test]
fn a_page_has_at_least_one_item() {
    check(|| {
        vec![
            invalid(
                "of a query",
                Query { table_name: ABSENT.to_owned(), ..query().limit(0u32) },
                "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member \
                 must have value greater than or equal to 1",
            ),
            constraint(
                "of a scan",
                Scan::new(ABSENT).limit(0u32),
                "0",
                "limit",
                "have value greater than or equal to 1",
            ),
        ]
    });
}

#[test]
fn a_segment_is_one_of_its_total() {
    check(|| {
        let of = |segment, total_segments| {
            Scan::new(ABSENT).segment(Segment { segment, total_segments })
        };
        let outside = |segment: u32, total: u32| {
            format!(
                "The Segment parameter is zero-based and must be less than parameter TotalSegments: \
                 Segment: {segment} is not less than TotalSegments: {total}"
            )
        };
        vec![
            constraint(
                "of none",
                of(0, 0),
                "0",
                "totalSegments",
                "have value greater than or equal to 1",
            ),
            constraint(
                "of too many",
                of(0, 1_000_001),
                "1000001",
                "totalSegments",
                "have value less than or equal to 1000000",
            ),
            invalid("the one behind the last", of(5, 5), outside(5, 5)),
            invalid("far outside", of(9, 2), outside(9, 2)),
        ]
    });
}

#[test]
fn a_selection_agrees_with_its_projection() {
    check(|| {
        let cannot = |choice: &str| {
            format!("Cannot specify the ProjectionExpression when choosing to get {choice}")
        };
        let enveloped = |text: &str| format!("1 validation error detected: {text}");
        let specific = "Must specify the AttributesToGet or ProjectionExpression when choosing to \
                        get SPECIFIC_ATTRIBUTES";
        let index_only =
            "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName";
        let query = |select| query().select(select);
        let scan = |select| scan().select(select);
        vec![
            invalid(
                "query, nothing specific",
                query(Select::SpecificAttributes),
                enveloped(specific),
            ),
            invalid("scan, nothing specific", scan(Select::SpecificAttributes), specific),
            invalid(
                "query, all and some",
                query(Select::AllAttributes).projection("a"),
                enveloped(&cannot("ALL_ATTRIBUTES")),
            ),
            invalid(
                "query, count and some",
                query(Select::Count).projection("a"),
                enveloped(&cannot("only the Count")),
            ),
            invalid(
                "query, projected without index",
                query(Select::AllProjectedAttributes),
                enveloped(index_only),
            ),
            invalid(
                "scan, all and some",
                scan(Select::AllAttributes).projection("a"),
                cannot("ALL_ATTRIBUTES"),
            ),
            invalid(
                "scan, projected and some",
                scan(Select::AllProjectedAttributes).index("by-city").projection("a"),
                cannot("ALL_PROJECTED_ATTRIBUTES"),
            ),
            invalid(
                "scan, projected without index",
                scan(Select::AllProjectedAttributes),
                index_only,
            ),
        ]
    });
}

#[test]
fn an_index_exists_and_returns_its_projection() {
    check(|| {
        let missing = "The table does not have the specified index: by-name";
        let strong = "Consistent reads are not supported on global secondary indexes";
        let not_all = "Select type ALL_ATTRIBUTES is not supported for global secondary index \
                       by-logo because its projection type is not ALL";
        let not_projected = "Global secondary index by-logo does not project [name_, wins]";
        vec![
            invalid("query a missing one", query().index("by-name"), missing),
            invalid("scan a missing one", scan().index("by-name"), missing),
            invalid("query strongly", by_city().consistency(Consistency::Strong), strong),
            invalid(
                "scan strongly",
                scan().index("by-city").consistency(Consistency::Strong),
                strong,
            ),
            parameter(
                "scan more than is there",
                scan().index("by-logo").select(Select::AllAttributes),
                not_all,
            ),
            parameter(
                "project what is not there",
                scan().index("by-logo").projection("name_, PK, wins"),
                not_projected,
            ),
        ]
    });
}

#[test]
fn an_index_has_a_name_with_allowed_characters() {
    check(|| {
        let least = "have length greater than or equal to 3";
        let most = "have length less than or equal to 255";
        let pattern = "satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
        let long = "x".repeat(256);
        vec![
            constraint("query, short", query().index("ab"), "ab", "indexName", least),
            constraint("query, long", query().index(&*long), &long, "indexName", most),
            constraint("query, blanks", query().index("by name"), "by name", "indexName", pattern),
            constraint("scan, short", scan().index("ab"), "ab", "indexName", least),
            constraint("scan, blanks", scan().index("by name"), "by name", "indexName", pattern),
        ]
    });
}

#[test]
fn a_query_continues_from_a_key_of_its_partition() {
    check(|| {
        let from = |start: Item| query().exclusive_start_key(start);
        let range = || query().key_condition("PK = :pk AND SK > :sk").value(":sk", "M");
        let index_start = || {
            let mut start = key();
            start.extend(item! { "city" => "Seattle", "founded" => 1976 });
            start
        };
        vec![
            invalid("an empty key", from(Item::new()), START_INVALID),
            invalid("half a key", from(without(key(), "SK")), START_INVALID),
            invalid("more than the key", from(key_with("name", "x")), START_INVALID),
            invalid("another attribute", from(without(key_with("name", "x"), "SK")), START_INVALID),
            invalid(
                "another partition",
                from(key_with("PK", "TEAM#2")),
                "The provided starting key is outside query boundaries based on provided conditions",
            ),
            invalid(
                "outside the range",
                range().exclusive_start_key(key_with("SK", "A")),
                "The provided starting key does not match the range key predicate",
            ),
            invalid(
                "another partition with a range",
                range().exclusive_start_key(key_with("PK", "TEAM#2")),
                "The query can return at most one row and cannot be restarted",
            ),
            invalid(
                "the table's key alone on an index",
                by_city().exclusive_start_key(key()),
                START_INVALID,
            ),
            invalid(
                "another partition of an index",
                by_city().exclusive_start_key({
                    let mut start = index_start();
                    start.insert("city".to_owned(), "Portland".into());
                    start
                }),
                "The provided starting key is outside query boundaries based on provided conditions",
            ),
        ]
    });
}

#[test]
fn a_query_continues_from_a_key_of_the_right_type() {
    check(|| {
        let from = |start: Item| query().exclusive_start_key(start);
        vec![
            invalid("a number for a partition key", from(key_with("PK", 1)), START_INVALID),
            invalid("a number for a sort key", from(key_with("SK", 1)), START_INVALID),
        ]
    });
}

#[test]
fn a_scan_continues_from_a_key_of_its_table() {
    check(|| {
        let from = |start: Item| scan().exclusive_start_key(start);
        vec![
            invalid("an empty key", from(Item::new()), START_MISMATCH),
            invalid("half a key", from(without(key(), "SK")), START_MISMATCH),
            invalid("another type", from(key_with("SK", 1)), START_MISMATCH),
            invalid(
                "the table's key alone on an index",
                scan().index("by-city").exclusive_start_key(key()),
                START_MISMATCH,
            ),
        ]
    });
}

#[test]
fn a_segment_continues_from_a_key_of_its_own() {
    super::on_both_stores(|db| {
        super::load(db);
        let of = |segment| {
            let segment = Segment { segment, total_segments: 2 };
            db.scan(scan().segment(segment).exclusive_start_key(key()))
        };
        let outcomes = [(0, of(0)), (1, of(1))];
        let refused: Vec<_> = outcomes
            .iter()
            .filter_map(|(segment, outcome)| Some((segment, outcome.as_ref().err()?)))
            .collect();
        let [(segment, error)] = refused[..] else { panic!("the row is in one of two segments") };
        assert_eq!(
            error.to_string(),
            format!(
                "{START_INVALID}: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with \
                 correct Segment. TotalSegments: 2 Segment: {segment}"
            )
        );
    });
}
