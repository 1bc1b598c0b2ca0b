//! The headers of every response, and clients that read slowly.

use crate::client::Answer;
use crate::fixture::{GET_THERE, THERE, World, put, request};

#[track_caller]
fn assert_is_aws(answer: &Answer) {
    let id = answer.header("x-amzn-requestid").expect("an id");
    assert!(id.len() == 52 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{id}");
    let checksum = answer.header("x-amz-crc32").expect("a checksum");
    assert_eq!(checksum, crc32(&answer.body).to_string(), "{answer:?}");
    assert_eq!(answer.header("content-type"), Some("application/x-amz-json-1.0"));
    assert!(answer.header("date").is_some_and(|date| date.ends_with(" GMT")));
}

/// The checksum by its definition, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |state, &byte| {
        (0..8).fold(state ^ u32::from(byte), |state, _| match state & 1 {
            1 => (state >> 1) ^ 0xedb8_8320,
            _ => state >> 1,
        })
    })
}

#[test]
fn every_answer_of_dynamodb_has_an_id_and_a_checksum() {
    let world = World::new();
    for (operation, body, status) in [
        ("GetItem", GET_THERE, 200),
        ("ListTables", "{}", 200),
        ("GetItem", "{", 400),
        ("GetItem", "{}", 400),
        ("GetItem", "", 400),
        ("DeleteTable", r#"{"TableName":"nowhere"}"#, 400),
        ("Nonsense", "{}", 400),
    ] {
        let answer = world.ask(operation, body);
        assert_eq!(answer.status, status, "{operation} {body}");
        assert_is_aws(&answer);
    }
}

#[test]
fn ids_differ() {
    let world = World::new();
    let ids: std::collections::HashSet<_> = (0..20)
        .map(|_| world.ask("ListTables", "{}").header("x-amzn-requestid").unwrap().to_owned())
        .collect();
    assert_eq!(ids.len(), 20);
}

#[test]
fn the_answer_to_a_head_has_no_body() {
    let world = World::new();
    let mut client = world.connect();
    for path in ["/", "/health", "/ready", "/metrics", "/nowhere"] {
        client.send(format!("HEAD {path} HTTP/1.1\r\n\r\nGET {path} HTTP/1.1\r\n\r\n"));
        let head = client.receive_head();
        let whole = client.receive();
        assert_eq!(head.status, whole.status, "{path}");
        assert_eq!(head.header("content-type"), whole.header("content-type"), "{path}");
        assert!(head.header("content-length").is_some_and(|length| length != "0"), "{path}");
    }
    client.send(request("GetItem", GET_THERE));
    assert_eq!(client.receive().text(), THERE);
}

/// A page of a megabyte is more than the system keeps for a client that reads little by little.
#[test]
fn a_slow_reader_gets_all_of_a_large_answer() {
    let world = World::new();
    for number in 0..4 {
        world.ask("PutItem", put(&format!("large{number}"), 390_000));
    }
    let mut client = world.connect();
    let scan = request("Scan", r#"{"TableName":"plain"}"#);
    client.send(scan.repeat(8));
    // Eight answers, of which a client that reads nothing has taken none.
    world.assert_serves();
    let mut received = Vec::new();
    while received.len() < 300_000 {
        received.extend(client.read_up_to(1_000));
    }
    world.assert_serves();
    let text = String::from_utf8_lossy(&received).into_owned();
    assert!(
        text.starts_with("HTTP/1.1 200 OK\r\n") && text.contains("\"Items\""),
        "{}",
        &text[..99]
    );
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let length = head.split_once("content-length: ").unwrap().1.split("\r\n").next().unwrap();
    let mut missing = length.parse::<usize>().unwrap() - body.len();
    while missing > 0 {
        missing -= client.read_up_to(missing.min(50_000)).len();
    }
    for _ in 1..8 {
        let answer = client.receive();
        assert_is_aws(&answer);
        assert!(answer.body.len() > 1_000_000 || answer.text().contains("\"LastEvaluatedKey\""));
    }
}
