//! Malformed requests of every kind, for every operation: AWS's exception name and message.
//!
//! The texts were measured on AWS by others; github.com/nubo-db/dynamodb-conformance has most of
//! them. If AWS prints its own data structures (a request as Java prints it), only the end of the
//! text is compared, and if no measurement exists, only the name.

mod batches;
mod creating_tables;
mod expressions;
mod hostile;
mod key_conditions;
mod keys;
mod legacy;
mod paging;
mod streams;
mod tables;
mod transactions;
mod values;

use monotable::dynamodb::{
    BatchGetItem, BatchWriteItem, CreateTable, DeleteItem, DeleteTable, DescribeStream,
    DescribeTable, DescribeTimeToLive, Error, GetItem, GetRecords, GetShardIterator,
    IndexDefinition, ListStreams, ListTables, ListTagsOfResource, Projection, PutItem, Query,
    Result, Scan, TagResource, TransactGetItems, TransactWriteItems, UntagResource, UpdateItem,
    UpdateTable, UpdateTimeToLive,
};
use monotable::{AttributeValue, Database, Item, item};

use crate::support::reading::{get, put_all, upper_key};
use crate::support::stores::on_both_stores;

const VALIDATION: &str = "ValidationException";
const NOT_FOUND: &str = "ResourceNotFoundException";
const IN_USE: &str = "ResourceInUseException";
const CONDITION_FAILED: &str = "ConditionalCheckFailedException";
const NOTHING_THERE: &str = "Requested resource not found";

/// A table with every kind of index.
const TABLE: &str = "teams";
/// A table whose key is a number alone.
const NUMBERS: &str = "numbers";
/// A table whose key is binary.
const BINARIES: &str = "binaries";
/// A table that does not exist.
const ABSENT: &str = "absent";

/// Any request, boxed so that a table of cases can hold all kinds.
trait Request {
    fn send(&self, db: &Database) -> Result<()>;
}

macro_rules! requests {
    ($($request:ident => $operation:ident,)*) => {$(
        impl Request for $request {
            fn send(&self, db: &Database) -> Result<()> {
                db.$operation(self.clone()).map(drop)
            }
        }
    )*};
}

requests! {
    BatchGetItem => batch_get_item,
    BatchWriteItem => batch_write_item,
    CreateTable => create_table,
    DeleteItem => delete_item,
    DeleteTable => delete_table,
    DescribeStream => describe_stream,
    DescribeTable => describe_table,
    DescribeTimeToLive => describe_time_to_live,
    GetItem => get_item,
    GetRecords => get_records,
    GetShardIterator => get_shard_iterator,
    ListStreams => list_streams,
    ListTables => list_tables,
    ListTagsOfResource => list_tags_of_resource,
    PutItem => put_item,
    Query => query,
    Scan => scan,
    TagResource => tag_resource,
    TransactGetItems => transact_get_items,
    TransactWriteItems => transact_write_items,
    UntagResource => untag_resource,
    UpdateItem => update_item,
    UpdateTable => update_table,
    UpdateTimeToLive => update_time_to_live,
}

/// How much of the message is known.
enum Message {
    Exactly(String),
    EndsWith(String),
    Unknown,
}

/// A request and AWS's response.
struct Case {
    what: &'static str,
    request: Box<dyn Request>,
    code: &'static str,
    message: Message,
}

fn refused(
    code: &'static str,
    what: &'static str,
    request: impl Request + 'static,
    message: Message,
) -> Case {
    boxed(code, what, Box::new(request), message)
}

fn boxed(
    code: &'static str,
    what: &'static str,
    request: Box<dyn Request>,
    message: Message,
) -> Case {
    Case { what, request, code, message }
}

/// Returns a ValidationException with this message.
fn invalid(
    what: &'static str,
    request: impl Request + 'static,
    message: impl Into<String>,
) -> Case {
    refused(VALIDATION, what, request, Message::Exactly(message.into()))
}

/// Returns a ValidationException of an operation on one item, which wraps the message.
fn wrapped(
    what: &'static str,
    request: impl Request + 'static,
    message: impl std::fmt::Display,
) -> Case {
    invalid(what, request, format!("1 validation error detected: {message}"))
}

