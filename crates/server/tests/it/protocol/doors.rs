//! Methods, paths, targets and content types.

use crate::client::Answer;
use crate::fixture::{GET_THERE, THERE, World};

const UNKNOWN_DOOR: &str = "<UnknownOperationException/>\n";

#[track_caller]
fn send(world: &World, line: &str, headers: &str, body: &str) -> Answer {
    let mut client = world.connect();
    let length = body.len();
    client.send(format!("{line} HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{body}"));
    client.receive()
}

const TARGET: &str = "X-Amz-Target: DynamoDB_20120810.GetItem\r\n";
const TYPE: &str = "Content-Type: application/x-amz-json-1.0\r\n";

#[test]
fn other_methods_and_paths_are_unknown() {
    let world = World::new();
    let headers = format!("{TARGET}{TYPE}");
    for line in [
        "PUT /",
        "DELETE /",
        "PATCH /",
        "OPTIONS /",
        "OPTIONS *",
        "TRACE /",
        "CONNECT a:1",
        "post /",
        "X /",
        "POST /x",
        "POST //",
        "POST /?a/../x",
        "POST *",
        "GET /x",
        "GET /metricsx",
        "GET /health/",
        "POST /health",
        "PUT /metrics",
    ] {
        let answer = send(&world, line, &headers, GET_THERE);
        let expected = match line {
            // What follows the question mark is no path.
            "POST /?a/../x" => (200, THERE),
            _ => (404, UNKNOWN_DOOR),
        };
        assert_eq!((answer.status, answer.text()), expected, "{line}");
    }
}

#[test]
fn a_target_may_name_the_host() {
    let world = World::new();
    let headers = format!("{TARGET}{TYPE}");
    for line in ["POST http://localhost:8000/", "POST HTTPS://[::1]:8000"] {
        assert_eq!(send(&world, line, &headers, GET_THERE).text(), THERE, "{line}");
    }
    assert_eq!(send(&world, "GET http://localhost/health", "", "").text(), "ok\n");
}

#[test]
fn names_of_headers_have_no_case_and_values_may_have_blanks_around() {
    let world = World::new();
    for headers in [
        "x-amz-target: DynamoDB_20120810.GetItem\r\ncontent-type: application/x-amz-json-1.0\r\n",
        "X-AMZ-TARGET:DynamoDB_20120810.GetItem\r\nCONTENT-TYPE:application/x-amz-json-1.0\r\n",
        "X-aMz-TaRgEt: \t DynamoDB_20120810.GetItem \t\r\nContent-type:  application/json  \r\n",
    ] {
        assert_eq!(send(&world, "POST /", headers, GET_THERE).text(), THERE, "{headers}");
    }
}

#[test]
fn only_json_is_taken() {
    let world = World::new();
    for (content_type, status, expected_type) in [
        ("application/x-amz-json-1.0", 200, "application/x-amz-json-1.0"),
        ("application/json", 200, "application/json"),
        ("application/json; charset=utf-8", 200, "application/json"),
        ("application/x-amz-json-1.1", 404, "text/plain; charset=utf-8"),
        ("text/plain", 404, "text/plain; charset=utf-8"),
        ("application/x-www-form-urlencoded", 404, "text/plain; charset=utf-8"),
        ("multipart/form-data; boundary=application/json", 404, "text/plain; charset=utf-8"),
        ("", 404, "text/plain; charset=utf-8"),
    ] {
        let headers = format!("{TARGET}Content-Type: {content_type}\r\n");
        let answer = send(&world, "POST /", &headers, GET_THERE);
        let got = (answer.status, answer.header("content-type"));
        assert_eq!(got, (status, Some(expected_type)), "{content_type}");
    }
}

#[test]
fn a_target_that_is_no_operation_is_unknown() {
    let world = World::new();
    for target in [
        "",
        "GetItem",
        ".GetItem",
        "DynamoDB_20120810",
        "DynamoDB_20120810.",
        "DynamoDB_20120810.getItem",
        "DynamoDB_20120810.GetItem.",
        "DynamoDB_20111205.GetItem",
        "DynamoDBStreams_20120810.GetItem",
        "DynamoDB_20120810.GetRecords",
        "DynamoDB_20120810.\u{fc}",
        "DynamoDB_20120810.GetItem PutItem",
    ] {
        let headers = format!("X-Amz-Target: {target}\r\n{TYPE}");
        let answer = send(&world, "POST /", &headers, GET_THERE);
        assert_eq!(
            (answer.status, &*answer.code()),
            (400, "UnknownOperationException"),
            "{target}"
        );
    }
    let answer = send(&world, "POST /", TYPE, GET_THERE);
    assert_eq!((answer.status, &*answer.code()), (400, "UnknownOperationException"));
    world.assert_serves();
}
