//! What the server needs at most, measured in a process of its own: other tests would be counted too.

use std::io::Write as _;
use std::process::Command;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use monotable_server::Limits;

use crate::client::Client;
use crate::fixture::{GET_THERE, World, put, request, request_with};

const ALONE: &str = "MONOTABLE_TEST_ALONE";
const MIB: usize = 1 << 20;
const GROWTH_BYTES_MAX: usize = 256 * MIB;

#[test]
fn a_storm_of_uploads_needs_bounded_memory() {
    alone("a_storm_of_uploads_needs_bounded_memory", uploads);
}

#[test]
fn a_storm_of_bombs_needs_bounded_memory() {
    alone("a_storm_of_bombs_needs_bounded_memory", bombs);
}

/// 32 clients send a few KiB each that decode to 15 MiB, all at once.
fn bombs() {
    let world = World::new();
    world.assert_serves();
    let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
    bomb.write_all(format!("{GET_THERE}{}", " ".repeat(15 * MIB)).as_bytes()).unwrap();
    let bomb = request_with("GetItem", "Content-Encoding: gzip\r\n", bomb.finish().unwrap());
    assert!(bomb.len() < 32 * 1024);
    let before = status_bytes("VmHWM");
    let mut clients: Vec<Client> = (0..32).map(|_| world.connect()).collect();
    for client in &mut clients {
        client.send(&bomb);
    }
    for client in &mut clients {
        let answer = client.receive();
        // A client that had to wait too long for memory is to try again.
        assert!([200, 503].contains(&answer.status), "{}", answer.text());
    }
    let grown = status_bytes("VmHWM") - before;
    assert!(grown < GROWTH_BYTES_MAX, "{} MiB", grown / MIB);
    assert!(grown > 15 * MIB, "{} MiB", grown / MIB);
    world.assert_serves();
}

/// Runs a test in a process in which it is the only one.
fn alone(name: &str, test: impl FnOnce()) {
    if std::env::var_os(ALONE).is_some() {
        return test();
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("memory::{name}"), "--nocapture"])
        .env(ALONE, "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// 200 clients send 15 MiB each, a piece in turn; most of them leave halfway.
fn uploads() {
    let limits = Limits { body_timeout: Duration::from_secs(3), ..Limits::default() };
    let world = World::with_limits(limits);
    world.assert_serves();
    let whole = request("GetItem", format!("{GET_THERE}{}", " ".repeat(15 * MIB)));
    let before = status_bytes("VmRSS");
    let mut clients: Vec<(Client, usize)> = (0..200).map(|_| (world.connect(), 0)).collect();
    let mut number = 0;
    while !clients.is_empty() {
        clients.retain_mut(|(client, sent)| {
            number += 1;
            let end = whole.len().min(*sent + MIB);
            match client.send_what_fits(&whole[*sent..end]) {
                Some(count) => *sent += count,
                None => return false,
            }
            let abandons = *sent > 8 * MIB && number % 4 != 0;
            // An answer is the end, whether it is the item or that there are too many.
            !(abandons || client.has_input())
        });
        world.assert_serves();
    }
    let grown = status_bytes("VmHWM") - before;
    assert!(grown < GROWTH_BYTES_MAX, "{} MiB", grown / MIB);
    // It was really the storm that was measured, and the memory is there for others again.
    assert!(grown > 32 * MIB, "{} MiB", grown / MIB);
    assert_eq!(world.ask("PutItem", put("large", 300_000)).text(), "{}");
}

/// A figure of this process in bytes.
fn status_bytes(name: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    let kibibytes = line.trim_start_matches(':').trim().strip_suffix(" kB").unwrap();
    kibibytes.parse::<usize>().unwrap() * 1024
}