/// Returns a ValidationException for one broken constraint.
fn constraint(
    what: &'static str,
    request: impl Request + 'static,
    value: &str,
    path: &str,
    rule: &str,
) -> Case {
    invalid(what, request, constraint_text(value, path, rule))
}

fn constraint_text(value: &str, path: &str, rule: &str) -> String {
    format!(
        "1 validation error detected: Value '{value}' at '{path}' failed to satisfy constraint: \
         Member must {rule}"
    )
}

/// AWS's most frequent way to refuse a parameter.
fn parameter(what: &'static str, request: impl Request + 'static, why: &str) -> Case {
    invalid(what, request, format!("One or more parameter values were invalid: {why}"))
}

/// Sends every request to both stores and lists every response that differs.
fn check(cases: impl Fn() -> Vec<Case>) {
    on_both_stores(|db| {
        load(db);
        let differences: Vec<String> =
            cases().iter().filter_map(|case| case.difference(db)).collect();
        assert!(differences.is_empty(), "\n{}", differences.join("\n"));
        assert_eq!(get(db, TABLE, key()), Some(row()), "a refused request changes nothing");
    });
}

impl Case {
    /// Returns how the response differs from AWS's, if it does.
    fn difference(&self, db: &Database) -> Option<String> {
        let expected = match &self.message {
            Message::Exactly(text) => text.clone(),
            Message::EndsWith(text) => format!("…{text}"),
            Message::Unknown => "any text".to_owned(),
        };
        let (code, message) = match self.request.send(db) {
            Ok(()) => ("success", String::new()),
            Err(error) => (error.code(), error.to_string()),
        };
        let same_message = match &self.message {
            Message::Exactly(text) => message == *text,
            Message::EndsWith(text) => message.ends_with(text),
            Message::Unknown => true,
        };
        let same = code == self.code && same_message;
        (!same).then(|| {
            let what = self.what;
            format!("{what}\n  AWS:    {}: {expected}\n  engine: {code}: {message}", self.code)
        })
    }
}

/// The tables that the cases are sent to, and one row.
fn load(db: &Database) {
    for table in [teams(), keyed(NUMBERS, "N"), keyed(BINARIES, "B"), places()] {
        db.create_table(table.unwrap()).unwrap();
    }
    put_all(db, TABLE, [row()]);
}

fn keyed(name: &str, scalar_type: &str) -> Result<CreateTable> {
    CreateTable::new(name).partition_key("id", scalar_type)
}

fn teams() -> Result<CreateTable> {
    let by_city = IndexDefinition::new("by-city", &["city"], &["founded"]);
    Ok(CreateTable::new(TABLE)
        .partition_key("PK", "S")?
        .sort_key("SK", "S")?
        .attribute("city", "S")?
        .attribute("founded", "N")?
        .attribute("logo", "B")?
        .global_index(by_city)
        .global_index(
            IndexDefinition::new("by-logo", &["logo"], &[]).projection(Projection::KeysOnly),
        )
        .local_index(IndexDefinition::new("local", &["PK"], &["founded"])))
}

/// Returns a table with an index of several key attributes on either side.
fn places() -> Result<CreateTable> {
    let index =
        IndexDefinition::new("by-place", &["land", "district"], &["town", "street", "number"]);
    let table = CreateTable::new("places").partition_key("id", "S")?.global_index(index);
    ["land", "district", "town", "street", "number"]
        .into_iter()
        .try_fold(table, |table, attribute| table.attribute(attribute, "S"))
}

fn key() -> Item {
    upper_key("TEAM#1", "METADATA")
}

fn row() -> Item {
    let mut row = key();
    row.extend(item! { "name" => "Sluggers", "wins" => 3, "city" => "Seattle" });
    row
}

/// Returns the row with one attribute more, or another one.
fn row_with(attribute: &str, value: impl Into<AttributeValue>) -> Item {
    let mut row = row();
    row.insert(attribute.to_owned(), value.into());
    row
}

/// Returns a key that is not that of the row.
fn key_with(attribute: &str, value: impl Into<AttributeValue>) -> Item {
    let mut key = key();
    key.insert(attribute.to_owned(), value.into());
    key
}

