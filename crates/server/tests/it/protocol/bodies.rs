//! Bodies of known length, in chunks, and on invitation.

use std::fmt::Write;

use crate::fixture::{GET_THERE, THERE, World, head, put, request, request_with};

fn chunked(operation: &str, chunks: &str) -> Vec<u8> {
    format!("{}{chunks}", head(operation, "Transfer-Encoding: chunked\r\n")).into_bytes()
}

fn in_chunks_of(body: &str, size: usize) -> String {
    let mut chunks = String::new();
    for chunk in body.as_bytes().chunks(size) {
        let chunk = std::str::from_utf8(chunk).unwrap();
        write!(chunks, "{:x}\r\n{chunk}\r\n", chunk.len()).unwrap();
    }
    chunks + "0\r\n\r\n"
}

#[test]
fn chunks_of_every_size_are_put_together() {
    let world = World::new();
    let mut client = world.connect();
    for size in [1, 2, 7, 16, 1_000] {
        client.send(chunked("GetItem", &in_chunks_of(GET_THERE, size)));
        assert_eq!(client.receive().text(), THERE, "chunks of {size}");
    }
}

#[test]
fn chunks_may_arrive_byte_by_byte_and_something_follow() {
    let world = World::new();
    let mut client = world.connect();
    for byte in chunked("GetItem", &in_chunks_of(GET_THERE, 5)) {
        client.send([byte]);
    }
    client.send("GET /health HTTP/1.1\r\n\r\n");
    assert_eq!(client.receive().text(), THERE);
    assert_eq!(client.receive().text(), "ok\n");
}

#[test]
fn extensions_of_chunks_are_passed_over() {
    let world = World::new();
    let mut client = world.connect();
    let length = GET_THERE.len();
    client.send(chunked(
        "GetItem",
        &format!("{length:X};a=b;signature=c\r\n{GET_THERE}\r\n0;last\r\n\r\n"),
    ));
    assert_eq!(client.receive().text(), THERE);
}

#[test]
fn a_large_item_arrives_either_way() {
    let world = World::new();
    let mut client = world.connect();
    let body = put("large", 390_000);
    for request in [
        request("PutItem", &body),
        chunked("PutItem", &in_chunks_of(&body, 65_536)),
        chunked("PutItem", &in_chunks_of(&body, 1_000_000)),
        chunked("PutItem", &in_chunks_of(&body, 3)),
    ] {
        client.send(request);
        assert_eq!(client.receive().text(), "{}");
    }
}

#[test]
fn a_body_is_invited_when_the_client_waits_for_it() {
    let world = World::new();
    let mut client = world.connect();
    let length = GET_THERE.len();
    for (headers, body) in [
        (format!("Content-Length: {length}\r\n"), GET_THERE.to_owned()),
        ("Transfer-Encoding: chunked\r\n".to_owned(), in_chunks_of(GET_THERE, 9)),
    ] {
        client.send(head("GetItem", &format!("Expect: 100-continue\r\n{headers}")));
        assert_eq!(client.receive_head().status, 100);
        client.send(body);
        assert_eq!(client.receive().text(), THERE);
    }
}

#[test]
fn a_body_that_came_anyway_is_not_invited() {
    let world = World::new();
    let mut client = world.connect();
    client.send(request_with("GetItem", "Expect: 100-continue\r\n", GET_THERE));
    assert_eq!(client.receive().text(), THERE);
}

#[test]
fn a_body_that_is_too_large_is_not_invited() {
    let world = World::new();
    let mut client = world.connect();
    client.send(head("PutItem", "Expect: 100-continue\r\nContent-Length: 16777217\r\n"));
    assert_eq!(client.receive().status, 413);
    client.expect_end();
}

#[test]
fn a_body_of_exactly_the_limit_is_taken_and_one_more_byte_is_not() {
    const LIMIT: usize = 16 * 1024 * 1024;
    let world = World::new();
    // White space around the document counts and means nothing.
    let body =
        |length: usize| [GET_THERE.as_bytes(), &vec![b' '; length - GET_THERE.len()]].concat();
    let exact = body(LIMIT);
    let mut client = world.connect();
    client.send(request("GetItem", &exact));
    assert_eq!(client.receive().text(), THERE);
    let text = std::str::from_utf8(&exact).unwrap();
    client.send(chunked("GetItem", &in_chunks_of(text, LIMIT)));
    assert_eq!(client.receive().text(), THERE);
    client.send(chunked("GetItem", &in_chunks_of(text, 100_000)));
    assert_eq!(client.receive().text(), THERE);
    for request in [
        request("GetItem", body(LIMIT + 1)),
        chunked("GetItem", &format!("{:x}\r\n", LIMIT + 1)),
        chunked("GetItem", &in_chunks_of(&format!("{text} "), LIMIT)),
    ] {
        let mut client = world.connect();
        client.try_send(request);
        assert_eq!(client.receive().status, 413);
        world.assert_serves();
    }
}
