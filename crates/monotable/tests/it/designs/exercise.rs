//! The seeds' models at work: every entity is written as its seed prints it, every pattern finds its
//! rows among their neighbours, and what must hold between rows holds.
//!
//! A row is printed once, as it is stored. It is read as if another program had written it, then
//! written by the model, and has to be the same.

mod scavenger_hunt;

use std::fmt::Debug;
use std::str::FromStr;
use std::sync::Arc;

use monotable::codegen::{Holds, RowSet, Settings};
use monotable::design::meta::TableMeta;
use monotable::dynamodb::{DeleteItem, GetItem, PutItem};
use monotable::prelude::*;
use monotable::{Clock, Database, Item, ManualClock, Options};

use crate::support::literal;

/// When the tests start: 2025-10-25T12:00:00.000Z, the instant of the seeds' first examples.
const NOW_SECONDS: i64 = 1_761_393_600;
const NOW: &str = "2025-10-25T12:00:00.000Z";

/// A table of a seed, and the database below it.
struct World<T: Table> {
    db: Store<T>,
    database: Database,
    table: String,
    clock: Arc<ManualClock>,
}

impl<T: Table> World<T> {
    async fn new() -> Self {
        let clock = Arc::new(ManualClock::new(NOW_SECONDS as u64 * 1000));
        let options = Options { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..Options::default() };
        let database = Database::memory_with(options);
        let settings = Settings::<T>::new().environment("test").variable("uniqueId", "test");
        let db = settings.open(Embedded::new(database.clone())).await.unwrap();
        let name = T::META.table_name;
        let table = name.replace("{environment}", "test").replace("{uniqueId}", "test");
        Self { db, database, table, clock }
    }

    fn key(partition: &str, sort: &str) -> Item {
        let attributes = [T::META.partition_key, T::META.sort_key.unwrap()];
        attributes.map(str::to_owned).into_iter().zip([partition.into(), sort.into()]).collect()
    }

    fn key_of(row: &Item) -> Item {
        let text = |attribute: &str| row[attribute].as_s().unwrap();
        Self::key(text(T::META.partition_key), text(T::META.sort_key.unwrap()))
    }

    /// A row as it is stored.
    fn row(&self, partition: &str, sort: &str) -> Option<Item> {
        let get = GetItem::new(self.table.as_str(), Self::key(partition, sort));
        self.database.get_item(get).unwrap().item.map(|item| item.to_item())
    }

    /// Writes a row past the model.
    fn put(&self, row: Item) {
        self.database.put_item(PutItem::new(self.table.as_str(), row)).unwrap();
    }

    fn remove(&self, row: &Item) {
        let delete = DeleteItem::new(self.table.as_str(), Self::key_of(row));
        self.database.delete_item(delete).unwrap();
    }

    /// Reads a printed row, writes it by the model, and holds that it is the same row, byte for byte,
    /// and answers the question as before.
    async fn written<E, A>(&self, printed: &str, question: impl Fn(&Store<T>) -> A) -> E
    where
        T: Holds<E>,
        E: Entity + RowSet + PartialEq + Debug,
        A: Answer<E>,
    {
        let printed = literal::item(&printed.replace("NOW", NOW));
        let before = question(&self.db).entities().await;
        self.put(printed.clone());
        let with_it = question(&self.db).entities().await;
        let mut new = with_it.iter().filter(|entity| !before.contains(entity));
        let entity = new.next().unwrap_or_else(|| panic!("{printed:?} is not found"));
        assert_eq!(new.next(), None);
        self.remove(&printed);
        let created = self.db.create(entity).await.unwrap();
        assert_eq!(self.row_like(&printed), Some(printed));
        assert_eq!(&created, entity);
        assert_eq!(question(&self.db).entities().await, with_it);
        created
    }

    /// The stored row with the key of another.
    fn row_like(&self, row: &Item) -> Option<Item> {
        let get = GetItem::new(self.table.as_str(), Self::key_of(row));
        self.database.get_item(get).unwrap().item.map(|item| item.to_item())
    }

    /// Creates a neighbour.
    async fn create<E>(&self, entity: &E, change: impl FnOnce(&mut E)) -> E
    where
        T: Holds<E>,
        E: Entity,
    {
        let mut entity = entity.clone();
        change(&mut entity);
        self.db.create(&entity).await.unwrap()
    }
}

/// What a pattern answers.
trait Answer<E> {
    async fn entities(self) -> Vec<E>;
}

impl<E: RowSet> Answer<E> for One<E> {
    async fn entities(self) -> Vec<E> {
        self.await.unwrap().into_iter().collect()
    }
}

impl<E: RowSet> Answer<E> for Rows<E> {
    async fn entities(self) -> Vec<E> {
        let mut rows = self.stream();
        let mut entities = Vec::new();
        while let Some(row) = rows.next().await {
            entities.push(row.unwrap());
        }
        entities
    }
}

/// An id.
fn id<I: FromStr<Err: Debug>>(text: &str) -> I {
    text.parse().unwrap()
}

/// Everything that a pattern finds.
async fn all<E>(answer: impl Answer<E>) -> Vec<E> {
    answer.entities().await
}

/// Random numbers that a failing test can be repeated with.
struct Random(u64);

impl Random {
    /// Prints the seed, which is shown when the test fails.
    fn new(seed: u64) -> Self {
        println!("seed: {seed}");
        Self(seed)
    }

    fn below(&mut self, end: usize) -> usize {
        // A linear congruential generator's upper bits.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Every entity of a table and every pattern occur in its exercise.
fn check_exercised(table: &TableMeta, exercise: &str) {
    for entity in table.entities {
        assert!(exercise.contains(entity.name), "{} is not exercised", entity.name);
    }
    for pattern in table.pattern_sets.iter().flat_map(|set| set.patterns) {
        let call = format!("db.{}(", pattern.name);
        assert!(exercise.contains(&call), "{} is not asked", pattern.name);
    }
}

#[test]
fn no_entity_and_no_pattern_is_left_out() {
    use crate::designs::scavenger_hunt;
    let exercise = include_str!("exercise/scavenger_hunt.rs");
    check_exercised(scavenger_hunt::ScavengerHunt::META, exercise);
}
