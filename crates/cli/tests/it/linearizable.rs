//! Operations of eight clients on few items over HTTP are linearizable, also across kill -9.
//!
//! | variable | meaning | CI | soak |
//! |---|---|---|---|
//! | `MONOTABLE_LINEARIZABLE_OPERATIONS` | operations of all tests together | 20000 | 200000 |
//! | `MONOTABLE_SEED` | repeats the choices of a run; every test prints it | random | random |

mod player;

use std::collections::BTreeMap;

use monotable_testkit::crash::seed::{announce, figure};
use monotable_testkit::history::Timeline;
use monotable_testkit::history::item::Item;
use monotable_testkit::history::linearizability::{Operation, check};

use crate::clients::{End, play};
use crate::items::create_table;
use crate::process::{Data, Server, assert_whole, place};
use player::Player;

const CLIENTS: u64 = 8;
/// How many operations are answered between two kills.
const BETWEEN_KILLS: u64 = 500;
/// After so many kills other keys follow: whatever was under way at a kill may still happen as far
/// as the checker knows, and too many such operations make its search long.
const KILLS_PER_KEY: u64 = 4;

/// The operations of a test that takes this share of all.
fn operations(percent: u64) -> u64 {
    figure("MONOTABLE_LINEARIZABLE_OPERATIONS", 20_000) * percent / 100
}

/// The operations of all players, by key.
fn histories(players: Vec<Player<'_>>) -> BTreeMap<String, Vec<Operation<Item>>> {
    let mut histories: BTreeMap<String, Vec<Operation<Item>>> = BTreeMap::new();
    for (id, operation) in players.into_iter().flat_map(|player| player.heard) {
        histories.entry(id).or_default().push(operation);
    }
    histories
}

#[track_caller]
fn assert_linearizable(players: Vec<Player<'_>>) {
    for (id, history) in histories(players) {
        if let Err(violation) = check(&history) {
            panic!("{id}: {violation}");
        }
    }
}

/// Nobody is disturbed.
fn play_in_peace(data: Data<'_>, operations: u64, test: &str) {
    let seed = announce(test);
    let timeline = Timeline::default();
    let mut players: Vec<_> = (0..CLIENTS).map(|n| Player::new(n, seed, &timeline)).collect();
    let server = Server::start(data);
    create_table(&mut server.client());
    play(server, &mut players, operations, End::Stop, Player::ask);
    assert_linearizable(players);
}

#[test]
fn operations_in_memory_are_linearizable() {
    play_in_peace(Data::Memory, operations(50), "operations_in_memory_are_linearizable");
}

#[test]
fn operations_on_disk_are_linearizable() {
    let place = place();
    let test = "operations_on_disk_are_linearizable";
    play_in_peace(Data::Directory(&place.database()), operations(25), test);
    assert_whole(&place.database());
    place.remove().unwrap();
}

#[test]
fn operations_are_linearizable_across_kill_9() {
    let seed = announce("operations_are_linearizable_across_kill_9");
    let place = place();
    let timeline = Timeline::default();
    let mut players: Vec<_> = (0..CLIENTS).map(|n| Player::new(n, seed, &timeline)).collect();
    for kill in 0..operations(25).div_ceil(BETWEEN_KILLS) {
        let server = Server::start(Data::Directory(&place.database()));
        if kill == 0 {
            create_table(&mut server.client());
        }
        for player in &mut players {
            player.go_to(kill / KILLS_PER_KEY);
        }
        play(server, &mut players, BETWEEN_KILLS, End::Kill, Player::ask);
    }
    assert_whole(&place.database());
    assert_linearizable(players);
    place.remove().unwrap();
}
