//! The most frequent complaints of users of single-table libraries, and our solution to each: one
//! test per complaint, named after what holds here.
//!
//! Compile-time errors are compared in full in `tests/ui`; the tests here refer to their files by
//! name.

mod keys;
#[path = "../../examples/league/model.rs"]
#[allow(dead_code, unreachable_pub, reason = "the model reads like one of a library")]
pub(super) mod model;
mod reading;
mod tables;
mod writing;

use std::path::Path;
use std::sync::Arc;

use model::*;
use monotable::dynamodb::GetItem;
use monotable::prelude::*;
use monotable::{Clock, Database, Item, ManualClock, Options, item};

/// When the tests start: 2027-01-15T08:00:00Z.
const START_SECONDS: i64 = 1_800_000_000;

/// A league, the database below it, and its clock.
struct World {
    db: Store<League>,
    database: Database,
    clock: Arc<ManualClock>,
}

impl World {
    async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// With other options of the engine.
    async fn with(change: impl FnOnce(&mut Options)) -> Self {
        let clock = Arc::new(ManualClock::new(START_SECONDS as u64 * 1000));
        let mut options =
            Options { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..Options::default() };
        change(&mut options);
        let database = Database::memory_with(options);
        let db = League::open(Embedded::new(database.clone())).await.unwrap();
        Self { db, database, clock }
    }

    /// Returns a row as it is stored.
    fn row(&self, partition: &str, sort: &str) -> Option<Item> {
        let key = item! { "PK" => partition, "SK" => sort };
        let item = self.database.get_item(GetItem::new("league-dev", key)).unwrap().item;
        item.map(|item| item.to_item())
    }
}

/// Returns the text of an attribute; nothing if it is not there.
fn text<'a>(row: &'a Item, attribute: &str) -> Option<&'a str> {
    row.get(attribute).and_then(|value| value.as_s())
}

/// Checks that this golden file of a compile-time error contains the code.
fn reported_by_the_compiler(file: &str, code: &str) {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui").join(file);
    assert!(golden.with_extension("rs").exists(), "{} has no program", golden.display());
    let message = std::fs::read_to_string(golden.with_extension("stderr")).unwrap();
    assert!(message.contains(&format!("[{code}]")), "{}: {message}", golden.display());
}

fn team(id: &str, name: &str) -> Team {
    Team {
        team_id: TeamId::new(id).unwrap(),
        name: name.to_owned(),
        city: None,
        wins: 0,
        stamps: Stamps::default(),
    }
}

fn player(id: &str) -> Player {
    Player {
        team_id: TeamId::new("red").unwrap(),
        player_id: PlayerId::new(id).unwrap(),
        name: format!("Player {id}"),
        number: None,
        user_id: None,
        stamps: Stamps::default(),
    }
}

fn game(id: &str, date: &str) -> Game {
    Game {
        game_id: GameId::new(id).unwrap(),
        home_id: TeamId::new("red").unwrap(),
        date: date.parse().unwrap(),
        field: Field::new("north").unwrap(),
        status: Status::Scheduled,
        home_runs: 0,
        guest_runs: 0,
        stamps: Stamps::default(),
    }
}
