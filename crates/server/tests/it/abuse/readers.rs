//! Responses that are larger than the system takes at once, to clients that read them and to clients
//! that do not.

use std::thread;
use std::time::Duration;

use monotable_server::Limits;

use crate::client::Client;
use crate::fixture::{World, put, request};

const ITEMS: usize = 40;
const ITEM_BYTES: usize = 300_000;

/// Nobody is too slow, however busy the machine is that runs the test.
fn limits() -> Limits {
    let long = Duration::from_secs(600);
    Limits { write_timeout: long, body_bytes_per_second_min: 0, ..Limits::default() }
}

fn world(limits: Limits) -> World {
    let world = World::with_limits(limits);
    for number in 0..ITEMS {
        assert_eq!(world.ask("PutItem", put(&format!("i{number}"), ITEM_BYTES)).text(), "{}");
    }
    world
}

/// A request for 12 MB.
fn get_all() -> Vec<u8> {
    let keys: Vec<_> =
        (0..ITEMS).map(|number| format!(r#"{{"id":{{"S":"i{number}"}}}}"#)).collect();
    let keys = keys.join(",");
    request("BatchGetItem", format!(r#"{{"RequestItems":{{"plain":{{"Keys":[{keys}]}}}}}}"#))
}

#[test]
fn who_reads_is_never_cut_off() {
    let world = world(Limits { unread_bytes_max: 1 << 20, ..limits() });
    let readers: Vec<_> = (0..8)
        .map(|_| {
            let address = world.address;
            thread::spawn(move || {
                let mut whole = 0;
                while whole < 2 {
                    let mut client = Client::new(address);
                    client.send(get_all());
                    let answer = client.receive();
                    match answer.status {
                        200 => whole += 1,
                        status => assert_eq!(status, 503, "{}", answer.text()),
                    }
                    assert!(answer.status != 200 || answer.body.len() > ITEMS * ITEM_BYTES);
                }
            })
        })
        .collect();
    world.assert_serves();
    for reader in readers {
        reader.join().unwrap();
    }
}

#[test]
fn who_waits_too_long_for_others_to_read_is_told_to_come_back() {
    let short = Duration::from_millis(300);
    let world = world(Limits { unread_bytes_max: 32 << 20, body_timeout: short, ..limits() });
    // Two responses are more than half of what may be unread: pages wait, items do not.
    let mut idle: Vec<_> = (0..2).map(|_| world.connect()).collect();
    for client in &mut idle {
        client.send(get_all().repeat(8));
    }
    let refused = loop {
        let mut client = world.connect();
        client.send(get_all());
        let answer = client.receive();
        world.assert_serves();
        if answer.status != 200 {
            break answer;
        }
    };
    assert_eq!((refused.status, refused.header("connection")), (503, Some("close")));
    for client in &mut idle {
        assert_eq!(client.receive().status, 200);
    }
    drop(idle);
    while world.ask("Scan", r#"{"TableName":"plain"}"#).status != 200 {}
}
