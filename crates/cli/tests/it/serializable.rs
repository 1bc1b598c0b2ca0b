//! Transactions of eight clients on few lists over HTTP are strictly serializable, also across
//! kill -9.
//!
//! | variable | meaning | CI | soak |
//! |---|---|---|---|
//! | `MONOTABLE_SERIALIZABLE_TRANSACTIONS` | transactions of all tests together | 5000 | 100000 |
//! | `MONOTABLE_SEED` | repeats the choices of a run; every test prints it | random | random |

mod player;

use monotable_testkit::crash::seed::{announce, figure};
use monotable_testkit::history::Timeline;
use monotable_testkit::history::serializability::{End as TransactionEnd, check};

use crate::clients::{End, play};
use crate::items::create_table;
use crate::process::{Data, Server, assert_whole, place};
use player::{Lists, Player};

const CLIENTS: u64 = 8;
/// How many transactions are answered between two kills.
const BETWEEN_KILLS: u64 = 300;

/// The transactions of a test that takes this share of all.
fn transactions(percent: u64) -> u64 {
    figure("MONOTABLE_SERIALIZABLE_TRANSACTIONS", 5_000) * percent / 100
}

/// Reads all lists once more, so that nothing can have vanished unseen, and checks.
#[track_caller]
fn assert_serializable(server: &Server, mut players: Vec<Player<'_>>) {
    players[0].read_all(&mut server.client());
    let history: Vec<_> = players.into_iter().flat_map(|player| player.heard).collect();
    let ended = |end: fn(TransactionEnd) -> bool| {
        history.iter().filter(|one| end(one.end) && !one.appends.is_empty()).count()
    };
    // A history in which nothing met proves nothing.
    assert!(ended(|end| matches!(end, TransactionEnd::Committed(_))) > history.len() / 10);
    assert!(ended(|end| end == TransactionEnd::Refused) > 0);
    if let Err(violation) = check(&history) {
        panic!("{violation}");
    }
}

/// Nobody is disturbed.
fn play_in_peace(data: Data<'_>, transactions: u64, test: &str) {
    let seed = announce(test);
    let (timeline, lists) = (Timeline::default(), Lists::default());
    let player = |number| Player::new(number, seed, &timeline, &lists);
    let mut players: Vec<_> = (0..CLIENTS).map(player).collect();
    let server = Server::start(data);
    create_table(&mut server.client());
    let server = play(server, &mut players, transactions, End::Stop, Player::ask);
    assert_serializable(&server.expect("not killed"), players);
}

#[test]
fn transactions_in_memory_are_serializable() {
    play_in_peace(Data::Memory, transactions(50), "transactions_in_memory_are_serializable");
}

#[test]
fn transactions_on_disk_are_serializable() {
    let place = place();
    let test = "transactions_on_disk_are_serializable";
    play_in_peace(Data::Directory(&place.database()), transactions(25), test);
    assert_whole(&place.database());
    place.remove().unwrap();
}

#[test]
fn transactions_are_serializable_across_kill_9() {
    let seed = announce("transactions_are_serializable_across_kill_9");
    let place = place();
    let (timeline, lists) = (Timeline::default(), Lists::default());
    let player = |number| Player::new(number, seed, &timeline, &lists);
    let mut players: Vec<_> = (0..CLIENTS).map(player).collect();
    for kill in 0..transactions(25).div_ceil(BETWEEN_KILLS) {
        let server = Server::start(Data::Directory(&place.database()));
        if kill == 0 {
            create_table(&mut server.client());
        }
        play(server, &mut players, BETWEEN_KILLS, End::Kill, Player::ask);
    }
    assert_whole(&place.database());
    let server = Server::start(Data::Directory(&place.database()));
    assert_serializable(&server, players);
    drop(server);
    place.remove().unwrap();
}
