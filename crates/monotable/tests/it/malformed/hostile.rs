//! Random values in every member of every operation: each request gets a response, and the database
//! keeps working.

use monotable::dynamodb::{
    BatchGetItem, BatchWriteItem, ConditionCheck, CreateTable, DeleteItem, DeleteTable,
    DescribeStream, DescribeTable, GetItem, GetRecords, GetShardIterator, IndexDefinition,
    ListStreams, ListTables, ListTagsOfResource, PutItem, Query, Scan, ShardIteratorType,
    TagResource, TransactGetItems, TransactWriteItems, UntagResource, UpdateItem, UpdateTable,
    UpdateTimeToLive,
};
use monotable::{AttributeValue, Database, Item, list, map, set};

use super::{Request, TABLE, get, key, load, row};
use crate::support::stores::on_both_stores;

/// Texts that break naive readers of names, numbers, expressions and ARNs.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> = [
        "",
        " ",
        "\0",
        "#",
        ":",
        "(",
        ")",
        "((",
        "a[",
        "a[]",
        "a[-1]",
        "a[99999999999999999999]",
        "a.",
        ".a",
        "a..b",
        "a.b.c",
        "=",
        "a = ",
        "a = :v = :v",
        "NOT",
        "AND AND",
        "a BETWEEN",
        "SET",
        "SET a",
        "SET a = ",
        "REMOVE",
        "ADD a",
        "DELETE a b",
        "SET a = b + c + d",
        "begins_with(",
        "begins_with(a, b, c)",
        "size(size(a))",
        "attribute_exists()",
        "if_not_exists(a)",
        "ПК = :pk",
        "🦆",
        "\u{202e}abc",
        "arn:",
        "arn:::::",
        "a/b",
        "arn:aws:dynamodb:us-east-1:123456789012:table/",
        "..",
        "teams/stream/x",
        "%s%n",
        "\n\r\t",
    ]
    .map(str::to_owned)
    .to_vec();
    texts.extend(["(".repeat(5000), "NOT ".repeat(1000), "a.".repeat(2000), "#".repeat(300)]);
    texts.push(format!("{}a = :v{}", "(".repeat(1300), ")".repeat(1300)));
    texts.push("a = :v OR ".repeat(400) + "a = :v");
    texts
}

/// Values of every type, at their extremes.
fn values() -> Vec<AttributeValue> {
    let deep = (0..1000).fold(list![], |inner, _| list![inner]);
    vec![
        "".into(),
        "x".repeat(70_000).into(),
        "\0".into(),
        0.into(),
        AttributeValue::N("-9.9999999999999999999999999999999999999e125".parse().unwrap()),
        AttributeValue::B(Vec::new()),
        AttributeValue::B(vec![0xff; 3000]),
        true.into(),
        AttributeValue::Null,
        list![],
        map! {},
        map! { "" => "" },
        set![""].into(),
        set![0].into(),
        deep,
    ]
}

fn requests_with_text(text: &str) -> Vec<Box<dyn Request>> {
    let name = || text.to_owned();
    let condition = ConditionCheck::new(TABLE, key(), text);
    let index = IndexDefinition::new(text, &[text], &[text]);
    let keyed = |name: &str| CreateTable::new(name).partition_key(text, "S").unwrap();
    let update = UpdateItem::new(TABLE, key()).update(text);
    let iterator =
        |iterator_type| GetShardIterator { stream_arn: name(), shard_id: name(), iterator_type };
    vec![
        Box::new(PutItem::new(text, row())),
        Box::new(PutItem::new(TABLE, row()).condition(text).value(":v", 1)),
        Box::new(PutItem::new(TABLE, row()).condition("#n = :v").name(text, text).value(text, 1)),
        Box::new(GetItem::new(text, key())),
        Box::new(GetItem::new(TABLE, key()).projection(text)),
        Box::new(DeleteItem::new(TABLE, key()).condition(text)),
        Box::new(update.clone()),
        Box::new(update.condition(text).name("#n", text).value(":v", 1)),
        Box::new(Query::new(text).key_condition(text)),
        Box::new(Query::new(TABLE).key_condition(text).value(":v", "x").filter(text)),
        Box::new(Query::new(TABLE).index(text).key_condition("PK = :v").value(":v", "x")),
        Box::new(Scan::new(TABLE).filter(text).projection(text).value(":v", 1)),
        Box::new(Scan::new(TABLE).index(text)),
        Box::new(BatchGetItem::new().key(text, key())),
        Box::new(BatchWriteItem::new().put(text, row())),
        Box::new(TransactGetItems::new().get(text, key())),
        Box::new(TransactWriteItems::new().action(condition).client_request_token(text)),
        Box::new(keyed(text)),
        Box::new(keyed("new-table").global_index(index.clone())),
        Box::new(keyed("new-table").local_index(index)),
        Box::new(UpdateTable::new(text).deletion_protection(true)),
        Box::new(DeleteTable::new(text)),
        Box::new(DescribeTable::new(text)),
        Box::new(ListTables { exclusive_start_table_name: Some(name()), limit: None }),
        Box::new(UpdateTimeToLive::enable(text, text)),
        Box::new(TagResource { resource_arn: name(), tags: [(name(), name())].into() }),
        Box::new(UntagResource { resource_arn: name(), tag_keys: vec![name()] }),
        Box::new(ListTagsOfResource { resource_arn: name() }),
        Box::new(ListStreams {
            table_name: Some(name()),
            limit: None,
            exclusive_start_stream_arn: Some(name()),
        }),
        Box::new(DescribeStream::new(text)),
        Box::new(iterator(ShardIteratorType::AtSequenceNumber(name()))),
        Box::new(iterator(ShardIteratorType::Latest)),
        Box::new(GetRecords::new(text)),
    ]
}

