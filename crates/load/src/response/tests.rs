//! Tests of [`ResponseReader`]: every response whole, split in two at every byte, and byte by byte.

use expect_test::{Expect, expect};

use super::*;

/// Returns the reader's result for the pieces, and for the end of the connection if it waits for
/// more.
fn read(pieces: &[&[u8]]) -> String {
    let mut reader = ResponseReader::new(KeepBody::Always);
    // A reader that has read another response before must have forgotten it.
    let before = b"HTTP/1.1 500 Oops\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}";
    assert_eq!(reader.push(before), Ok(Extent::Complete));
    reader.clear();
    let mut extent = Ok(Extent::Partial);
    for piece in pieces {
        extent = reader.push(piece);
        if extent.is_err() {
            break;
        }
    }
    let end = match extent {
        Ok(Extent::Complete) => "complete",
        Ok(Extent::Partial) => match reader.push_close() {
            Ok(_) => "complete at close",
            Err(Malformed(reason)) => return reason,
        },
        Err(Malformed(reason)) => return reason,
    };
    let closes = if reader.closes() { "closes" } else { "stays" };
    let body = String::from_utf8_lossy(reader.body()).into_owned();
    format!("{} {body:?} {end}, {closes}", reader.status())
}

fn check(response: &str, expected: Expect) {
    let bytes = response.as_bytes();
    let whole = read(&[bytes]);
    for at in 0..=bytes.len() {
        let (first, second) = bytes.split_at(at);
        assert_eq!(read(&[first, second]), whole, "split at byte {at}");
    }
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(read(&single), whole, "byte by byte");
    expected.assert_eq(&whole);
}

#[test]
fn a_body_of_known_length_ends_there() {
    check(
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{\"a\"}",
        expect![[r#"200 "{\"a\"}" complete, stays"#]],
    );
    check(
        "HTTP/1.1 400 Bad Request\r\ncontent-length:  2 \r\n\r\n{}",
        expect![[r#"400 "{}" complete, stays"#]],
    );
    check("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", expect![[r#"200 "" complete, stays"#]]);
    check("HTTP/1.1 204 No Content\r\n\r\n", expect![[r#"204 "" complete, stays"#]]);
}

#[test]
fn chunks_are_put_together() {
    check(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\"a\r\n2\r\n\"}\r\n0\r\n\r\n",
        expect![[r#"200 "{\"a\"}" complete, stays"#]],
    );
    check(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n9;x=y\r\n{\"\r\n\":\"\n\"\r\n0\r\nExpires: 0\r\n\r\n",
        expect![[r#"200 "{\"\r\n\":\"\n\"" complete, stays"#]],
    );
    check(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        expect![[r#"200 "" complete, stays"#]],
    );
}

#[test]
fn the_server_may_close_after_a_response() {
    check(
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}",
        expect![[r#"200 "{}" complete, closes"#]],
    );
    check(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nall of it",
        expect![[r#"200 "all of it" complete at close, closes"#]],
    );
    check(
        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}",
        expect![[r#"200 "{}" complete, closes"#]],
    );
    check(
        "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\n{}",
        expect![[r#"200 "{}" complete, stays"#]],
    );
}

#[test]
fn an_early_end_is_an_error() {
    check("", expect!["the connection was closed before the response had ended"]);
    check(
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{}",
        expect!["the connection was closed before the response had ended"],
    );
    check(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}",
        expect!["the connection was closed before the response had ended"],
    );
}

#[test]
fn other_protocols_are_refused() {
    check("SSH-2.0-OpenSSH_9.6\r\n", expect!["it does not speak HTTP"]);
    check(
        "HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n{}",
        expect!["Content-Length is not a number"],
    );
    check(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        expect!["the size of a chunk is not a number"],
    );
    check(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n",
        expect!["a chunk is longer than its size"],
    );
    check(
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}more",
        expect!["unexpected bytes follow the response"],
    );
}

#[test]
fn heads_and_lines_without_end_are_refused() {
    let long_head = format!("HTTP/1.1 200 OK\r\nX: {}", "x".repeat(HEAD_BYTES_MAX));
    assert_eq!(read(&[long_head.as_bytes()]), "the head of the response does not end");
    let long_line = format!(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;{}",
        "x".repeat(CHUNK_LINE_BYTES_MAX)
    );
    assert_eq!(read(&[long_line.as_bytes()]), "a line between chunks does not end");
}

#[test]
fn only_exceptions_are_kept_on_request() {
    let mut reader = ResponseReader::new(KeepBody::OnError);
    reader.push(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}").unwrap();
    assert_eq!(reader.body(), b"");
    reader.clear();
    reader.push(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\n{}").unwrap();
    assert_eq!(reader.body(), b"{}");
}
