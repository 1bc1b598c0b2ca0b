//! Clients that trickle, stop halfway, or never read. Limits are short, and nothing depends on how
//! short: what must end is waited for.

use std::time::Duration;

use monotable_server::Limits;

use crate::client::Client;
use crate::fixture::{GET_THERE, THERE, World, head, put, request};

const SHORT: Duration = Duration::from_millis(300);
const LONG: Duration = Duration::from_secs(600);

/// Everything may take long unless a test says otherwise.
fn patient() -> Limits {
    Limits {
        idle_timeout: LONG,
        head_timeout: LONG,
        body_timeout: LONG,
        write_timeout: LONG,
        ..Limits::default()
    }
}

/// Sends a byte at a time until the server has enough, and serves others meanwhile.
#[track_caller]
fn trickle(world: &World, client: &mut Client, bytes: &[u8]) {
    let mut sent = 0;
    for byte in bytes.iter().cycle() {
        if !client.try_send([*byte]) {
            break;
        }
        sent += 1;
        world.assert_serves();
    }
    assert!(sent > 0);
    client.drain();
    world.assert_serves();
}

#[test]
fn a_head_that_trickles_is_cut_off() {
    let world = World::with_limits(Limits { head_timeout: SHORT, ..patient() });
    let mut client = world.connect();
    client.send("GET / HTTP/1.1\r\nA: ");
    trickle(&world, &mut client, b"b");
}

#[test]
fn a_head_that_stops_is_cut_off_without_an_answer() {
    let world = World::with_limits(Limits { head_timeout: SHORT, ..patient() });
    for start in ["G", "GET / HTTP/1.1", "GET / HTTP/1.1\r\nHost: localhost\r\n"] {
        let mut client = world.connect();
        client.send(start);
        world.assert_serves();
        client.expect_end();
        world.assert_serves();
    }
}

/// The time of a head counts from its own first byte, also behind another request.
#[test]
fn the_second_head_is_cut_off_as_the_first() {
    let world = World::with_limits(Limits { head_timeout: SHORT, ..patient() });
    let mut client = world.connect();
    client.send([&*request("GetItem", GET_THERE), b"POST / HT"].concat());
    assert_eq!(client.receive().text(), THERE);
    client.expect_end();
    world.assert_serves();
}

#[test]
fn a_body_that_trickles_is_cut_off() {
    let world = World::with_limits(Limits { body_timeout: SHORT, ..patient() });
    let mut client = world.connect();
    client.send(head("PutItem", "Content-Length: 1000000\r\n"));
    trickle(&world, &mut client, b" ");
    let mut client = world.connect();
    client.send(head("PutItem", "Transfer-Encoding: chunked\r\n"));
    trickle(&world, &mut client, b"1\r\n \r\n");
}

/// A claim of many bytes gives no time; only bytes that arrive do.
#[test]
fn a_large_body_that_stops_is_cut_off_soon() {
    let limits = Limits { body_timeout: SHORT, body_bytes_per_second_min: 100_000, ..patient() };
    let world = World::with_limits(limits);
    for headers in ["Content-Length: 16000000\r\n", "Transfer-Encoding: chunked\r\n"] {
        let mut client = world.connect();
        // At the least rate the whole of it would have 160 seconds, which is more than the client's
        // own patience.
        client.send(head("PutItem", headers));
        client.send("f00000\r\n");
        client.send(vec![b' '; 50_000]);
        world.assert_serves();
        client.expect_end();
        world.assert_serves();
    }
}

#[test]
fn a_body_at_the_least_rate_is_taken() {
    let limits = Limits { body_timeout: SHORT, body_bytes_per_second_min: 1_000, ..patient() };
    let world = World::with_limits(limits);
    let mut client = world.connect();
    let body = put("slow", 40_000);
    client.send(head("PutItem", &format!("Content-Length: {}\r\n", body.len())));
    let start = std::time::Instant::now();
    // Other requests between the parts are what takes the time.
    for part in body.as_bytes().chunks(1_000) {
        client.send(part);
        let until = start.elapsed() + Duration::from_millis(15);
        while start.elapsed() < until {
            world.assert_serves();
        }
    }
    assert_eq!(client.receive().text(), "{}");
    assert!(start.elapsed() > SHORT);
}

#[test]
fn idle_connections_are_closed() {
    let world = World::with_limits(Limits { idle_timeout: SHORT, ..patient() });
    let mut fresh = world.connect();
    let mut used = world.connect();
    used.send(request("GetItem", GET_THERE));
    assert_eq!(used.receive().text(), THERE);
    world.assert_serves();
    fresh.expect_end();
    used.expect_end();
    world.assert_serves();
}

/// Who has never asked for anything is no client whose connection is worth keeping.
#[test]
fn connections_without_a_request_are_closed_as_heads_that_stop() {
    let world = World::with_limits(Limits { head_timeout: SHORT, ..patient() });
    let mut used = world.connect();
    used.send(request("GetItem", GET_THERE));
    assert_eq!(used.receive().text(), THERE);
    let mut fresh = world.connect();
    fresh.expect_end();
    used.send(request("GetItem", GET_THERE));
    assert_eq!(used.receive().text(), THERE);
}

#[test]
fn a_client_that_never_reads_is_cut_off() {
    let world = World::with_limits(Limits { write_timeout: SHORT, ..patient() });
    for number in 0..3 {
        world.ask("PutItem", put(&format!("large{number}"), 390_000));
    }
    let mut client = world.connect();
    // Far more than the system keeps for a connection.
    let scans = 100;
    client.try_send(request("Scan", r#"{"TableName":"plain"}"#).repeat(scans));
    world.assert_serves();
    // The end is seen from the other side: writing fails once the server has closed.
    while client.try_send("\r\n") {
        world.assert_serves();
    }
    let received = client.drain();
    assert!(received < scans * 1_100_000, "{received}");
    world.assert_serves();
}

#[test]
fn many_slow_clients_do_not_slow_down_others() {
    let world = World::with_limits(patient());
    let mut slow: Vec<_> = (0..300).map(|_| world.connect()).collect();
    for (number, client) in slow.iter_mut().enumerate() {
        match number % 4 {
            0 => client.send("POST / HTTP/1.1\r\nX-Amz"),
            1 => client.send(head("PutItem", "Content-Length: 15000000\r\n")),
            2 => client.send(head("PutItem", "Transfer-Encoding: chunked\r\n") + "ffff\r\nab"),
            _ => {}
        }
    }
    for _ in 0..20 {
        world.assert_serves();
        assert_eq!(world.ask("PutItem", put("large", 300_000)).text(), "{}");
    }
    drop(slow);
    world.assert_serves();
}

/// Without a bound every one of them would keep a page of a megabyte for as long as it may take.
#[test]
fn many_clients_that_never_read_make_room_for_others() {
    let world = World::with_limits(Limits { unread_bytes_max: 8 << 20, ..patient() });
    for number in 0..3 {
        world.ask("PutItem", put(&format!("large{number}"), 390_000));
    }
    let scan = request("Scan", r#"{"TableName":"plain"}"#);
    let mut greedy: Vec<_> = (0..16).map(|_| world.connect()).collect();
    for client in &mut greedy {
        client.send(scan.repeat(20));
    }
    // Nobody's time is over: who is cut off makes room for those who wait.
    while greedy.len() > 6 {
        world.assert_serves();
        greedy.retain_mut(|client| client.try_send("\r\n"));
    }
    world.assert_serves();
}
