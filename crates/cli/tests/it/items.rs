//! The tables and requests that several topics share: items with the string key `id`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::client::Client;

/// The table of most tests.
pub(crate) const TABLE: &str = "items";

/// Creates the table and waits until it is ready.
pub(crate) fn create_table(client: &mut Client) {
    create(client, json!({}));
}

/// Creates the table with more of CreateTable's members.
pub(crate) fn create(client: &mut Client, more: Value) {
    let mut request = json!({
        "TableName": TABLE,
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
        "BillingMode": "PAY_PER_REQUEST",
    });
    for (name, member) in more.as_object().unwrap() {
        request[name] = member.clone();
    }
    client.done("CreateTable", &request);
    let describe = json!({"TableName": TABLE});
    while client.done("DescribeTable", &describe)["Table"]["TableStatus"] != "ACTIVE" {}
}

/// A PutItem of an item with nothing but a key and a number.
pub(crate) fn put(id: &str, number: u64) -> Value {
    json!({"TableName": TABLE, "Item": {"id": {"S": id}, "n": {"N": number.to_string()}}})
}

/// A strongly consistent GetItem.
pub(crate) fn get(id: &str) -> Value {
    json!({"TableName": TABLE, "Key": key(id), "ConsistentRead": true})
}

pub(crate) fn key(id: &str) -> Value {
    json!({"id": {"S": id}})
}

/// All items by their ids, through as many pages as it takes.
pub(crate) fn scan(client: &mut Client) -> BTreeMap<String, Value> {
    let mut request = json!({"TableName": TABLE, "ConsistentRead": true});
    let mut items = BTreeMap::new();
    loop {
        let mut page = client.done("Scan", &request);
        for item in page["Items"].as_array().unwrap() {
            items.insert(item["id"]["S"].as_str().unwrap().to_owned(), item.clone());
        }
        match page["LastEvaluatedKey"].take() {
            Value::Null => return items,
            last => request["ExclusiveStartKey"] = last,
        }
    }
}

/// A number that an item has, if it has it.
pub(crate) fn number<T: std::str::FromStr>(item: &Value, name: &str) -> Option<T> {
    item[name]["N"].as_str().and_then(|text| text.parse().ok())
}
