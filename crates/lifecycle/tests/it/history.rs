//! Tables as they were at any time, compared with what an independent model recorded.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use monotable_engine::{
    AttributeValue, CreateTable, Database, DeleteItem, DeleteTable, History, IndexDefinition, Item,
    ManualClock, Options, PutItem, TransactWrite, TransactWriteItems, item,
};
use monotable_lifecycle::{BackupSet, Control, Lifecycle, RestoreOverrides, RestoreToPointInTime};
use monotable_testkit::crash::seed::{Random, announce, figure};
use monotable_testkit::executor::block_on;

use crate::world::{NOW_MS, items, lifecycle};

const TABLES: [&str; 3] = ["aaa", "bbb", "ccc"];
/// Items of this size are large enough for the log to go through several segments.
const TEXT_BYTES: usize = 250_000;

/// A table with an index and point-in-time recovery.
fn table(name: &str) -> CreateTable {
    let table = CreateTable::new(name).partition_key("id", "S").unwrap();
    let table = table.attribute("team", "S").unwrap();
    let table = table.global_index(IndexDefinition::new("by-team", &["team"], &["id"]));
    CreateTable { recovery_days: Some(35), ..table }
}

/// What every table had: none if it did not exist.
type State = BTreeMap<&'static str, BTreeMap<String, Item>>;

struct Past {
    directory: tempfile::TempDir,
    lifecycle: Lifecycle,
    clock: Arc<ManualClock>,
    random: Random,
    /// How many of the items are large.
    large_percent: u64,
    state: State,
    /// The state from each time on.
    states: Vec<(u64, State)>,
}

impl Past {
    fn new(seed: u64, large_percent: u64) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new(NOW_MS));
        let options = Options { clock: clock.clone(), keeps_history: true, ..Options::default() };
        let database = Database::open(directory.path().join("data"), options).unwrap();
        let lifecycle = lifecycle(database, directory.path());
        let random = Random::new(seed);
        let states = vec![(NOW_MS, State::new())];
        let state = State::new();
        Self { directory, lifecycle, clock, random, large_percent, state, states }
    }

    fn database(&self) -> &Database {
        self.lifecycle.database()
    }

    fn new_item(&mut self, id: &str) -> Item {
        let bytes = if self.random.percent(self.large_percent) { TEXT_BYTES } else { 20 };
        let text = format!("{:016x}", self.random.next()).repeat(bytes / 16 + 1);
        item! { "id" => id, "team" => format!("t{}", self.random.below(3)), "text" => text }
    }

    /// Does something random, and records what there is since then.
    fn step(&mut self) {
        self.clock.advance_ms(1 + self.random.below(3_000));
        let name = TABLES[self.random.below(3) as usize];
        let id = format!("{}", self.random.below(12));
        match (self.state.contains_key(name), self.random.below(20)) {
            (false, _) => {
                self.database().create_table(table(name)).unwrap();
                self.state.insert(name, BTreeMap::new());
            }
            (true, 0) => {
                self.database().delete_table(DeleteTable::new(name)).unwrap();
                self.state.remove(name);
            }
            (true, 1..=4) => {
                let key = item! { "id" => id.clone() };
                self.database().delete_item(DeleteItem::new(name, key)).unwrap();
                self.state.get_mut(name).unwrap().remove(&id);
            }
            // The same item into all tables, which change at one instant.
            (true, 5..=7) => {
                let new = self.new_item(&id);
                let mut transaction = TransactWriteItems::default();
                for (name, items) in &mut self.state {
                    transaction
                        .transact_items
                        .push(TransactWrite::Put(PutItem::new(*name, new.clone())));
                    items.insert(id.clone(), new.clone());
                }
                self.database().transact_write_items(transaction).unwrap();
            }
            _ => {
                let new = self.new_item(&id);
                self.database().put_item(PutItem::new(name, new.clone())).unwrap();
                self.state.get_mut(name).unwrap().insert(id, new);
            }
        }
        self.states.push((self.database().now_ms(), self.state.clone()));
    }

    /// The state at a time.
    fn at(&self, ms: u64) -> &State {
        &self.states.iter().rev().find(|(from_ms, _)| *from_ms <= ms).unwrap().1
    }

    /// The times that a table can be restored to.
    fn window(&self, source: &str) -> Option<RangeInclusive<u64>> {
        let backups = self.lifecycle.describe_continuous_backups(source).unwrap();
        backups.recovery.unwrap().times_ms
    }

    /// Returns the items that a table is restored with.
    fn restored_items(&self, source: &str, at_ms: u64) -> BTreeMap<String, Item> {
        let request = RestoreToPointInTime {
            source_table: source.to_owned(),
            target_table_name: "restored".to_owned(),
            restore_ms: Some(at_ms),
            overrides: RestoreOverrides::default(),
        };
        block_on(self.lifecycle.restore_to_point_in_time(request)).unwrap();
        self.lifecycle.finish_jobs();
        assert_eq!(self.lifecycle.failures(), [""; 0]);
        let found = items_by_id(self.database(), "restored");
        self.database().delete_table(DeleteTable::new("restored")).unwrap();
        found
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.directory.path().join(name)
    }

    fn restore(&self, at_ms: u64, into: &Path) -> monotable_lifecycle::Result<()> {
        let history = History::open(self.path("data")).unwrap();
        let set = BackupSet::open(&self.path("backups"), Some(at_ms))?;
        set.restore_at(&history, at_ms, into, None, Options::default(), &Control::default())
    }
}

