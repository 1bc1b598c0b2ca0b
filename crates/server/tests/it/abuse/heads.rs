//! Heads that are none, or far too much of one.

use super::check_refused;
use crate::fixture::{GET_THERE, World, put, request};

fn post(headers: &str) -> Vec<u8> {
    format!(
        "POST / HTTP/1.1\r\nContent-Type: application/x-amz-json-1.0\r\n\
         X-Amz-Target: DynamoDB_20120810.PutItem\r\n{headers}\r\n\r\n{}",
        put("evil", 1)
    )
    .into_bytes()
}

#[test]
fn heads_that_are_too_large_are_refused() {
    let long_target = format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(20_000));
    let endless_line = vec![b'G'; 100_000];
    check_refused(vec![
        ("a header of 64 KiB", post(&format!("A: {}", "x".repeat(65_536))), 400),
        ("a name of 64 KiB", post(&format!("{}: a", "x".repeat(65_536))), 400),
        ("a header of 17 KiB", post(&format!("A: {}", "x".repeat(17_000))), 400),
        ("65 headers", post(&"A: b\r\n".repeat(65)), 400),
        ("1,000 headers", post(&"A: b\r\n".repeat(1_000)), 400),
        ("a target of 20,000 bytes", long_target.into_bytes(), 400),
        ("a line that never ends", endless_line, 400),
        (
            "headers without an end",
            b"GET / HTTP/1.1\r\n".iter().chain(&b"A: b\r\n".repeat(9_999)).copied().collect(),
            400,
        ),
    ]);
}

/// A buffer that has grown before reads more at a time, and must not let more through.
#[test]
fn a_large_head_is_refused_after_a_large_body_too() {
    let world = World::new();
    let mut client = world.connect();
    for _ in 0..3 {
        client.send(request("PutItem", put("large", 150_000)));
        assert_eq!(client.receive().text(), "{}");
    }
    client.try_send(post(&format!("A: {}", "x".repeat(65_536))));
    assert_eq!(client.receive().status, 400);
    world.assert_serves();
}

#[test]
fn heads_that_are_not_http_are_refused() {
    let tls = [&[0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03][..], &[7; 500]];
    check_refused(vec![
        ("TLS", tls.concat(), 400),
        ("SSL 2", b"\x80\x2e\x01\x00\x02".to_vec(), 400),
        ("zeros", vec![0; 100], 400),
        ("HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(), 400),
        ("HTTP/0.9", b"GET /\r\n\r\n".to_vec(), 400),
        ("HTTP/1.2", b"GET / HTTP/1.2\r\n\r\n".to_vec(), 400),
        ("no version", b"GET / \r\n\r\n".to_vec(), 400),
        ("only blank lines", b"\r\n\r\n\r\n\r\n".to_vec(), 400),
        ("an SSH client", b"SSH-2.0-OpenSSH_9.6\r\n\r\n".to_vec(), 400),
        ("a mail client", b"EHLO example.com\r\n\r\n".to_vec(), 400),
        ("Redis", b"*1\r\n$4\r\nPING\r\n\r\n".to_vec(), 400),
        ("a blank first", b" GET / HTTP/1.1\r\n\r\n".to_vec(), 400),
        ("a control byte in the target", b"GET /\x01 HTTP/1.1\r\n\r\n".to_vec(), 400),
    ]);
}

#[test]
fn broken_headers_are_refused() {
    check_refused(vec![
        ("without a colon", post("Nonsense"), 400),
        ("without a name", post(": a"), 400),
        ("with a blank before the colon", post("Content-Length : 5"), 400),
        ("folded", post("A: b\r\n c: d"), 400),
        ("folded with a tab", post("A: b\r\n\tc"), 400),
        ("with a NUL in its value", post("A: b\0c"), 400),
        ("with a NUL in its name", post("A\0: b"), 400),
        ("with a control byte", post("A: b\x07"), 400),
        ("with a lone carriage return", post("A: b\rContent-Length: 5"), 400),
        ("with letters beyond ASCII in its name", post("\u{e4}: b"), 400),
    ]);
}

/// Whatever two readers of the same bytes could understand differently is refused.
#[test]
fn smuggled_requests_are_refused() {
    let length = put("evil", 1).len();
    let chunked = "Transfer-Encoding: chunked";
    check_refused(vec![
        ("a length and chunks", post(&format!("Content-Length: {length}\r\n{chunked}")), 400),
        ("chunks and a length", post(&format!("{chunked}\r\nContent-Length: {length}")), 400),
        ("two lengths", post(&format!("Content-Length: {length}\r\nContent-Length: 0")), 400),
        ("a list of lengths", post(&format!("Content-Length: {length}, {length}")), 400),
        ("a negative length", post("Content-Length: -1"), 400),
        ("a length with a sign", post(&format!("Content-Length: +{length}")), 400),
        ("a hexadecimal length", post("Content-Length: 0x10"), 400),
        ("a fraction", post("Content-Length: 1.0"), 400),
        ("an empty length", post("Content-Length: "), 400),
        ("a length beyond 64 bits", post("Content-Length: 18446744073709551616"), 400),
        ("identity", post("Transfer-Encoding: identity"), 400),
        ("gzip", post("Transfer-Encoding: gzip, chunked"), 400),
        ("chunked twice", post("Transfer-Encoding: chunked, chunked"), 400),
        ("chunked in two headers", post(&format!("{chunked}\r\n{chunked}")), 400),
        ("chunked with a vertical tab", post("Transfer-Encoding: \x0bchunked"), 400),
        ("chunked in quotes", post("Transfer-Encoding: \"chunked\""), 400),
        ("xchunked", post("Transfer-Encoding: xchunked"), 400),
        (
            "chunks in the old version",
            {
                let text = String::from_utf8(post(chunked)).unwrap();
                text.replace("HTTP/1.1", "HTTP/1.0").into_bytes()
            },
            400,
        ),
        (
            "an end by line feeds within the head",
            {
                let text = format!("GET /health HTTP/1.1\n\nPOST / HTTP/1.1\r\n{chunked}\r\n\r\n");
                text.into_bytes()
            },
            400,
        ),
    ]);
}

#[test]
fn a_repeated_length_that_agrees_is_one_length() {
    let world = World::new();
    let length = GET_THERE.len();
    let mut client = world.connect();
    client.send(format!(
        "POST / HTTP/1.1\r\nContent-Type: application/x-amz-json-1.0\r\n\
         X-Amz-Target: DynamoDB_20120810.GetItem\r\nContent-Length: {length}\r\n\
         Content-Length: {length}\r\n\r\n{GET_THERE}"
    ));
    assert_eq!(client.receive().status, 200);
}