fn requests_with_value(value: &AttributeValue) -> Vec<Box<dyn Request>> {
    let item = |attribute: &str| {
        let mut item: Item = row();
        item.insert(attribute.to_owned(), value.clone());
        item
    };
    let key_of =
        || Item::from([("PK".to_owned(), value.clone()), ("SK".to_owned(), value.clone())]);
    let update = |expression: &str| {
        UpdateItem::new(TABLE, key()).update(expression).value(":v", value.clone())
    };
    let put = |condition: &str| {
        PutItem::new(TABLE, row()).condition(condition).value(":v", value.clone())
    };
    let query =
        |condition: &str| Query::new(TABLE).key_condition(condition).value(":v", value.clone());
    vec![
        Box::new(PutItem::new(TABLE, item("PK"))),
        Box::new(PutItem::new(TABLE, item("city"))),
        Box::new(PutItem::new(TABLE, item("logo"))),
        Box::new(GetItem::new(TABLE, key_of())),
        Box::new(DeleteItem::new(TABLE, key_of())),
        Box::new(UpdateItem::new(TABLE, key_of())),
        Box::new(update("SET city = :v, other = list_append(:v, :v)")),
        Box::new(update("ADD wins :v")),
        Box::new(update("DELETE wins :v")),
        Box::new(update("SET wins = wins - :v")),
        Box::new(update("SET founded = if_not_exists(founded, :v)")),
        Box::new(put("contains(city, :v) OR size(wins) < :v")),
        Box::new(put("attribute_type(city, :v)")),
        Box::new(put("city BETWEEN :v AND :v AND wins IN (:v, :v)")),
        Box::new(query("PK = :v")),
        Box::new(query("PK = :v AND SK BETWEEN :v AND :v")),
        Box::new(query("PK = :v AND begins_with(SK, :v)").exclusive_start_key(key_of())),
        Box::new(Scan::new(TABLE).exclusive_start_key(key_of())),
        Box::new(Scan::new(TABLE).index("by-city").exclusive_start_key(item("founded"))),
        Box::new(BatchGetItem::new().key(TABLE, key_of())),
        Box::new(BatchWriteItem::new().put(TABLE, item("SK")).delete(TABLE, key_of())),
        Box::new(TransactGetItems::new().get(TABLE, key_of())),
        Box::new(TransactWriteItems::new().action(PutItem::new(TABLE, item("city")))),
        Box::new(TransactWriteItems::new().action(update("SET city = :v"))),
    ]
}

/// Sends every request. The contents of the responses are not checked.
fn send_all(db: &Database, requests: Vec<Box<dyn Request>>) {
    for request in requests {
        if let Err(error) = request.send(db) {
            assert_ne!(error.code(), "InternalServerError", "{error}");
        }
    }
}

#[test]
fn random_text_anywhere_gets_a_response() {
    on_both_stores(|db| {
        load(db);
        texts().iter().for_each(|text| send_all(db, requests_with_text(text)));
        db.put_item(PutItem::new(TABLE, row())).unwrap();
        assert_eq!(get(db, TABLE, key()), Some(row()));
    });
}

#[test]
fn extreme_values_anywhere_get_a_response() {
    on_both_stores(|db| {
        load(db);
        values().iter().for_each(|value| send_all(db, requests_with_value(value)));
        db.put_item(PutItem::new(TABLE, row())).unwrap();
        assert_eq!(get(db, TABLE, key()), Some(row()));
    });
}
