//! Which request gets which answer on a connection, and when the connection ends.

use monotable_engine::Database;
use monotable_server::{Access, Config};

use crate::fixture::{GET_THERE, THERE, World, config, put, request, request_with};

#[test]
fn one_connection_serves_many_requests() {
    let world = World::new();
    let mut client = world.connect();
    for _ in 0..50 {
        client.send(request("GetItem", GET_THERE));
        let answer = client.receive();
        assert_eq!((answer.status, answer.text()), (200, THERE));
        assert_eq!(answer.header("connection"), None);
    }
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let world = World::new();
    let mut all = Vec::new();
    for number in 0..300 {
        all.extend(request("PutItem", put(&format!("p{number}"), number)));
        all.extend(b"GET /health HTTP/1.1\r\n\r\n");
        all.extend(request(
            "GetItem",
            format!(
                r#"{{"TableName":"plain","Key":{{"id":{{"S":"p{number}"}}}},"ProjectionExpression":"id"}}"#
            ),
        ));
    }
    let mut client = world.connect();
    client.send(&all);
    for number in 0..300 {
        assert_eq!(client.receive().text(), "{}");
        assert_eq!(client.receive().text(), "ok\n");
        assert_eq!(client.receive().text(), format!(r#"{{"Item":{{"id":{{"S":"p{number}"}}}}}}"#));
    }
}

#[test]
fn a_request_may_arrive_in_two_parts_cut_anywhere() {
    let world = World::new();
    let whole = request("GetItem", GET_THERE);
    let mut client = world.connect();
    for cut in 1..whole.len() {
        client.send(&whole[..cut]);
        // A response to somebody else: by then the first part has most likely been read.
        if cut % 16 == 0 {
            world.assert_serves();
        }
        client.send(&whole[cut..]);
        assert_eq!(client.receive().text(), THERE, "cut at {cut}");
    }
}

#[test]
fn a_request_may_arrive_byte_by_byte() {
    let world = World::new();
    let mut client = world.connect();
    for byte in request("GetItem", GET_THERE) {
        client.send([byte]);
    }
    assert_eq!(client.receive().text(), THERE);
}

#[test]
fn the_connection_is_closed_when_the_client_asks_for_it() {
    let world = World::new();
    let mut client = world.connect();
    client.send(request_with("GetItem", "Connection: close\r\n", GET_THERE));
    let answer = client.receive();
    assert_eq!((answer.text(), answer.header("connection")), (THERE, Some("close")));
    client.expect_end();
}

#[test]
fn what_follows_the_last_request_is_not_answered() {
    let world = World::new();
    let mut client = world.connect();
    let close = request_with("GetItem", "Connection: close\r\n", GET_THERE);
    client.send([close, request("PutItem", put("after", 1))].concat());
    assert_eq!(client.receive().text(), THERE);
    client.expect_end();
    assert!(!world.has("after"));
}

#[test]
fn the_old_version_is_served_once() {
    let world = World::new();
    for headers in ["", "Connection: Keep-Alive\r\n"] {
        let mut client = world.connect();
        client.send(format!("GET /health HTTP/1.0\r\n{headers}\r\n"));
        assert_eq!(client.receive().text(), "ok\n");
        client.expect_end();
    }
}

#[test]
fn web_pages_are_not_answered_without_credentials() {
    let world = World::new();
    for request in [
        "GET /health HTTP/1.1\r\nHost: a\r\nOrigin: http://a\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nOrigin: null\r\nContent-Length: 0\r\n\r\n",
    ] {
        let mut client = world.connect();
        client.send(request);
        assert_eq!(client.receive().status, 403);
    }
    world.assert_serves();
}

#[test]
fn without_credentials_only_this_machine_is_served() {
    let world = World::new();
    let everyone = Config { access: Access::Anyone, ..config() };
    let everyone = World::with_config(everyone, Database::memory());
    for headers in [
        "Host: example.com\r\n",
        "Host: localhost.example.com:8000\r\n",
        "Host: localhost\r\nHost: example.com\r\n",
        "Host: localhost\r\nForwarded: for=1.2.3.4\r\n",
        "Host: localhost\r\nX-Forwarded-For: 1.2.3.4\r\n",
        "Host: localhost\r\nx-forwarded-proto: https\r\n",
        "Host: localhost\r\nX-Real-IP: 1.2.3.4\r\n",
        "Host: localhost\r\nVia: 1.1 proxy\r\n",
    ] {
        let operation = format!(
            "POST / HTTP/1.1\r\n{headers}Content-Type: application/x-amz-json-1.0\r\n\
             X-Amz-Target: DynamoDB_20120810.GetItem\r\nContent-Length: {}\r\n\r\n{GET_THERE}",
            GET_THERE.len()
        );
        let mut client = world.connect();
        client.send(&operation);
        let answer = client.receive();
        assert_eq!((answer.status, &*answer.code()), (403, "AccessDeniedException"), "{headers}");
        assert!(answer.text().contains("--allow-anonymous"), "{}", answer.text());
        for path in ["/", "/health", "/metrics"] {
            client.send(format!("GET {path} HTTP/1.1\r\n{headers}\r\n"));
            assert_eq!(client.receive().status, 403, "{headers}{path}");
        }
        let mut client = everyone.connect();
        client.send(&operation);
        assert_eq!(client.receive().text(), THERE, "{headers}");
        client.send(format!("GET /metrics HTTP/1.1\r\n{headers}\r\n"));
        assert_eq!(client.receive().status, 403, "{headers}");
    }
    for line in ["GET http://example.com/ HTTP/1.1", "GET HTTPS://example.com HTTP/1.1"] {
        let mut client = world.connect();
        client.send(format!("{line}\r\nHost: localhost\r\n\r\n"));
        assert_eq!(client.receive().status, 403, "{line}");
    }
    world.assert_serves();
}

#[test]
fn a_client_that_has_finished_sending_gets_its_answers() {
    let world = World::new();
    let mut client = world.connect();
    client.send([request("PutItem", put("half", 1)), request("GetItem", GET_THERE)].concat());
    client.finish();
    assert_eq!(client.receive().text(), "{}");
    assert_eq!(client.receive().text(), THERE);
    client.expect_end();
    assert!(world.has("half"));
}

#[test]
fn blank_lines_before_a_request_are_passed_over() {
    let world = World::new();
    let mut client = world.connect();
    client.send("\r\nGET /health HTTP/1.1\r\n\r\n");
    assert_eq!(client.receive().text(), "ok\n");
}
