//! What the backends make of answers that no healthy store gives: each is answered by a stub, goes
//! through the SDK, and comes out as an error that says what the caller can do.

use std::io::{BufRead, BufReader, Read, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{Credentials, retry::RetryConfig};
use monotable_model::backend::request::{
    Action, BatchAction, BatchGet, BatchWrite, Get, Returns, Transaction, TransactionGet, Write,
};
use monotable_model::backend::{Backend, BackendError, Dynamo, Row};
use monotable_types::item;

use crate::endpoint::client_of;

/// A backend whose every request is answered with this.
fn answering(status: u16, body: &str) -> Dynamo {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let body = body.to_owned();
    thread::spawn(move || {
        for connection in listener.incoming() {
            answer(connection.unwrap(), status, &body);
        }
    });
    backend(format!("http://{address}"))
}

/// The SDK sends some requests again by itself; here every answer is to be seen.
fn backend(url: String) -> Dynamo {
    let client = client_of(url, Credentials::new("stub", "stub", None, None, "fixed"));
    let config = client.config().to_builder().retry_config(RetryConfig::disabled());
    Dynamo::new(Client::from_conf(config.build()))
}

fn answer(mut connection: TcpStream, status: u16, body: &str) {
    let mut request = BufReader::new(connection.try_clone().unwrap());
    let mut length = 0;
    loop {
        let mut line = String::new();
        request.read_line(&mut line).unwrap();
        let line = line.trim_end().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.is_empty() {
            break;
        }
    }
    request.read_exact(&mut vec![0; length]).unwrap();
    let head = format!(
        "HTTP/1.1 {status} Stub\r\ncontent-type: application/x-amz-json-1.0\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    // A client that hung up has what it wanted.
    let _ = connection.write_all(format!("{head}{body}").as_bytes());
}

fn exception(name: &str) -> String {
    format!(r#"{{"__type":"com.amazonaws.dynamodb.v20120810#{name}","message":"because"}}"#)
}

fn get() -> Get {
    Get {
        table: "league".into(),
        key: item! { "PK" => "a" },
        consistent: true,
        returns_units: false,
    }
}

fn put() -> Write {
    Write {
        table: "league".into(),
        action: Action::Put(item! { "PK" => "a" }),
        condition: None,
        return_on_failure: false,
        returns: Returns::Nothing,
        returns_units: false,
    }
}

async fn get_error(status: u16, body: &str) -> String {
    format!("{:?}", answering(status, body).get(get()).await.unwrap_err())
}

async fn put_error(status: u16, body: &str) -> String {
    format!("{:?}", answering(status, body).write(put()).await.unwrap_err())
}

async fn transaction_error(body: &str) -> BackendError {
    let transaction = Transaction { writes: vec![put()], token: Some("token".to_owned()) };
    answering(400, body).transact(transaction).await.unwrap_err()
}

#[tokio::test]
async fn throttling_has_many_names() {
    for name in
        ["ProvisionedThroughputExceededException", "RequestLimitExceeded", "ThrottlingException"]
    {
        let expected = format!(r#"Throttled("{name}: because")"#);
        assert_eq!(get_error(400, &exception(name)).await, expected);
        assert_eq!(put_error(400, &exception(name)).await, expected);
        // The SDK knows none of these for this operation.
        let described = answering(400, &exception(name)).describe_table("league").await;
        assert_eq!(format!("{:?}", described.unwrap_err()), expected);
    }
}

#[tokio::test]
async fn refusals_and_failures_are_distinguished() {
    for name in ["ValidationException", "AccessDeniedException", "UnrecognizedClientException"] {
        let expected = format!(r#"Refused("{name}: because")"#);
        assert_eq!(get_error(400, &exception(name)).await, expected);
    }
    let too_large = exception("ItemCollectionSizeLimitExceededException");
    let expected = r#"Refused("ItemCollectionSizeLimitExceededException: because")"#;
    assert_eq!(put_error(400, &too_large).await, expected);
    let expected = r#"Failed("InternalServerError: because")"#;
    assert_eq!(get_error(500, &exception("InternalServerError")).await, expected);
    let expected = r#"Failed("ServiceUnavailable: because")"#;
    assert_eq!(get_error(503, &exception("ServiceUnavailable")).await, expected);
    assert_eq!(
        get_error(400, &exception("ResourceNotFoundException")).await,
        r#"NoTable("league")"#
    );
}

#[tokio::test]
async fn conflicts_can_be_tried_again() {
    assert_eq!(put_error(400, &exception("TransactionConflictException")).await, "Conflict");
    let error = transaction_error(&exception("TransactionInProgressException")).await;
    assert!(matches!(error, BackendError::Conflict), "{error:?}");
    let error = transaction_error(&exception("IdempotentParameterMismatchException")).await;
    assert!(matches!(error, BackendError::TokenReused), "{error:?}");
}

#[tokio::test]
async fn every_reason_of_a_cancelled_transaction_has_its_meaning() {
    let cancelled = r#"{
        "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
        "Message": "Transaction cancelled",
        "CancellationReasons": [
            {"Code": "None"},
            {"Code": "ConditionalCheckFailed", "Message": "m", "Item": {"PK": {"S": "a"}}},
            {"Code": "ConditionalCheckFailed", "Message": "m"},
            {"Code": "TransactionConflict", "Message": "m"},
            {"Code": "ProvisionedThroughputExceeded", "Message": "m"},
            {"Code": "ThrottlingError", "Message": "m"},
            {"Code": "ItemCollectionSizeLimitExceeded", "Message": "m"},
            {"Code": "ValidationError"}
        ]
    }"#;
    let expected = r#"Cancelled { reasons: [Fine, ConditionFailed { row: Some({"PK": S("a")}) }, ConditionFailed { row: None }, Conflict, Throttled, Throttled, Refused("ItemCollectionSizeLimitExceeded: m"), Refused("ValidationError")] }"#;
    assert_eq!(format!("{:?}", transaction_error(cancelled).await), expected);
    let gets = TransactionGet {
        table: "league".into(),
        keys: vec![item! { "PK" => "a" }],
        returns_units: false,
    };
    let read = answering(400, cancelled).transact_get(gets).await.unwrap_err();
    assert_eq!(format!("{read:?}"), expected);
}

#[tokio::test]
async fn what_is_no_answer_is_a_failure() {
    for body in [
        "no JSON",
        r#"{"Item": {"PK": {"N": "one"}}}"#,
        r#"{"Item": {"PK": {"SS": []}}}"#,
        r#"{"Item": {"PK": {"NS": ["1", "1.0"]}}}"#,
        r#"{"Item": {"PK": {"Z": "new"}}}"#,
    ] {
        let answer = answering(200, body).get(get()).await;
        // Values are looked at when they are wanted.
        let item = answer.and_then(|answer| answer.row.map(Row::into_item).transpose());
        assert!(matches!(item, Err(BackendError::Failed(_))), "{body}: {item:?}");
    }
    let gets = TransactionGet {
        table: "league".into(),
        keys: vec![item! { "PK" => "a" }],
        returns_units: false,
    };
    let short = answering(200, r#"{"Responses": []}"#).transact_get(gets).await.unwrap_err();
    assert!(matches!(short, BackendError::Failed(_)), "{short:?}");
}

#[tokio::test]
async fn a_store_that_is_not_there_is_a_failure() {
    // A port that was free a moment ago: nobody listens.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = backend(format!("http://{address}")).get(get()).await.unwrap_err();
    assert!(matches!(error, BackendError::Failed(_)), "{error:?}");
}

#[tokio::test]
async fn unprocessed_requests_are_returned() {
    let unread = r#"{"Responses": {"league": []}, "UnprocessedKeys":
        {"league": {"Keys": [{"PK": {"S": "a"}}], "ConsistentRead": true}}}"#;
    let keys = vec![item! { "PK" => "a" }, item! { "PK" => "b" }];
    let batch = BatchGet { table: "league".into(), keys, consistent: true, returns_units: false };
    let answer = answering(200, unread).batch_get(batch).await.unwrap();
    assert_eq!(answer.unprocessed, [item! { "PK" => "a" }]);
    let unwritten = r#"{"UnprocessedItems": {"league": [
        {"PutRequest": {"Item": {"PK": {"S": "a"}}}}, {"DeleteRequest": {"Key": {"PK": {"S": "b"}}}}]}}"#;
    let writes = vec![
        BatchAction::Put(item! { "PK" => "a" }),
        BatchAction::Delete(item! { "PK" => "b" }),
        BatchAction::Delete(item! { "PK" => "c" }),
    ];
    let batch = BatchWrite { table: "league".into(), writes: writes.clone() };
    let answer = answering(200, unwritten).batch_write(batch).await.unwrap();
    assert_eq!(answer.unprocessed, writes[..2]);
}