fn without(mut item: Item, attribute: &str) -> Item {
    item.remove(attribute);
    item
}

/// Returns a value nested one level deeper than allowed.
fn too_deep() -> AttributeValue {
    (0..32).fold(AttributeValue::from("bottom"), |inner, _| AttributeValue::L(vec![inner]))
}

fn query() -> Query {
    Query::new(TABLE).key_condition("PK = :pk").value(":pk", "TEAM#1")
}

fn update(expression: &str) -> UpdateItem {
    UpdateItem::new(TABLE, key()).update(expression)
}

#[test]
fn data_operations_name_a_table_with_allowed_characters() {
    check(|| {
        let mut cases = Vec::new();
        for (name, rule) in [
            (String::new(), "have length greater than or equal to 1"),
            ("x".repeat(256), "have length less than or equal to 255"),
            ("not a name!".to_owned(), "satisfy regular expression pattern: [a-zA-Z0-9_.-]+"),
        ] {
            let mut add = |what, request: Box<dyn Request>| {
                let message = Message::Exactly(constraint_text(&name, "tableName", rule));
                cases.push(boxed(VALIDATION, what, request, message));
            };
            add("put", Box::new(PutItem::new(&*name, row())));
            add("get", Box::new(GetItem::new(&*name, key())));
            add("update", Box::new(UpdateItem::new(&*name, key())));
            add("delete", Box::new(DeleteItem::new(&*name, key())));
            add("query", Box::new(Query { table_name: name.clone(), ..query() }));
            add("scan", Box::new(Scan::new(&*name)));
        }
        cases
    });
}

#[test]
fn data_operations_name_a_table_that_exists() {
    check(|| {
        let refused = |what, request: Box<dyn Request>| {
            let message = Message::Exactly(NOTHING_THERE.to_owned());
            boxed(NOT_FOUND, what, request, message)
        };
        let condition_check =
            monotable::dynamodb::ConditionCheck::new(ABSENT, key(), "attribute_exists(PK)");
        vec![
            refused("put", Box::new(PutItem::new(ABSENT, row()))),
            refused("get", Box::new(GetItem::new(ABSENT, key()))),
            refused("update", Box::new(UpdateItem::new(ABSENT, key()))),
            refused("delete", Box::new(DeleteItem::new(ABSENT, key()))),
            refused("query", Box::new(Query { table_name: ABSENT.to_owned(), ..query() })),
            refused("scan", Box::new(Scan::new(ABSENT))),
            refused("batch get", Box::new(BatchGetItem::new().key(ABSENT, key()))),
            refused(
                "batch get, one of two",
                Box::new(BatchGetItem::new().key(TABLE, key()).key(ABSENT, key())),
            ),
            refused("batch put", Box::new(BatchWriteItem::new().put(ABSENT, row()))),
            refused("batch delete", Box::new(BatchWriteItem::new().delete(ABSENT, key()))),
            refused("transactional get", Box::new(TransactGetItems::new().get(ABSENT, key()))),
            refused(
                "transactional put",
                Box::new(TransactWriteItems::new().action(PutItem::new(ABSENT, row()))),
            ),
            refused(
                "transactional check",
                Box::new(TransactWriteItems::new().action(condition_check)),
            ),
        ]
    });
}

#[test]
fn a_false_condition_is_one_error_for_every_write() {
    check(|| {
        let failed = |what, request: Box<dyn Request>| {
            let message = Message::Exactly("The conditional request failed".to_owned());
            boxed(CONDITION_FAILED, what, request, message)
        };
        vec![
            failed(
                "put",
                Box::new(PutItem::new(TABLE, row()).condition("attribute_not_exists(PK)")),
            ),
            failed("delete", Box::new(DeleteItem::new(TABLE, key()).condition("wins > PK"))),
            failed("update", Box::new(update("REMOVE wins").condition("attribute_exists(losses)"))),
        ]
    });
}

#[test]
fn a_failed_condition_returns_its_item_only_if_requested() {
    on_both_stores(|db| {
        load(db);
        let put = PutItem::new(TABLE, row()).condition("attribute_not_exists(PK)");
        assert_eq!(db.put_item(put), Err(Error::ConditionalCheckFailed { item: None }));
    });
}
