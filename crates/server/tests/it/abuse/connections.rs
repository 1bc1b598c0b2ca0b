//! Floods of connections.

use std::thread;
use std::time::Duration;

use monotable_engine::Database;
use monotable_server::{Config, Limits};

use crate::fixture::{GET_THERE, THERE, World, config, head, put, request};

const LONG: Duration = Duration::from_secs(600);

#[test]
fn more_connections_than_allowed_wait_for_their_turn() {
    let world = World::with_limits(Limits { connections_max: 20, ..Limits::default() });
    let body = put("late", 10);
    let announced = format!("Expect: 100-continue\r\nContent-Length: {}\r\n", body.len());
    let mut held: Vec<_> = (0..20).map(|_| world.connect()).collect();
    for client in &mut held {
        client.send(head("PutItem", &announced));
        assert_eq!(client.receive_head().status, 100);
    }
    let mut waiting: Vec<_> = (0..5).map(|_| world.connect()).collect();
    for client in &mut waiting {
        client.send(request("GetItem", GET_THERE));
    }
    // A connection that has begun a request is not closed.
    for client in &mut held[5..] {
        client.send(&body);
        assert_eq!(client.receive().text(), "{}");
        client.send(head("PutItem", &announced));
        assert_eq!(client.receive_head().status, 100);
        assert!(!waiting[0].has_input());
    }
    for client in &mut waiting {
        drop(held.pop());
        assert_eq!(client.receive().text(), THERE);
    }
    drop(held);
    drop(waiting);
    world.assert_serves();
}

/// Idle connections do not keep new clients from connecting.
#[test]
fn the_longest_idle_makes_room_for_a_new_connection() {
    let limits = Limits { connections_max: 6, idle_timeout: LONG, ..Limits::default() };
    // One thread is idle with one connection before it answers on the next.
    let world = World::with_config(Config { workers: 1, limits, ..config() }, Database::memory());
    let mut held: Vec<_> = (0..6).map(|_| world.connect()).collect();
    for client in &mut held {
        client.send(request("GetItem", GET_THERE));
        assert_eq!(client.receive().text(), THERE);
    }
    // The first has been used last.
    held.rotate_left(1);
    let mut first = held.pop().unwrap();
    first.send(request("GetItem", GET_THERE));
    assert_eq!(first.receive().text(), THERE);
    let mut new = world.connect();
    new.send(request("GetItem", GET_THERE));
    assert_eq!(new.receive().text(), THERE);
    held.remove(0).expect_end();
    held.push(first);
    for client in &mut held {
        client.send(request("GetItem", GET_THERE));
        assert_eq!(client.receive().text(), THERE);
    }
}

#[test]
fn a_thousand_connections_come_and_go() {
    let world = World::with_limits(Limits { connections_max: 50, ..Limits::default() });
    let address = world.address;
    let floods: Vec<_> = (0..4)
        .map(|kind| {
            thread::spawn(move || {
                for _ in 0..250 {
                    let mut client = crate::client::Client::new(address);
                    match kind {
                        0 => {}
                        1 => client.finish(),
                        2 => drop(client.try_send("GET /hea")),
                        _ => drop(client.try_send(request("GetItem", GET_THERE))),
                    }
                }
            })
        })
        .collect();
    for _ in 0..20 {
        world.assert_serves();
    }
    for flood in floods {
        flood.join().unwrap();
    }
    world.assert_serves();
}

/// Every place is free again, no matter how a client disconnected.
#[test]
fn places_are_not_lost() {
    let world = World::with_limits(Limits { connections_max: 3, ..Limits::default() });
    let large = "A: ".to_owned() + &"x".repeat(70_000);
    let ways: [&[u8]; 6] = [
        b"",
        b"G",
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01",
        b"nonsense\r\n\r\n",
        large.as_bytes(),
    ];
    for way in ways.iter().cycle().take(60) {
        let mut client = world.connect();
        client.try_send(way);
        drop(client);
    }
    for _ in 0..10 {
        world.assert_serves();
    }
}

#[test]
fn half_closed_connections_end() {
    let world = World::new();
    for start in [&b""[..], b"GET /", b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nabc"] {
        let mut client = world.connect();
        client.send(start);
        client.finish();
        client.expect_end();
    }
    world.assert_serves();
}
