//! Many large bodies at once share the memory that is there for them.

use std::thread;
use std::time::Duration;

use monotable_server::Limits;

use crate::fixture::{World, head, put, request};

const MIB: usize = 1 << 20;

/// Each body needs more than half of what its neighbours leave: if each held a part while it waits
/// for the rest, none would ever be whole.
#[test]
fn large_bodies_wait_for_each_other_and_all_arrive() {
    let limits = Limits { bodies_bytes_max: 5 * MIB, ..Limits::default() };
    let world = World::with_limits(limits);
    let address = world.address;
    let uploads: Vec<_> = (0..12)
        .map(|number| {
            thread::spawn(move || {
                let mut client = crate::client::Client::new(address);
                let body = put(&format!("large{number}"), 1_000) + &" ".repeat(2 * MIB);
                for chunk in request("PutItem", body).chunks(100_000) {
                    client.send(chunk);
                }
                assert_eq!(client.receive().text(), "{}");
            })
        })
        .collect();
    for _ in 0..20 {
        world.assert_serves();
    }
    for upload in uploads {
        upload.join().unwrap();
    }
    assert!((0..12).all(|number| world.has(&format!("large{number}"))));
}

#[test]
fn a_body_larger_than_all_memory_for_bodies_is_taken_alone() {
    let world = World::with_limits(Limits { bodies_bytes_max: MIB, ..Limits::default() });
    for _ in 0..2 {
        let body = put("large", 1_000) + &" ".repeat(3 * MIB);
        assert_eq!(world.ask("PutItem", body).text(), "{}");
    }
}

#[test]
fn who_waits_too_long_for_memory_is_told_to_come_back() {
    let limits = Limits {
        bodies_bytes_max: MIB,
        body_timeout: Duration::from_millis(300),
        body_bytes_per_second_min: 1_000,
        ..Limits::default()
    };
    let world = World::with_limits(limits);
    let mut greedy = world.connect();
    greedy.send(head("PutItem", "Content-Length: 2000000\r\n"));
    greedy.send(vec![b' '; 200_000]);
    // Small requests need no share.
    world.assert_serves();
    let mut client = world.connect();
    client.try_send(request("PutItem", put("late", 100_000)));
    let answer = client.receive();
    assert_eq!(answer.status, 503, "{}", answer.text());
    world.assert_serves();
    drop(greedy);
    let answer = loop {
        let answer = world.ask("PutItem", put("late", 100_000));
        if answer.status != 503 {
            break answer;
        }
    };
    assert_eq!(answer.text(), "{}");
}
