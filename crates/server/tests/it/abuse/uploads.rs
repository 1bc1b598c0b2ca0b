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

/// What a head announces takes no memory, only what arrives.
#[test]
fn bodies_that_stop_do_not_hold_up_others() {
    let limits = Limits { body_timeout: Duration::from_secs(600), ..Limits::default() };
    let world = World::with_limits(limits);
    let mut stopped: Vec<_> = (0..20).map(|_| world.connect()).collect();
    for client in &mut stopped {
        client.send(head("PutItem", "Expect: 100-continue\r\nContent-Length: 16777216\r\n"));
        assert_eq!(client.receive_head().status, 100);
        client.send(vec![b' '; 20_000]);
    }
    for _ in 0..5 {
        assert_eq!(world.ask("PutItem", put("ordinary", 300_000)).text(), "{}");
        let large = put("large", 1_000) + &" ".repeat(15 * MIB);
        assert_eq!(world.ask("PutItem", large).text(), "{}");
    }
}

/// Who has sent much and then stops holds memory only as long as nobody else wants it.
#[test]
fn bodies_that_stop_make_room_for_those_that_arrive() {
    let limits = Limits {
        body_bytes_max: 2 * MIB,
        bodies_bytes_max: 6 * MIB,
        body_timeout: Duration::from_secs(600),
        ..Limits::default()
    };
    let world = World::with_limits(limits);
    let mut stopped: Vec<_> = (0..8).map(|_| world.connect()).collect();
    for client in &mut stopped {
        client.send(head("PutItem", "Content-Length: 2000000\r\n"));
        client.try_send(vec![b' '; 1_900_000]);
    }
    assert_eq!(world.ask("PutItem", put("ordinary", 300_000)).text(), "{}");
    assert_eq!(world.ask("PutItem", put("large", 1_000) + &" ".repeat(MIB)).text(), "{}");
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
