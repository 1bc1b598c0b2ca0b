//! The blocking client.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;

use monotable_load::{Client, Credentials, Endpoint};

use crate::fake::{Fake, Framing, exception};

#[test]
fn it_returns_status_and_body_whatever_the_framing() {
    for framing in Framing::ALL {
        let server = Fake::start(framing, |operation, request| match operation {
            "GetItem" => (200, request.to_string()),
            _ => exception("UnknownOperationException", ""),
        });
        let endpoint = Endpoint::parse(&server.url, None).unwrap();
        let mut client = Client::new(endpoint, Credentials::default());
        for body in [r#"{"a":1}"#, r#"{"b":2}"#] {
            assert_eq!(
                client.call("GetItem", body).unwrap(),
                (200, body.to_owned()),
                "{framing:?}"
            );
        }
        assert_eq!(client.call("GetNothing", "{}").unwrap().0, 400, "{framing:?}");
    }
}

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";

/// What a server does with the second request of its first connection.
#[derive(Clone, Copy)]
enum Second {
    /// It reads it and closes without a word.
    Swallowed,
    /// It has closed before the request is sent.
    Refused,
}

/// Sends an operation twice to a server that responds to the first request, closes its first
/// connection and responds normally on the next one; returns whether the second succeeds.
fn succeeds_twice(operation: &str, second: Second) -> bool {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint =
        Endpoint::parse(&format!("http://{}", listener.local_addr().unwrap()), None).unwrap();
    let (closed, is_closed) = mpsc::channel();
    let server = thread::spawn(move || {
        let (mut first, _) = listener.accept().unwrap();
        let mut buffer = [0; 4096];
        assert_ne!(first.read(&mut buffer).unwrap(), 0);
        first.write_all(ANSWER).unwrap();
        if let Second::Swallowed = second {
            assert_ne!(first.read(&mut buffer).unwrap(), 0);
        }
        drop(first);
        closed.send(()).unwrap();
        let (mut next, _) = listener.accept().unwrap();
        if next.read(&mut buffer).unwrap() > 0 {
            next.write_all(ANSWER).unwrap();
        }
    });
    let address = endpoint.to_string();
    let mut client = Client::new(endpoint, Credentials::default());
    client.call(operation, "{}").unwrap();
    if let Second::Refused = second {
        is_closed.recv().unwrap();
    }
    let result = client.call(operation, "{}");
    // If the client gave up, the server still waits for a connection, and this one ends it.
    drop(TcpStream::connect(address.trim_start_matches("http://")));
    server.join().unwrap();
    result.is_ok()
}

#[test]
fn a_read_whose_connection_is_lost_is_sent_again() {
    for operation in ["GetItem", "BatchGetItem", "TransactGetItems", "Query", "DescribeTable"] {
        assert!(succeeds_twice(operation, Second::Swallowed), "{operation}");
    }
}

#[test]
fn a_write_whose_connection_is_lost_may_have_been_done_and_is_not_sent_again() {
    for operation in ["PutItem", "UpdateItem", "BatchWriteItem", "TransactWriteItems"] {
        assert!(!succeeds_twice(operation, Second::Swallowed), "{operation}");
    }
}

#[test]
fn a_connection_that_is_closed_already_takes_no_request() {
    for operation in ["GetItem", "PutItem", "DeleteTable"] {
        assert!(succeeds_twice(operation, Second::Refused), "{operation}");
    }
}
