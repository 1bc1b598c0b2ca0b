//! A good request, and the same with one thing changed.

use std::time::{Duration, SystemTime};

use super::signed::{NOBODY, OWNER, Signed, seconds_ago, world};
use crate::fixture::{GET_THERE, THERE, World, put, request};

const PUT: &str = "DynamoDB_20120810.PutItem";
const GET: &str = "DynamoDB_20120810.GetItem";
const INVALID: &str = "InvalidSignatureException";
const INCOMPLETE: &str = "IncompleteSignatureException";
const UNRECOGNIZED: &str = "UnrecognizedClientException";
const MISSING: &str = "MissingAuthenticationTokenException";

#[track_caller]
fn assert_refused(world: &World, name: &str, signed: &Signed, code: &str) {
    let answer = signed.send(world);
    let got = (answer.status, answer.code());
    assert_eq!(got, (400, code.to_owned()), "{name}: {}", answer.text());
    assert!(answer.header("x-amzn-requestid").is_some(), "{name}");
    for id in ["evil", "good", "fvil"] {
        assert!(!world.has(id), "{name}");
    }
    let good = Signed::new(OWNER, GET, GET_THERE).send(world);
    assert_eq!(good.text(), THERE, "{name}");
}

#[test]
fn good_signatures_are_accepted() {
    let world = world();
    assert_eq!(Signed::new(OWNER, PUT, &put("good", 10)).send(&world).text(), "{}");
    assert!(world.has("good"));
    for seconds in [0, 200] {
        let early = Signed::at(OWNER, GET, GET_THERE, seconds_ago(seconds));
        assert_eq!(early.send(&world).text(), THERE);
        let late = SystemTime::now() + Duration::from_secs(seconds);
        assert_eq!(Signed::at(OWNER, GET, GET_THERE, late).send(&world).text(), THERE);
    }
    // What is on the way may change what is not signed.
    let mut signed = Signed::new(OWNER, GET, GET_THERE);
    signed.add("x-forwarded-for", "10.0.0.1");
    signed.target = "http://localhost/".to_owned();
    signed.headers.rotate_left(2);
    assert_eq!(signed.send(&world).text(), THERE);
}

#[test]
fn a_good_signature_over_a_body_in_chunks_is_accepted() {
    let world = world();
    let signed = Signed::new(OWNER, GET, GET_THERE);
    let (head, body) = GET_THERE.split_at(9);
    let text = String::from_utf8(signed.bytes()).unwrap();
    let length = format!("content-length: {}\r\n\r\n{GET_THERE}", GET_THERE.len());
    let chunks = format!(
        "transfer-encoding: chunked\r\n\r\n9\r\n{head}\r\n{:x}\r\n{body}\r\n0\r\n\r\n",
        body.len()
    );
    let mut client = world.connect();
    client.send(text.replace(&length, &chunks));
    assert_eq!(client.receive().text(), THERE);
}

type Tampering = (&'static str, fn(&mut Signed), &'static str);

const AUTHORIZATION: &str = "authorization";

const TAMPERINGS: [Tampering; 28] = [
    (
        "the signature twice",
        |signed| {
            let signature = signed.header(AUTHORIZATION).clone();
            signed.add(AUTHORIZATION, &signature);
        },
        INVALID,
    ),
    ("another body", |signed| signed.body[40] ^= 1, INVALID),
    ("a longer body", |signed| signed.body.push(b' '), INVALID),
    ("no body", |signed| signed.body.clear(), INVALID),
    (
        "another operation",
        |signed| signed.replace("x-amz-target", "PutItem", "DeleteItem"),
        INVALID,
    ),
    ("another host", |signed| signed.replace("host", "localhost", "elsewhere"), INVALID),
    ("another type", |signed| *signed.header("content-type") = "application/json".into(), INVALID),
    ("a query", |signed| signed.target = "/?a=b".into(), INVALID),
    (
        "a signature in the query too",
        |signed| signed.target = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256".into(),
        INVALID,
    ),
    (
        "another time",
        |signed| {
            let time = signed.header("x-amz-date");
            let changed = if time.ends_with("0Z") { "1Z" } else { "0Z" };
            time.replace_range(time.len() - 2.., changed);
        },
        INVALID,
    ),
    ("another day", |signed| *signed.header("x-amz-date") = "20200101T000000Z".into(), INVALID),
    ("a time that is none", |signed| *signed.header("x-amz-date") = "now".into(), INCOMPLETE),
    ("no time", |signed| signed.remove("x-amz-date"), INCOMPLETE),
    ("two times", |signed| signed.add("x-amz-date", "20200101T000000Z"), INVALID),
    ("two hosts", |signed| signed.add("host", "elsewhere"), INVALID),
    ("two targets", |signed| signed.add("x-amz-target", "DynamoDB_20120810.DeleteTable"), INVALID),
    (
        "two signatures",
        |signed| signed.add(AUTHORIZATION, "AWS4-HMAC-SHA256 Credential=a"),
        INCOMPLETE,
    ),
    ("a header less", |signed| signed.replace(AUTHORIZATION, ";x-amz-target", ""), INVALID),
    ("a host that is not signed", |signed| signed.replace(AUTHORIZATION, "host;", ""), INVALID),
    ("another region", |signed| signed.replace(AUTHORIZATION, "us-east-1", "eu-west-1"), INVALID),
    ("another service", |signed| signed.replace(AUTHORIZATION, "/dynamodb/", "/s3/"), INVALID),
    (
        "another end of the scope",
        |signed| signed.replace(AUTHORIZATION, "aws4_request", "aws4"),
        INVALID,
    ),
    ("another key", |signed| signed.replace(AUTHORIZATION, OWNER.0, NOBODY.0), INVALID),
    (
        "a key that is none",
        |signed| signed.replace(AUTHORIZATION, OWNER.0, "AKIAGHOST"),
        UNRECOGNIZED,
    ),
    (
        "another signature",
        |signed| {
            let value = signed.header(AUTHORIZATION);
            let last = if value.ends_with('0') { "1" } else { "0" };
            value.replace_range(value.len() - 1.., last);
        },
        INVALID,
    ),
    (
        "half a signature",
        |signed| {
            let value = signed.header(AUTHORIZATION);
            value.truncate(value.len() - 32);
        },
        INVALID,
    ),
    (
        "another algorithm",
        |signed| signed.replace(AUTHORIZATION, "AWS4-HMAC-SHA256", "AWS4-HMAC-SHA1"),
        INCOMPLETE,
    ),
    ("a session that is none", |signed| signed.add("x-amz-security-token", "token"), UNRECOGNIZED),
];