fn state_of(directory: &Path) -> State {
    let database = Database::open(directory, Options::default()).unwrap();
    assert!(database.check().unwrap().is_clean());
    let mut state = State::new();
    for name in database.snapshot().tables().map(|table| table.name().to_owned()) {
        let name = TABLES.into_iter().find(|known| *known == name).unwrap();
        state.insert(name, items_by_id(&database, name));
    }
    state
}

/// The items of a table, which are those of its index.
fn items_by_id(database: &Database, name: &str) -> BTreeMap<String, Item> {
    let id = |item: &Item| match &item["id"] {
        AttributeValue::S(id) => id.clone(),
        other => panic!("{other:?}"),
    };
    let by_id = |index| items(database, name, index).into_iter().map(|item| (id(&item), item));
    let all: BTreeMap<String, Item> = by_id(None).collect();
    assert!(by_id(Some("by-team")).collect::<BTreeMap<_, _>>() == all, "the index of {name}");
    all
}

#[test]
fn any_time_since_a_backup_is_restored_for_all_tables_at_one_instant() {
    let seed = announce("history");
    let pairs = figure("MONOTABLE_HISTORY_PAIRS", 12);
    let mut past = Past::new(seed, 40);
    let first_ms = past.database().now_ms();
    past.lifecycle.back_up_all("first", &Control::default()).unwrap();
    for number in 0..300 {
        past.step();
        if number == 170 {
            past.lifecycle.back_up_all("second", &Control::default()).unwrap();
        }
    }
    assert!(std::fs::read_dir(past.path("data/history")).unwrap().count() > 0);
    let last_ms = past.database().now_ms();
    for number in 0..pairs {
        let at_ms = first_ms + past.random.below(last_ms - first_ms + 2);
        let into = past.path(&format!("restored-{number}"));
        past.restore(at_ms, &into).unwrap();
        assert!(state_of(&into) == *past.at(at_ms), "{at_ms} of {first_ms}..{last_ms}");
        std::fs::remove_dir_all(into).unwrap();
    }
}

#[test]
fn a_table_is_restored_alone_to_any_time_that_it_shows() {
    const PAIRS_OF_HISTORY: u64 = 6;
    let mut random = Random::new(announce("recovery"));
    let pairs = figure("MONOTABLE_RECOVERY_PAIRS", 12);
    let (mut compared, mut of_the_past) = (0, 0);
    while compared < pairs {
        let mut past = Past::new(random.next(), 0);
        let backups = [past.random.below(40), past.random.below(80)];
        for step in 0..40 {
            past.step();
            if backups.contains(&step) {
                past.lifecycle.back_up_all("later", &Control::default()).unwrap();
            }
        }
        for _ in 0..PAIRS_OF_HISTORY {
            let tables: Vec<&str> = past.state.keys().copied().collect();
            let Some(source) = tables.get(past.random.below(3) as usize) else { continue };
            let (from_ms, to_ms) = past.window(source).unwrap().into_inner();
            let at_ms = from_ms + past.random.below(to_ms - from_ms + 1);
            let found = past.restored_items(source, at_ms);
            assert!(found == past.at(at_ms)[source], "{source} at {at_ms}");
            of_the_past += u64::from(at_ms < past.states.last().unwrap().0);
            compared += 1;
        }
        assert!(past.database().check().unwrap().is_clean());
    }
    assert!(of_the_past > pairs / 2, "{of_the_past} of {compared} times were in the past");
}

#[test]
fn a_history_that_was_trimmed_or_changed_is_refused() {
    let mut past = Past::new(1, 40);
    let kept = |id: &str| item! { "id" => id, "team" => "t1" };
    past.database().create_table(table("kept")).unwrap();
    past.database().put_item(PutItem::new("kept", kept("1"))).unwrap();
    past.lifecycle.back_up_all("first", &Control::default()).unwrap();
    for _ in 0..250 {
        past.step();
    }
    let at_ms = past.database().now_ms();
    let into = past.path("restored");
    let history = past.path("data/history");
    let mut segments: Vec<_> =
        std::fs::read_dir(&history).unwrap().map(|entry| entry.unwrap().path()).collect();
    segments.sort();
    let whole = std::fs::read(&segments[0]).unwrap();
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    std::fs::write(&segments[0], changed).unwrap();
    let damaged = past.restore(at_ms, &into).unwrap_err().to_string();
    assert!(damaged.contains("damaged"), "{damaged}");
    assert!(!into.exists());
    std::fs::write(&segments[0], whole).unwrap();
    past.restore(at_ms, &into).unwrap();
    // All but what the log itself still needs.
    let left = History::open(past.path("data")).unwrap().trim(0, 0).unwrap();
    assert_eq!(left, 0);
    let refused = past.restore(at_ms, &past.path("again")).unwrap_err().to_string();
    assert!(refused.contains("does not reach back"), "{refused}");
    // A table has nothing to begin with until there is another backup.
    assert_eq!(past.window("kept"), None);
    past.clock.advance_ms(100_000);
    let set = past.lifecycle.back_up_all("second", &Control::default()).unwrap();
    past.clock.advance_ms(100_000);
    let window = set.created_ms.next_multiple_of(1000)..=past.database().now_ms();
    assert_eq!(past.window("kept"), Some(window));
    past.database().put_item(PutItem::new("kept", kept("2"))).unwrap();
    assert_eq!(past.restored_items("kept", set.created_ms).len(), 1);
    assert_eq!(past.restored_items("kept", past.database().now_ms()).len(), 2);
}
