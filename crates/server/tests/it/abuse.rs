//! Requests of hostile and broken clients. Each gets the right response, the table stays unchanged,
//! and other clients are served immediately afterwards.

mod amounts;
mod bodies;
mod connections;
mod heads;
mod json;
mod operations;
mod readers;
mod slow;
mod uploads;

use crate::fixture::{World, request};

/// Something hostile on a connection of its own: what it is, all that is sent, and the status.
pub(crate) type Case = (&'static str, Vec<u8>, u16);

/// Each is refused with its status, and then the connection is closed.
#[track_caller]
fn check_refused(cases: Vec<Case>) {
    let world = World::new();
    for (name, bytes, status) in cases {
        let mut client = world.connect();
        client.try_send(bytes);
        let answer = client.receive();
        assert_eq!(answer.status, status, "{name}: {}", answer.text());
        assert_eq!(answer.header("connection"), Some("close"), "{name}");
        assert!(answer.header("x-amzn-requestid").is_none(), "{name}");
        client.expect_end();
        assert!(!world.has("evil"), "{name}");
        world.assert_serves();
    }
}

/// A request with an error of AWS: operation, body, the exception and a part of its message.
pub(crate) type Wrong = (&'static str, &'static str, Vec<u8>, &'static str, &'static str);

/// Each gets its error on one connection, which stays open.
#[track_caller]
fn check_wrong(cases: Vec<Wrong>) {
    let world = World::new();
    let mut client = world.connect();
    for (name, operation, body, code, message) in cases {
        client.send(request(operation, body));
        let answer = client.receive();
        let text: String = answer.text().chars().take(300).collect();
        assert_eq!((answer.status, &*answer.code()), (400, code), "{name}: {text}");
        assert!(answer.text().contains(message), "{name}: {text}");
        assert!(!world.has("evil"), "{name}");
        world.assert_serves();
    }
}
