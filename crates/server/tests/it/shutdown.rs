//! The end in good order.

use std::io::ErrorKind;
use std::net::TcpStream;

use monotable_engine::Database;
use monotable_server::{Config, Limits};

use crate::fixture::{GET_THERE, THERE, World, config, head, put, request};

/// A server whose end comes only when everybody is served: nobody is cut off by the clock.
fn patient() -> World {
    let limits =
        Limits { shutdown_timeout: std::time::Duration::from_secs(600), ..Limits::default() };
    World::with_limits(limits)
}

#[test]
fn a_request_that_was_begun_is_finished_and_the_idle_are_closed() {
    let mut world = patient();
    let body = put("late", 50_000);
    let mut writer = world.connect();
    let mut idle: Vec<_> = (0..10).map(|_| world.connect()).collect();
    for client in &mut idle {
        client.send(request("GetItem", GET_THERE));
        assert_eq!(client.receive().text(), THERE);
    }
    let mut fresh = world.connect();
    // With the invitation it is certain that the server has begun with the request.
    let length = body.len();
    writer.send(head("PutItem", &format!("Expect: 100-continue\r\nContent-Length: {length}\r\n")));
    assert_eq!(writer.receive_head().status, 100);
    writer.send(&body[..20_000]);
    world.tell_to_stop();
    for client in &mut idle {
        client.expect_end();
    }
    fresh.expect_end();
    assert!(!world.has("late"));
    writer.send(&body[20_000..]);
    let answer = writer.receive();
    assert_eq!((answer.text(), answer.header("connection")), ("{}", Some("close")));
    writer.expect_end();
    world.wait();
    assert!(world.has("late"));
    let refused = TcpStream::connect(world.address).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
}

/// A body that fills its buffer to the last byte leaves the runtime in the belief that there is more.
#[test]
fn a_connection_is_idle_again_behind_a_large_body() {
    let mut world = patient();
    let mut clients: Vec<_> = (0..4).map(|_| world.connect()).collect();
    for client in &mut clients {
        client.send(request("PutItem", put("large", 100_000)));
        assert_eq!(client.receive().text(), "{}");
    }
    world.assert_serves();
    world.tell_to_stop();
    for client in &mut clients {
        client.expect_end();
    }
    world.wait();
}

/// One thread that is busy finds everything at once when it looks again: requests, connections with
/// requests, and that it has to stop.
#[test]
fn requests_that_have_arrived_are_answered() {
    let limits =
        Limits { shutdown_timeout: std::time::Duration::from_secs(600), ..Limits::default() };
    let config = Config { workers: 1, limits, ..config() };
    let mut world = World::with_config(config, Database::memory());
    for number in 0..3 {
        world.ask("PutItem", put(&format!("large{number}"), 390_000));
    }
    let mut used: Vec<_> = (0..200).map(|_| world.connect()).collect();
    for client in &mut used {
        client.send("GET /health HTTP/1.1\r\n\r\n");
        assert_eq!(client.receive().text(), "ok\n");
    }
    let mut busy: Vec<_> = (0..8).map(|_| world.connect()).collect();
    for client in &mut busy {
        client.send(request("Scan", r#"{"TableName":"plain"}"#));
    }
    for client in &mut used {
        client.send(request("GetItem", GET_THERE));
    }
    let fresh = (0..50).map(|_| {
        let mut client = world.connect();
        client.send(request("GetItem", GET_THERE));
        client
    });
    used.extend(fresh.collect::<Vec<_>>());
    world.tell_to_stop();
    for client in &mut used {
        assert_eq!(client.receive().text(), THERE);
        client.expect_end();
    }
    for client in &mut busy {
        assert_eq!(client.receive().status, 200);
        client.expect_end();
    }
    world.wait();
}

#[test]
fn a_request_that_does_not_come_to_its_end_is_cut_off() {
    let limits =
        Limits { shutdown_timeout: std::time::Duration::from_millis(200), ..Limits::default() };
    let mut world = World::with_limits(limits);
    let mut client = world.connect();
    client.send(head("PutItem", "Expect: 100-continue\r\nContent-Length: 100000\r\n"));
    assert_eq!(client.receive_head().status, 100);
    world.tell_to_stop();
    world.wait();
    client.expect_end();
}

#[test]
fn what_was_acknowledged_is_there_after_the_end() {
    let directory = std::env::temp_dir().join(format!("monotable-shutdown-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&directory);
    let database = Database::open(&directory, Default::default()).unwrap();
    let mut world = World::with_config(Config { workers: 2, ..config() }, database);
    let clients: Vec<_> = (0..4)
        .map(|number| {
            let mut client = world.connect();
            std::thread::spawn(move || {
                let mut acknowledged = Vec::new();
                for round in 0.. {
                    let id = format!("c{number}-{round}");
                    if !client.try_send(request("PutItem", put(&id, 10))) {
                        break;
                    }
                    let Some(answer) = client.try_receive() else { break };
                    assert_eq!(answer.text(), "{}");
                    acknowledged.push(id);
                    if answer.header("connection") == Some("close") {
                        break;
                    }
                }
                acknowledged
            })
        })
        .collect();
    // Until each has certainly written something.
    while !(0..4).all(|number| world.has(&format!("c{number}-5"))) {
        world.assert_serves();
    }
    world.tell_to_stop();
    world.wait();
    let acknowledged: Vec<_> =
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect();
    drop(world);
    let database = Database::open(&directory, Default::default()).unwrap();
    for id in &acknowledged {
        let key = monotable_engine::item! { "id" => id.as_str() };
        let request = monotable_engine::GetItem::new("plain", key);
        assert!(database.get_item(request).unwrap().item.is_some(), "{id}");
    }
    drop(database);
    std::fs::remove_dir_all(&directory).unwrap();
}
