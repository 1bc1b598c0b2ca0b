//! Compressed requests and responses.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::{GzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};
use monotable_server::Limits;

use crate::client::Answer;
use crate::fixture::{GET_THERE, THERE, World, put, request_with};

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn deflate(body: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

#[track_caller]
fn ask(world: &World, operation: &str, headers: &str, body: &[u8]) -> Answer {
    let mut client = world.connect();
    client.send(request_with(operation, headers, body));
    client.receive()
}

#[test]
fn compressed_requests_are_decoded() {
    let world = World::new();
    let get = GET_THERE.as_bytes();
    let (first, second) = get.split_at(20);
    for (encoding, body) in [
        ("gzip", gzip(get)),
        ("GZIP", gzip(get)),
        ("x-gzip", gzip(get)),
        ("deflate", deflate(get)),
        ("identity", get.to_vec()),
        ("", get.to_vec()),
        // A file of several members is their contents one behind the other.
        ("gzip", [gzip(first), gzip(second)].concat()),
    ] {
        let answer = ask(&world, "GetItem", &format!("Content-Encoding: {encoding}\r\n"), &body);
        assert_eq!((answer.status, answer.text()), (200, THERE), "{encoding}");
    }
    // More than one connection's own buffer.
    let large = gzip(put("large", 300_000).as_bytes());
    assert_eq!(ask(&world, "PutItem", "Content-Encoding: gzip\r\n", &large).text(), "{}");
    assert!(world.has("large"));
}

#[test]
fn an_unknown_operation_is_unknown_however_its_body_is_encoded() {
    let world = World::new();
    let answer = ask(&world, "GetItems", "Content-Encoding: gzip\r\n", &gzip(b"{}"));
    assert_eq!((answer.status, &*answer.code()), (400, "UnknownOperationException"));
    world.assert_serves();
}

#[test]
fn what_is_not_encoded_as_it_says_is_never_executed() {
    let world = World::new();
    let put = put("never", 10);
    let plain = put.as_bytes();
    let (mut torn, mut changed) = (gzip(plain), gzip(plain));
    torn.truncate(torn.len() - 5);
    // The checksum.
    let place = changed.len() - 6;
    changed[place] ^= 1;
    for (headers, body) in [
        ("Content-Encoding: br\r\n", plain.to_vec()),
        ("Content-Encoding: nonsense\r\n", plain.to_vec()),
        ("Content-Encoding: aws-chunked\r\n", plain.to_vec()),
        ("Content-Encoding: gzip\r\n", plain.to_vec()),
        ("Content-Encoding: deflate\r\n", plain.to_vec()),
        ("Content-Encoding: gzip\r\n", deflate(plain)),
        ("Content-Encoding: deflate\r\n", gzip(plain)),
        ("Content-Encoding: gzip, gzip\r\n", gzip(&gzip(plain))),
        ("Content-Encoding: gzip\r\nContent-Encoding: br\r\n", gzip(plain)),
        ("Content-Encoding: gzip\r\n", torn),
        ("Content-Encoding: gzip\r\n", changed),
        ("Content-Encoding: gzip\r\n", [gzip(plain), b"x".to_vec()].concat()),
        ("Content-Encoding: deflate\r\n", [deflate(plain), b"x".to_vec()].concat()),
    ] {
        let answer = ask(&world, "PutItem", headers, &body);
        assert_eq!((answer.status, &*answer.code()), (400, "SerializationException"), "{headers}");
        assert!(answer.text().contains("Content-Encoding"), "{}", answer.text());
    }
    assert!(!world.has("never"));
    world.assert_serves();
}

#[test]
fn a_bomb_is_refused() {
    let limits = Limits { body_bytes_max: 100_000, ..Limits::default() };
    let world = World::with_limits(limits);
    let padded =
        |bytes: usize| format!("{GET_THERE}{}", " ".repeat(bytes - GET_THERE.len())).into_bytes();
    let whole = ask(&world, "GetItem", "Content-Encoding: gzip\r\n", &gzip(&padded(100_000)));
    assert_eq!(whole.text(), THERE);
    for (encoding, bomb) in [
        ("gzip", gzip(&padded(100_001))),
        ("deflate", deflate(&padded(100_001))),
        ("gzip", gzip(&vec![b' '; 50_000_000])),
        ("gzip", gzip(&padded(60_000)).repeat(2)),
    ] {
        assert!(bomb.len() < 100_000);
        let answer = ask(&world, "GetItem", &format!("Content-Encoding: {encoding}\r\n"), &bomb);
        assert_eq!(answer.status, 413);
        world.assert_serves();
    }
}

fn crc32(answer: &Answer) -> String {
    let mut checksum = flate2::Crc::new();
    checksum.update(&answer.body);
    checksum.sum().to_string()
}

#[test]
fn large_responses_are_compressed_for_those_who_accept_it() {
    let world = World::new();
    world.ask("PutItem", put("small", 3_000));
    world.ask("PutItem", put("large", 6_000));
    let get = |id: &str, headers: &str| {
        let body = format!(r#"{{"TableName":"plain","Key":{{"id":{{"S":"{id}"}}}}}}"#);
        ask(&world, "GetItem", headers, body.as_bytes())
    };
    let plain = get("large", "");
    assert!(plain.body.len() > 4_096);
    for (headers, encoding) in [
        ("Accept-Encoding: gzip\r\n", Some("gzip")),
        ("Accept-Encoding: br, deflate;q=0.5\r\n", Some("deflate")),
        ("Accept-Encoding: identity\r\n", None),
        ("Accept-Encoding: gzip;q=0\r\n", None),
    ] {
        let answer = get("large", headers);
        assert_eq!(answer.header("content-encoding"), encoding, "{headers}");
        // Of the bytes as they are sent, as on AWS.
        assert_eq!(answer.header("x-amz-crc32"), Some(&*crc32(&answer)), "{headers}");
        let mut body = Vec::new();
        match encoding {
            Some("gzip") => drop(GzDecoder::new(&*answer.body).read_to_end(&mut body).unwrap()),
            Some(_) => drop(ZlibDecoder::new(&*answer.body).read_to_end(&mut body).unwrap()),
            None => body.clone_from(&answer.body),
        }
        assert!(body == plain.body, "{headers}");
        assert_eq!(answer.header("vary"), encoding.map(|_| "accept-encoding"), "{headers}");
        assert_eq!(get("small", headers).header("content-encoding"), None, "{headers}");
    }
}
