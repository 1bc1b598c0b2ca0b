//! Keys that may do less than everything.

use monotable_engine::{CreateTable, ListTables, Scan};
use monotable_wire::Operation;

use super::signed::{Key, NEIGHBOUR, NOBODY, OWNER, READER, Signed, world};
use crate::fixture::{GET_THERE, THERE, World, put};

const DENIED: &str = "AccessDeniedException";

/// Operations that name no table: a key that may do all actions on some tables may do them.
const OF_THE_ACCOUNT: [&str; 9] = [
    "DescribeEndpoints",
    "DescribeLimits",
    "ImportTable",
    "ListBackups",
    "ListBulkOperations",
    "ListExports",
    "ListGlobalTables",
    "ListImports",
    "ListTables",
];

fn target(operation: Operation) -> String {
    let services = ["DynamoDB_20120810", "DynamoDBStreams_20120810"];
    let targets = services.map(|service| format!("{service}.{}", operation.name()));
    let known = |target: &&String| Operation::from_target(target.as_bytes()) == Some(operation);
    targets.iter().find(known).expect("a service").clone()
}

/// A body with everything that any operation needs to do something to a table. Members that an
/// operation does not know are passed over.
fn body(operation: Operation, table: &str) -> String {
    let arn = format!("arn:aws:dynamodb:us-east-1:123456789012:table/{table}");
    let evil = r#"{"id":{"S":"evil"}}"#;
    let there = r#"{"id":{"S":"there"}}"#;
    let request_items = match operation.name() {
        "BatchWriteItem" => format!(r#"{{"{table}":[{{"PutRequest":{{"Item":{evil}}}}}]}}"#),
        _ => format!(r#"{{"{table}":{{"Keys":[{there}]}}}}"#),
    };
    let transact_item = match operation.name() {
        "TransactGetItems" => format!(r#"{{"Get":{{"TableName":"{table}","Key":{there}}}}}"#),
        _ => format!(r#"{{"Put":{{"TableName":"{table}","Item":{evil}}}}}"#),
    };
    let statement = format!(r#"INSERT INTO \"{table}\" VALUE {{'id':'evil'}}"#);
    format!(
        r#"{{"TableName":"{table}","Key":{there},"Item":{evil},"RequestItems":{request_items},
        "TransactItems":[{transact_item}],"Statement":"{statement}",
        "Statements":[{{"Statement":"{statement}"}}],
        "TransactStatements":[{{"Statement":"{statement}"}}],
        "StreamArn":"{arn}/stream/a","ShardIterator":"{arn}/stream/a|1|00","ResourceArn":"{arn}",
        "TableArn":"{arn}","ExportArn":"{arn}/export/a","ImportArn":"{arn}/import/a",
        "BackupArn":"{arn}/backup/a","BulkOperationArn":"{arn}/bulk/a","GlobalTableName":"{table}",
        "SourceTableName":"{table}","TargetTableName":"{table}"}}"#
    )
}

/// Everything that there is, from the database itself.
fn everything(world: &World) -> String {
    let tables = world.database.list_tables(ListTables::default()).unwrap().table_names;
    let items: Vec<_> = tables
        .iter()
        .map(|table| world.database.scan(Scan::new(table.as_str())).unwrap().items)
        .collect();
    format!("{tables:?} {items:?}")
}

#[track_caller]
fn assert_denied(world: &World, key: Key, operation: Operation, table: &str) {
    let before = everything(world);
    let answer = Signed::new(key, &target(operation), &body(operation, table)).send(world);
    let name = operation.name();
    assert_eq!((answer.status, &*answer.code()), (400, DENIED), "{name}: {}", answer.text());
    assert!(answer.text().contains("is not authorized to perform: dynamodb:"), "{}", answer.text());
    assert_eq!(everything(world), before, "{name}");
}

#[test]
fn who_may_do_nothing_can_do_nothing() {
    let world = world();
    for operation in Operation::ALL {
        assert_denied(&world, NOBODY, *operation, "plain");
    }
}

#[test]
fn who_may_do_everything_elsewhere_can_do_nothing_here() {
    let world = world();
    for operation in Operation::ALL {
        if !OF_THE_ACCOUNT.contains(&operation.name()) {
            assert_denied(&world, NEIGHBOUR, *operation, "plain");
        }
    }
}

#[test]
fn who_may_read_can_read_and_nothing_else() {
    let world = world();
    let get = Signed::new(READER, "DynamoDB_20120810.GetItem", GET_THERE);
    assert_eq!(get.send(&world).text(), THERE);
    for operation in Operation::ALL {
        // A transaction of reads needs the permission for reads, as AWS has it.
        if !["GetItem", "Query", "TransactGetItems"].contains(&operation.name()) {
            assert_denied(&world, READER, *operation, "plain");
        }
    }
    assert_denied(&world, READER, Operation::GetItem, "other-table");
    assert_denied(&world, READER, Operation::TransactGetItems, "other-table");
}

/// Whoever does everything can also do it: the body of the other tests is a good one.
#[test]
fn the_owner_is_never_denied() {
    for operation in Operation::ALL {
        let world = world();
        let answer =
            Signed::new(OWNER, &target(*operation), &body(*operation, "plain")).send(&world);
        assert_ne!(answer.code(), DENIED, "{}", operation.name());
    }
    let world = world();
    for operation in [Operation::PutItem, Operation::BatchWriteItem, Operation::TransactWriteItems]
    {
        let answer = Signed::new(OWNER, &target(operation), &body(operation, "plain")).send(&world);
        assert_eq!(answer.status, 200, "{}: {}", operation.name(), answer.text());
    }
    assert!(world.has("evil"));
}

/// A name that one reader takes for an allowed table must not be another table for the next.
#[test]
fn names_that_look_like_others_open_no_table() {
    let world = world();
    let other = CreateTable::new("other-table").partition_key("id", "S").unwrap();
    world.database.create_table(other).unwrap();
    let arn = "arn:aws:dynamodb:us-east-1:123456789012:table";
    let good = put("good", 1).replace("plain", "other-table");
    let put_item = "DynamoDB_20120810.PutItem";
    assert_eq!(Signed::new(NEIGHBOUR, put_item, &good).send(&world).text(), "{}");
    let before = everything(&world);
    for name in [
        format!("{arn}/plain"),
        format!("{arn}/other-table/../plain"),
        format!("{arn}/other-table:table/plain"),
        format!("{arn}/plain/index/other-table"),
        format!("{arn}/plain/table/other-table"),
        "arn:other-table:table/plain".to_owned(),
        "arn:table/other-table:table/plain".to_owned(),
        format!("{arn}/plain:table/other-table"),
        "other-table/../plain".to_owned(),
        r"other-table\u0000plain".to_owned(),
        r#"plain","TableName":"other-table","TableName":"plain"#.to_owned(),
    ] {
        let body = put("evil", 1).replace("plain", &name);
        let answer = Signed::new(NEIGHBOUR, put_item, &body).send(&world);
        assert_eq!(answer.status, 400, "{name}: {}", answer.text());
        assert_eq!(everything(&world), before, "{name}");
    }
}

/// One table that is not allowed spoils the whole request.
#[test]
fn a_request_needs_all_of_its_tables() {
    let world = world();
    let other = CreateTable::new("other-table").partition_key("id", "S").unwrap();
    world.database.create_table(other).unwrap();
    let before = everything(&world);
    let item = r#"{"id":{"S":"evil"}}"#;
    let insert =
        |table: &str| format!(r#"{{"Statement":"INSERT INTO \"{table}\" VALUE {{'id':'evil'}}"}}"#);
    let (ours, theirs) = (insert("other-table"), insert("plain"));
    for (operation, body) in [
        (
            "BatchWriteItem",
            format!(
                r#"{{"RequestItems":{{"other-table":[{{"PutRequest":{{"Item":{item}}}}}],"plain":[{{"PutRequest":{{"Item":{item}}}}}]}}}}"#
            ),
        ),
        (
            "TransactWriteItems",
            format!(
                r#"{{"TransactItems":[{{"Put":{{"TableName":"other-table","Item":{item}}}}},{{"Put":{{"TableName":"plain","Item":{item}}}}}]}}"#
            ),
        ),
        (
            "TransactWriteItems",
            format!(
                r#"{{"TransactItems":[{{"Put":{{"TableName":"other-table","Item":{item}}}}},{{"ConditionCheck":{{"TableName":"plain","Key":{item},"ConditionExpression":"attribute_exists(id)"}}}}]}}"#
            ),
        ),
        ("ExecuteTransaction", format!(r#"{{"TransactStatements":[{ours},{theirs}]}}"#)),
        ("BatchExecuteStatement", format!(r#"{{"Statements":[{ours},{theirs}]}}"#)),
    ] {
        let answer =
            Signed::new(NEIGHBOUR, &format!("DynamoDB_20120810.{operation}"), &body).send(&world);
        assert_eq!(answer.code(), DENIED, "{operation}: {}", answer.text());
        assert_eq!(everything(&world), before, "{operation}");
    }
}