#[test]
fn changed_requests_are_refused_and_change_nothing() {
    let world = world();
    for (name, tamper, code) in TAMPERINGS {
        let mut signed = Signed::new(OWNER, PUT, &put("evil", 10));
        tamper(&mut signed);
        assert_refused(&world, name, &signed, code);
    }
}

#[test]
fn old_and_early_requests_are_refused() {
    let world = world();
    let early = SystemTime::now() + Duration::from_secs(400);
    for time in [seconds_ago(400), seconds_ago(86_400), seconds_ago(86_400 * 365), early] {
        let signed = Signed::at(OWNER, PUT, &put("evil", 10), time);
        assert_refused(&world, "another time", &signed, INVALID);
    }
}

#[test]
fn a_wrong_secret_is_refused() {
    let world = world();
    for secret in ["", "wrong", "the secret of the owner ", NOBODY.1] {
        let signed = Signed::new((OWNER.0, secret), PUT, &put("evil", 10));
        assert_refused(&world, secret, &signed, INVALID);
    }
}

#[test]
fn unsigned_requests_are_refused() {
    let world = world();
    for (name, value, code) in [
        ("x-nothing", "", MISSING),
        (AUTHORIZATION, "AWS4-HMAC-SHA256", INCOMPLETE),
        (AUTHORIZATION, "AWS4-HMAC-SHA256 Credential=AKIAOWNER", INCOMPLETE),
        (AUTHORIZATION, "AWS4-HMAC-SHA256 ", INCOMPLETE),
    ] {
        let mut signed = Signed::new(OWNER, PUT, &put("evil", 10));
        signed.remove(AUTHORIZATION);
        signed.add(name, value);
        assert_refused(&world, value, &signed, code);
    }
    let mut client = world.connect();
    client.send(request("PutItem", put("evil", 10)));
    assert_eq!(client.receive().code(), MISSING);
    assert!(!world.has("evil"));
}

#[test]
fn the_pages_need_no_signature_and_tell_nothing() {
    let world = world();
    let mut client = world.connect();
    for path in ["/", "/health", "/ready"] {
        client.send(format!("GET {path} HTTP/1.1\r\n\r\n"));
        let answer = client.receive();
        assert_eq!(answer.status, 200);
        assert!(!answer.text().contains("plain"), "{path}");
    }
}

/// The signature is that of the bytes as they are sent, and they are decoded only behind it.
#[test]
fn compressed_bodies_are_signed_as_they_are_sent() {
    let world = world();
    let compressed = |body: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut encoder, body.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let now = std::time::SystemTime::now();
    let target = "DynamoDB_20120810.GetItem";
    let body = compressed(GET_THERE);
    let mut signed = Signed::of_bytes(OWNER, target, &body, now);
    signed.add("content-encoding", "gzip");
    assert_eq!(signed.send(&world).text(), THERE);
    // The plain body is signed, and another one sent.
    let mut signed = Signed::new(OWNER, target, GET_THERE);
    signed.add("content-encoding", "gzip");
    signed.body.clone_from(&body);
    assert_eq!(signed.send(&world).code(), INVALID);
    let mut signed = Signed::of_bytes(OWNER, target, b"no gzip at all", now);
    signed.add("content-encoding", "gzip");
    assert_eq!(signed.send(&world).code(), "SerializationException");
    signed.header("authorization").push('0');
    assert_eq!(signed.send(&world).code(), INVALID);
}
