//! Servers that cannot be measured, each with its error message.

use std::net::TcpListener;

use expect_test::{Expect, expect};
use monotable_load::{Operation, Options};

use crate::fake::{Fake, FakeResponse, Framing, exception, well_behaved};
use crate::runs::{measure, quick};

/// Runs against a server with the given response to one operation, and valid responses to the
/// others.
fn check(operation: &'static str, answer: FakeResponse, expected: Expect) {
    let good = well_behaved();
    let server = Fake::start(Framing::Length, move |called, request| match called {
        _ if called == operation => answer.clone(),
        _ => good(called, request),
    });
    let error = measure(&quick(&server)).unwrap_err().to_string();
    expected.assert_eq(&error.replace(&server.url, "URL"));
    // Whatever was created is gone.
    assert_eq!(server.calls_of("CreateTable"), server.calls_of("DeleteTable"));
}

#[test]
fn no_server() {
    // A port that was free a moment ago.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = measure(&Options::new(&url)).unwrap_err().to_string();
    let start = format!("no server responds at {url} (");
    assert!(error.starts_with(&start), "{error}");
    assert!(error.ends_with("): is it started, and is the port correct?"), "{error}");
}

#[test]
fn another_server() {
    check(
        "DescribeTable",
        (404, "<html>\n<h1>Not Found</h1>".to_owned()),
        expect![
            "URL is not a DynamoDB endpoint: DescribeTable failed with status 404: <html> <h1>Not Found</h1>"
        ],
    );
    check(
        "DescribeTable",
        (200, "Welcome!".to_owned()),
        expect!["URL is not a DynamoDB endpoint: the response to DescribeTable is Welcome!"],
    );
    check(
        "DescribeTable",
        (200, r#"{"hello":"world"}"#.to_owned()),
        expect![[
            r#"URL is not a DynamoDB endpoint: the response to DescribeTable is {"hello":"world"}"#
        ]],
    );
}

#[test]
fn credentials_refused() {
    let message = "The security token included in the request is invalid.";
    check(
        "DescribeTable",
        exception("UnrecognizedClientException", message),
        expect![
            "URL refuses the credentials (UnrecognizedClientException: The security token included in the request is invalid.): give keys that it knows with --access-key and --secret-key or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        ],
    );
}

#[test]
fn requests_refused() {
    check(
        "PutItem",
        exception("ValidationException", "No"),
        expect!["PutItem failed with ValidationException: No"],
    );
    check(
        "BatchWriteItem",
        exception("ThrottlingException", "Slow down"),
        expect!["the table could not be filled: ThrottlingException: Slow down"],
    );
}

#[test]
fn responses_without_the_expected_contents() {
    check(
        "GetItem",
        (200, "{}".to_owned()),
        expect!["GetItem succeeded, but the response lacks the item"],
    );
    check(
        "Query",
        (200, r#"{"Items":[],"Count":0}"#.to_owned()),
        expect!["Query succeeded, but the response lacks some of the 50 items of the partition"],
    );
}

#[test]
fn a_foreign_table_is_not_touched() {
    let server = Fake::start(Framing::Length, |operation, _| match operation {
        "DescribeTable" => (200, r#"{"Table":{"TableStatus":"ACTIVE"}}"#.to_owned()),
        _ => (200, "{}".to_owned()),
    });
    let options = Options {
        operations: vec![Operation::Put],
        table: Some("customers".to_owned()),
        ..quick(&server)
    };
    let error = measure(&options).unwrap_err().to_string();
    assert_eq!(error, "GetItem succeeded, but the response lacks the item");
    assert_eq!(*server.calls.lock().unwrap(), ["DescribeTable", "GetItem"]);
}
