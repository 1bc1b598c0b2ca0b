//! kill -9 of the server under eight clients, again and again on one directory: what was
//! acknowledged is there, what was not is there as a whole or not at all, and the check is clean.
//!
//! | variable | meaning | CI | soak |
//! |---|---|---|---|
//! | `MONOTABLE_KILL_CYCLES` | kills on disk; tmpfs gets ten times as many | 2 | 300 |
//! | `MONOTABLE_SEED` | repeats the choices of a run; every test prints it | random | random |
//!
//! The directory of a run that failed is kept.

mod change;
mod journal;

use std::collections::BTreeMap;
use std::path::Path;

use monotable_testkit::crash::place::{Medium, Place};
use monotable_testkit::crash::seed::{Random, announce, figure};
use serde_json::json;

use crate::client::Client;
use crate::clients::{End, Heard, play};
use crate::items::{TABLE, create, scan};
use crate::process::{BUILD_DIRECTORY, Data, Server, assert_whole};
use change::{Row, Rows};
use journal::{Journal, TOTAL};

const CLIENTS: u64 = 8;
/// The largest number of acknowledged writes before a kill.
const WRITES_MAX: u64 = 400;
/// After how many kills a new directory follows: change records stay for a day, so it grows.
const LIFETIME: u64 = 12;

fn cycles(medium: Medium) -> u64 {
    let on_disk = figure("MONOTABLE_KILL_CYCLES", 2);
    match medium {
        Medium::Disk => on_disk,
        Medium::Tmpfs => on_disk * 10,
    }
}

/// The table, with everything that has to change together with an item.
fn create_everything(client: &mut Client) {
    let attributes = [("id", "S"), ("client", "N")]
        .map(|(name, kind)| json!({"AttributeName": name, "AttributeType": kind}));
    let index = json!({
        "IndexName": "by-client",
        "KeySchema": [{"AttributeName": "client", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
    });
    create(
        client,
        json!({
            "AttributeDefinitions": attributes,
            "GlobalSecondaryIndexes": [index],
            "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        }),
    );
}

/// One directory, and what its clients know of it.
struct Victim {
    place: Place,
    random: Random,
    journals: Vec<Journal>,
}

impl Victim {
    fn new(root: &Path, seed: u64) -> Self {
        let journals = (0..CLIENTS).map(|client| Journal::new(client, seed)).collect();
        Self { place: Place::new(root).unwrap(), random: Random::new(seed), journals }
    }

    /// Continues with an empty directory.
    fn renew(&mut self) {
        self.place.clear().unwrap();
        self.journals.iter_mut().for_each(Journal::forget);
    }

    /// Starts the server, lets the clients write, and kills it at some time.
    fn cycle(&mut self, body_bytes_max: u64) {
        let server = Server::start(Data::Directory(&self.place.database()));
        let mut client = server.client();
        match client.done("ListTables", &json!({}))["TableNames"] == json!([TABLE]) {
            true => self.verify(&mut client),
            false => create_everything(&mut client),
        }
        let writes = 1 + self.random.below(WRITES_MAX);
        play(server, &mut self.journals, writes, End::Kill, |journal, client| {
            write(journal, client, body_bytes_max)
        });
        // Sometimes the check recovers the directory, and sometimes the next server.
        if self.random.percent(50) {
            assert_whole(&self.place.database());
        }
    }

    /// Holds what the server has against what its clients know.
    fn verify(&mut self, client: &mut Client) {
        let mut found: Rows =
            scan(client).into_iter().map(|(id, item)| (id, Row::of_item(&item))).collect();
        let total = found.remove(TOTAL).and_then(|row| row.count).unwrap_or(0);
        let mut tallies = 0;
        for journal in &mut self.journals {
            tallies += journal.verify(&mut found);
        }
        assert_eq!(found, BTreeMap::new(), "nobody has written these");
        assert_eq!(total, tallies, "each transaction added to a client's tally and to the total");
    }
}

/// Sends a write and puts its answer into the journal.
fn write(journal: &mut Journal, client: &mut Client, body_bytes_max: u64) -> Heard {
    let request = journal.next(body_bytes_max);
    let Some(answer) = client.try_ask(request.operation(), &request.to_json()) else {
        return Heard::Nothing;
    };
    assert_eq!(answer.status, 200, "{}", answer.body);
    let unprocessed = answer.body["UnprocessedItems"].as_object().map_or(0, |left| left.len());
    assert_eq!(unprocessed, 0, "{}", answer.body);
    journal.acknowledge();
    Heard::Answer
}

fn kill_servers(medium: Medium, name: &str) {
    let Some(root) = medium.root(BUILD_DIRECTORY) else { return };
    let seed = announce(name);
    let mut victim = Victim::new(&root, seed);
    eprintln!("{name}: see {}", victim.place);
    for cycle in 0..cycles(medium) {
        if cycle > 0 && cycle % LIFETIME == 0 {
            victim.renew();
        }
        // Sometimes items are large, so that the store has more to do than its journal.
        victim.cycle(if cycle % 8 == 7 { 20_000 } else { 1_000 });
    }
    let server = Server::start(Data::Directory(&victim.place.database()));
    victim.verify(&mut server.client());
    server.kill();
    assert_whole(&victim.place.database());
    victim.place.remove().unwrap();
}

#[test]
fn acknowledged_writes_survive_kill_9_on_disk() {
    kill_servers(Medium::Disk, "acknowledged_writes_survive_kill_9_on_disk");
}

#[test]
fn acknowledged_writes_survive_kill_9_on_tmpfs() {
    kill_servers(Medium::Tmpfs, "acknowledged_writes_survive_kill_9_on_tmpfs");
}
