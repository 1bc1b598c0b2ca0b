//! Bodies that are too large, broken into bad chunks, or packed.

use super::{check_refused, check_wrong};
use crate::fixture::{World, head, put, request, request_with};

fn chunks(text: &str) -> Vec<u8> {
    format!("{}{text}", head("PutItem", "Transfer-Encoding: chunked\r\n")).into_bytes()
}

fn with_length(length: u64) -> Vec<u8> {
    head("PutItem", &format!("Content-Length: {length}\r\n")).into_bytes()
}

/// The head alone is enough: nobody waits for the body.
#[test]
fn bodies_that_are_too_large_are_refused_at_once() {
    check_refused(vec![
        ("500 MB", with_length(500_000_000), 413),
        ("17 MiB", with_length(17 << 20), 413),
        ("one byte more than 16 MiB", with_length((16 << 20) + 1), 413),
        ("all that 64 bits can say", with_length(u64::MAX), 413),
        ("a chunk of 500 MB", chunks("1dcd6500\r\n"), 413),
        ("a chunk of 17 MiB", chunks("1100000\r\nabc"), 413),
        ("a chunk of nearly 64 bits", chunks("fffffffffffffffe\r\nabc"), 413),
        ("chunks that add up", chunks(&format!("1\r\na\r\n{:x}\r\n", 16 << 20)), 413),
    ]);
}

#[test]
fn five_hundred_megabytes_that_are_really_sent_are_refused() {
    let world = World::new();
    for (mut client, start) in
        [(world.connect(), with_length(500_000_000)), (world.connect(), chunks(""))]
    {
        client.send(start);
        let chunk =
            [format!("{:x}\r\n", 1_000_000).into_bytes(), vec![b' '; 1_000_000], b"\r\n".to_vec()]
                .concat();
        let sent = (0..500).take_while(|_| client.try_send(&chunk)).count();
        // The rest was not wanted: the limit, what is read behind the refusal, and what the
        // system keeps on both sides.
        assert!(sent < 100, "{sent} MB were taken");
        world.assert_serves();
    }
}

#[test]
fn broken_chunks_are_refused() {
    check_refused(vec![
        ("no size", chunks("\r\nabc\r\n0\r\n\r\n"), 400),
        ("a size that is none", chunks("xyz\r\n"), 400),
        ("a negative size", chunks("-1\r\na"), 400),
        ("a size with 0x", chunks("0x3\r\nabc\r\n0\r\n\r\n"), 400),
        ("a size beyond 64 bits", chunks("10000000000000000\r\n"), 400),
        ("a size of many zeros", chunks(&format!("{}3\r\nabc\r\n", "0".repeat(60))), 400),
        ("a size line without an end", chunks(&"1".repeat(300)), 400),
        ("an extension without an end", chunks(&format!("3;{}", "a".repeat(5_000))), 400),
        ("more than the size", chunks("3\r\nabcd\r\n0\r\n\r\n"), 400),
        ("no line end behind a chunk", chunks("3\r\nabc0\r\n\r\n"), 400),
        ("trailers", chunks("0\r\nContent-Length: 5\r\n\r\n"), 400),
    ]);
}

/// A request inside of a body is a part of that body.
#[test]
fn a_request_in_a_body_is_not_executed() {
    let world = World::new();
    let inner = request("PutItem", put("evil", 1));
    let mut client = world.connect();
    client.send(request("GetItem", &inner));
    assert_eq!(client.receive().code(), "SerializationException");
    client.send(
        [
            head("GetItem", "Transfer-Encoding: chunked\r\n").as_bytes(),
            format!("{:x}\r\n", inner.len()).as_bytes(),
            &inner,
            b"\r\n0\r\n\r\n",
        ]
        .concat(),
    );
    assert_eq!(client.receive().code(), "SerializationException");
    client.send("GET /health HTTP/1.1\r\n\r\n");
    assert_eq!(client.receive().text(), "ok\n");
    assert!(!world.has("evil"));
}

/// Nothing is unpacked, so that nothing small becomes large.
#[test]
fn packed_bodies_are_no_json() {
    let gzip: &[u8] = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xed\xc1\x01\x0d\0\0\0\xc2\xa0\xf7Om\x0e7\xa0";
    let world = World::new();
    for encoding in ["gzip", "deflate", "br", "zstd"] {
        let mut client = world.connect();
        let header = format!("Content-Encoding: {encoding}\r\n");
        client.send(request_with("PutItem", &header, gzip));
        let answer = client.receive();
        assert_eq!((answer.status, &*answer.code()), (400, "SerializationException"));
        world.assert_serves();
    }
    check_wrong(vec![
        ("gzip without a header", "PutItem", gzip.to_vec(), "SerializationException", ""),
        ("nothing", "PutItem", Vec::new(), "SerializationException", ""),
    ]);
}
