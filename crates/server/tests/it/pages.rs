//! The pages for those who run the server.

use std::collections::{BTreeMap, BTreeSet};

use monotable_engine::Database;
use monotable_server::Config;

use crate::client::Answer;
use crate::fixture::{GET_THERE, World, config, put};

#[track_caller]
fn get(world: &World, path: &str) -> Answer {
    let mut client = world.connect();
    client.send(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    client.receive()
}

#[test]
fn a_server_that_serves_says_so() {
    let world = World::new();
    for (path, text) in [
        ("/", "healthy: dynamodb.us-east-1.amazonaws.com "),
        ("/health", "ok\n"),
        ("/ready", "ready\n"),
        ("/ready?verbose=1", "ready\n"),
    ] {
        let answer = get(&world, path);
        assert_eq!((answer.status, answer.text()), (200, text), "{path}");
        assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
        assert_eq!(answer.header("x-amzn-requestid"), None);
    }
}

#[test]
fn a_server_that_stops_is_alive_but_not_ready() {
    for (path, status, text) in [("/ready", 503, "stopping\n"), ("/health", 200, "ok\n")] {
        let mut world = World::with_config(Config { workers: 1, ..config() }, Database::memory());
        let mut client = world.connect();
        let mut idle = world.connect();
        client.send(format!(
            "GET {path} HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n"
        ));
        assert_eq!(client.receive_head().status, 100);
        idle.send("GET /health HTTP/1.1\r\n\r\n");
        assert_eq!(idle.receive().status, 200);
        world.tell_to_stop();
        idle.expect_end();
        client.send(" ");
        let answer = client.receive();
        assert_eq!((answer.status, answer.text()), (status, text), "{path}");
        client.expect_end();
        world.wait();
    }
}

/// Samples by name and labels, as Prometheus would read them.
type Samples = BTreeMap<String, f64>;

/// Reads a page strictly: every sample belongs to a metric that was described before it, and comes
/// once.
#[track_caller]
fn parse(text: &str) -> Samples {
    let mut described = BTreeSet::new();
    let mut samples = Samples::new();
    assert!(text.ends_with('\n'));
    for line in text.lines() {
        if let Some(comment) = line.strip_prefix("# ") {
            let (keyword, rest) = comment.split_once(' ').expect(line);
            let (name, rest) = rest.split_once(' ').expect(line);
            assert!(!rest.is_empty(), "{line}");
            match keyword {
                "HELP" => assert!(described.insert(name.to_owned()), "twice: {line}"),
                "TYPE" => {
                    assert!(described.contains(name), "{line}");
                    assert!(["counter", "gauge", "histogram"].contains(&rest), "{line}");
                }
                _ => panic!("{line}"),
            }
            continue;
        }
        let (series, value) = line.rsplit_once(' ').expect(line);
        let name = series.split('{').next().unwrap();
        let valid = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
        assert!(name.starts_with("monotable_") && name.bytes().all(valid), "{line}");
        let family = ["_bucket", "_sum", "_count"]
            .iter()
            .find_map(|end| name.strip_suffix(end).filter(|family| described.contains(*family)))
            .unwrap_or(name);
        assert!(described.contains(family), "not described: {line}");
        let value: f64 = value.parse().expect(line);
        assert!(value >= 0.0, "{line}");
        assert_eq!(samples.insert(series.to_owned(), value), None, "twice: {line}");
    }
    samples
}

#[track_caller]
fn samples(world: &World) -> Samples {
    let answer = get(world, "/metrics");
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    parse(answer.text())
}

#[test]
fn the_figures_count_what_was_done() {
    let world = World::new();
    let before = samples(&world);
    for number in 0..7 {
        world.ask("PutItem", put(&format!("m{number}"), 10));
    }
    for _ in 0..11 {
        world.ask("GetItem", GET_THERE);
    }
    for _ in 0..3 {
        world.ask("GetItem", r#"{"TableName":"nowhere","Key":{"id":{"S":"a"}}}"#);
    }
    world.ask("GetItem", "{");
    world.ask("Nonsense", "{}");
    let mut client = world.connect();
    client.send("nonsense\r\n\r\n");
    client.receive();
    let after = samples(&world);
    let grown =
        |series: &str| after.get(series).unwrap_or(&0.0) - before.get(series).unwrap_or(&0.0);
    for (series, count) in [
        (r#"monotable_request_duration_seconds_count{operation="PutItem"}"#, 7.0),
        (r#"monotable_request_duration_seconds_bucket{operation="PutItem",le="+Inf"}"#, 7.0),
        (r#"monotable_request_duration_seconds_count{operation="GetItem"}"#, 15.0),
        (
            r#"monotable_request_failures_total{operation="GetItem",code="ResourceNotFoundException"}"#,
            3.0,
        ),
        (
            r#"monotable_request_failures_total{operation="GetItem",code="SerializationException"}"#,
            1.0,
        ),
        (
            r#"monotable_request_failures_total{operation="PutItem",code="SerializationException"}"#,
            0.0,
        ),
        ("monotable_requests_refused_total", 2.0),
    ] {
        assert_eq!(grown(series), count, "{series}");
    }
}

#[test]
fn buckets_only_grow() {
    let world = World::new();
    for _ in 0..50 {
        world.ask("GetItem", GET_THERE);
    }
    let samples = samples(&world);
    let bucket = r#"monotable_request_duration_seconds_bucket{operation="GetItem",le=""#;
    let mut buckets: Vec<(f64, f64)> = samples
        .iter()
        .filter_map(|(series, count)| {
            let bound = series.strip_prefix(bucket)?.strip_suffix("\"}")?;
            Some((if bound == "+Inf" { f64::INFINITY } else { bound.parse().unwrap() }, *count))
        })
        .collect();
    buckets.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(buckets.len() > 5 && buckets.is_sorted_by_key(|bucket| bucket.1), "{buckets:?}");
    assert_eq!(buckets.last().unwrap().1, 50.0);
}

/// Names of keys that try to leave their label.
#[test]
fn hostile_keys_do_not_break_the_page() {
    let world = World::new();
    for id in
        [r#"a\"} 1\nevil 1\n"#, r"\\", r"\r\n\r\n", r"\u0000", "{}", r#"\"#.repeat(4).as_str()]
    {
        let body = format!(r#"{{"TableName":"plain","Item":{{"id":{{"S":"{id}"}}}}}}"#);
        assert_eq!(world.ask("PutItem", body).status, 200, "{id}");
    }
    samples(&world);
}

#[test]
fn the_figures_show_no_whole_key() {
    let world = World::new();
    let item = put("USER#ann@example.com", 10);
    for _ in 0..500 {
        world.ask("PutItem", item.clone());
    }
    let page = get(&world, "/metrics");
    assert!(page.text().contains(r#"partition="USER#~"#), "{}", page.text());
    assert!(!page.text().contains("ann@example.com"));
}
