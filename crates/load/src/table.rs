//! The table of a run: creates it, waits for it, checks it, deletes it.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::sample::{self, PARTITION_ITEMS};
use crate::{Client, Error, Operation, Result};

/// How long a new table may take until it can be used. On AWS it is about ten seconds.
const ACTIVE_SECONDS_MAX: u64 = 60;
const ACTIVE_POLL: Duration = Duration::from_millis(50);
/// How much of an unexpected response a message contains.
const EXCERPT_CHARACTERS: usize = 80;
/// The exceptions for a signature or a key that was not accepted.
const CREDENTIAL_EXCEPTIONS: &[&str] = &[
    "AccessDeniedException",
    "ExpiredTokenException",
    "IncompleteSignatureException",
    "InvalidSignatureException",
    "MissingAuthenticationTokenException",
    "UnrecognizedClientException",
];

/// Whether a table exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    Missing,
    Exists,
}

/// Returns the exception of a response: its name without the shape's namespace, and its message.
pub(crate) fn exception(status: u16, body: &[u8]) -> (String, String) {
    let json: Value = serde_json::from_slice(body).unwrap_or_default();
    let code = json["__type"].as_str().and_then(|name| name.rsplit('#').next());
    let message = json["message"].as_str().or(json["Message"].as_str());
    match code {
        Some(code) => (code.to_owned(), message.unwrap_or_default().to_owned()),
        None => (format!("HTTP {status}"), excerpt(&String::from_utf8_lossy(body))),
    }
}

/// Returns whether the table exists. This is the first request of a run, so it also detects whether
/// the server is a DynamoDB endpoint.
pub(crate) fn find(client: &mut Client, table: &str) -> Result<Presence> {
    match call(client, "DescribeTable", &json!({"TableName": table})) {
        Ok(answer) if answer["Table"].is_object() => Ok(Presence::Exists),
        Ok(answer) => Err(Error::NotDynamoDb {
            endpoint: client.endpoint().to_string(),
            reason: format!("the response to DescribeTable is {}", excerpt(&answer.to_string())),
        }),
        Err(Error::Refused { code, .. }) if code == "ResourceNotFoundException" => {
            Ok(Presence::Missing)
        }
        Err(error) => Err(error),
    }
}

/// Creates the table and waits until it and its indexes can be used.
pub(crate) fn create(client: &mut Client, table: &str) -> Result<()> {
    call(client, "CreateTable", &sample::create_table(table))?;
    let start = Instant::now();
    loop {
        let answer = call(client, "DescribeTable", &json!({"TableName": table}))?;
        let status = status(&answer["Table"]);
        if status == "ACTIVE" {
            return Ok(());
        }
        if start.elapsed().as_secs() >= ACTIVE_SECONDS_MAX {
            let table = table.to_owned();
            return Err(Error::TableNotActive { table, status, seconds: ACTIVE_SECONDS_MAX });
        }
        thread::sleep(ACTIVE_POLL);
    }
}

/// Deletes the table.
pub(crate) fn delete(client: &mut Client, table: &str) -> Result<()> {
    call(client, "DeleteTable", &json!({"TableName": table})).map(drop)
}

/// Sends one request of an operation and checks the response, because a server with fast but wrong
/// responses must not get a good result.
pub(crate) fn probe(
    client: &mut Client,
    operation: Operation,
    table: &str,
    number: u64,
) -> Result<()> {
    let mut body = Vec::new();
    sample::write_body(operation, table, number, &mut body);
    let answer = call_text(client, operation.dynamodb_name(), &String::from_utf8_lossy(&body))?;
    let reason = match operation {
        Operation::Get if answer["Item"]["notes"]["S"].is_null() => "the response lacks the item",
        Operation::Query
            if answer["Items"].as_array().map(Vec::len) != Some(PARTITION_ITEMS as usize) =>
        {
            "the response lacks some of the 50 items of the partition"
        }
        Operation::Get
        | Operation::Query
        | Operation::Update
        | Operation::Put
        | Operation::Transaction
        | Operation::Batch => return Ok(()),
    };
    let operation = operation.dynamodb_name().to_owned();
    Err(Error::WrongAnswer { operation, reason: reason.to_owned() })
}

/// Returns the status of the table, or that of an index that is not ready.
fn status(table: &Value) -> String {
    let own = &table["TableStatus"];
    let indexes = table["GlobalSecondaryIndexes"].as_array();
    let of_indexes = indexes.into_iter().flatten().map(|index| &index["IndexStatus"]);
    let mut all = std::iter::once(own).chain(of_indexes).filter_map(Value::as_str);
    all.find(|status| *status != "ACTIVE").or(own.as_str()).unwrap_or("without a status").to_owned()
}

fn call(client: &mut Client, operation: &str, body: &Value) -> Result<Value> {
    call_text(client, operation, &body.to_string())
}

fn call_text(client: &mut Client, operation: &str, body: &str) -> Result<Value> {
    let (status, body) = client.call(operation, body)?;
    let endpoint = client.endpoint().to_string();
    if status == 200 {
        return serde_json::from_str(&body).map_err(|_| Error::NotDynamoDb {
            endpoint,
            reason: format!("the response to {operation} is {}", excerpt(&body)),
        });
    }
    let (code, message) = exception(status, body.as_bytes());
    let is_exception = !code.starts_with("HTTP ");
    if CREDENTIAL_EXCEPTIONS.contains(&code.as_str()) {
        return Err(Error::CredentialsRefused { endpoint, code, message });
    }
    if is_exception {
        Err(Error::Refused { operation: operation.to_owned(), code, message })
    } else {
        Err(Error::NotDynamoDb {
            endpoint,
            reason: format!("{operation} failed with status {status}: {message}"),
        })
    }
}

/// Returns the beginning of a text, on one line.
fn excerpt(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(EXCERPT_CHARACTERS) {
        _ if line.is_empty() => "an empty body".to_owned(),
        None => line,
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceptions_are_read_from_their_bodies() {
        let check = |body: &str| exception(400, body.as_bytes());
        let pair = |code: &str, message: &str| (code.to_owned(), message.to_owned());
        assert_eq!(
            check(r#"{"__type":"com.amazonaws.dynamodb.v20120810#XException","message":"no"}"#),
            pair("XException", "no")
        );
        assert_eq!(check(r#"{"__type":"XException","Message":"no"}"#), pair("XException", "no"));
        assert_eq!(check("<html>\n <p>"), pair("HTTP 400", "<html> <p>"));
        assert_eq!(check(""), pair("HTTP 400", "an empty body"));
        assert_eq!(check(&"é".repeat(100)), pair("HTTP 400", &format!("{}…", "é".repeat(80))));
    }

    #[test]
    fn a_table_is_active_only_with_its_indexes() {
        let check = |own: &str, index: &str| {
            status(&json!({
                "TableStatus": own,
                "GlobalSecondaryIndexes": [{"IndexStatus": "ACTIVE"}, {"IndexStatus": index}],
            }))
        };
        assert_eq!(check("ACTIVE", "ACTIVE"), "ACTIVE");
        assert_eq!(check("ACTIVE", "CREATING"), "CREATING");
        assert_eq!(check("CREATING", "ACTIVE"), "CREATING");
        assert_eq!(status(&json!({"TableStatus": "ACTIVE"})), "ACTIVE");
        assert_eq!(status(&json!({})), "without a status");
    }
}
