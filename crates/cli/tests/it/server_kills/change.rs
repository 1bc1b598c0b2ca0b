//! What clients write: rows, changes to rows, and the requests that carry them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::items::{TABLE, key, number};

/// Rows by their ids.
pub(crate) type Rows = BTreeMap<String, Row>;

/// What is kept of an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    /// What was put, different every time; the body follows from it.
    pub(crate) value: Option<u64>,
    /// What was added.
    pub(crate) count: Option<u64>,
}

/// A change to one row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    /// Replaces the row. The body's length is the remainder of the value by this.
    Put {
        value: u64,
        body_bytes_max: u64,
    },
    /// Adds one to the count, and makes the row if there is none.
    Add,
    Delete,
}

/// How changes are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Single,
    /// Either all changes happen or none.
    Transaction,
    /// Each change happens or not.
    Batch,
}

/// One request.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) kind: Kind,
    /// The client, which the index is by.
    pub(crate) client: u64,
    /// Rows with what is to happen to them, each row once.
    pub(crate) changes: Vec<(String, Change)>,
}

impl Row {
    /// Reads an item, whose body must be the one that was put.
    pub(crate) fn of_item(item: &Value) -> Self {
        let value = number(item, "value");
        if let Some(value) = value {
            let max = number(item, "max").expect("put together with the value");
            assert_eq!(item["body"]["S"], body(value, max), "the body of {value}");
        }
        Self { value, count: number(item, "count") }
    }
}

/// A text that belongs to one value only.
fn body(value: u64, body_bytes_max: u64) -> String {
    let length = (value % body_bytes_max) as usize;
    let text = value.to_string();
    text.repeat(length / text.len() + 1)[..length].to_owned()
}

impl Change {
    /// The row afterwards.
    pub(crate) fn apply(self, row: Option<Row>) -> Option<Row> {
        match self {
            Self::Put { value, .. } => Some(Row { value: Some(value), count: None }),
            Self::Add => {
                let row = row.unwrap_or_default();
                Some(Row { count: Some(row.count.unwrap_or(0) + 1), ..row })
            }
            Self::Delete => None,
        }
    }
}

impl Request {
    pub(crate) fn operation(&self) -> &'static str {
        match (self.kind, self.changes[0].1) {
            (Kind::Transaction, _) => "TransactWriteItems",
            (Kind::Batch, _) => "BatchWriteItem",
            (Kind::Single, Change::Put { .. }) => "PutItem",
            (Kind::Single, Change::Add) => "UpdateItem",
            (Kind::Single, Change::Delete) => "DeleteItem",
        }
    }

    pub(crate) fn to_json(&self) -> Value {
        let changes = self.changes.iter();
        match self.kind {
            Kind::Single => self.action(&self.changes[0].0, self.changes[0].1),
            Kind::Transaction => {
                let actions: Vec<Value> = changes
                    .map(|(id, change)| match change {
                        Change::Put { .. } => json!({"Put": self.action(id, *change)}),
                        Change::Add => json!({"Update": self.action(id, *change)}),
                        Change::Delete => json!({"Delete": self.action(id, *change)}),
                    })
                    .collect();
                json!({"TransactItems": actions})
            }
            Kind::Batch => {
                let entries: Vec<Value> = changes
                    .map(|(id, change)| match change {
                        Change::Put { .. } => {
                            json!({"PutRequest": {"Item": self.action(id, *change)["Item"]}})
                        }
                        Change::Delete => json!({"DeleteRequest": {"Key": key(id)}}),
                        Change::Add => unreachable!("a batch puts and deletes"),
                    })
                    .collect();
                json!({"RequestItems": {TABLE: entries}})
            }
        }
    }

    /// The members of PutItem, UpdateItem or DeleteItem, which are those of a transaction's actions.
    fn action(&self, id: &str, change: Change) -> Value {
        let client = json!({"N": self.client.to_string()});
        match change {
            Change::Put { value, body_bytes_max } => {
                let mut item = key(id);
                item["client"] = client;
                item["value"] = json!({"N": value.to_string()});
                item["max"] = json!({"N": body_bytes_max.to_string()});
                item["body"] = json!({"S": body(value, body_bytes_max)});
                json!({"TableName": TABLE, "Item": item})
            }
            Change::Add => json!({
                "TableName": TABLE,
                "Key": key(id),
                "UpdateExpression": "SET client = :client ADD #count :one",
                "ExpressionAttributeNames": {"#count": "count"},
                "ExpressionAttributeValues": {":one": {"N": "1"}, ":client": client},
            }),
            Change::Delete => json!({"TableName": TABLE, "Key": key(id)}),
        }
    }
}
