//! A separate table for each test, with a clock that the test sets.

use std::sync::Arc;

use monotable_engine::{Faults, ManualClock, Options};
use monotable_model::backend::request::{Action, Get, Returns, Scan, Write};
use monotable_model::backend::{Backend, Embedded};
use monotable_model::time::EpochSeconds;
use monotable_model::{Settings, Store, Table};
use monotable_types::Item;

/// 2026-01-01T00:00:00Z.
pub const START_SECONDS: i64 = 1_767_225_600;

pub struct World<T: Table> {
    pub db: Store<T>,
    pub backend: Embedded,
    pub clock: Arc<ManualClock>,
}

impl<T: Table> World<T> {
    /// Returns a world in which expired rows stay where they are.
    pub async fn new() -> Self {
        Self::with(Faults { never_sweep: true, ..Faults::default() }).await
    }

    pub async fn with(faults: Faults) -> Self {
        let clock = Arc::new(ManualClock::new(START_SECONDS as u64 * 1000));
        let options = Options { clock: Arc::clone(&clock) as Arc<_>, faults, ..Options::default() };
        let backend = Embedded::memory_with(options);
        let db = Settings::<T>::new().open(backend.clone()).await.unwrap();
        Self { db, backend, clock }
    }

    /// Returns the same table through another backend.
    pub async fn through(&self, backend: impl Backend) -> Store<T> {
        Settings::<T>::new().without_verification().open(backend).await.unwrap()
    }

    /// Lets seconds pass.
    pub fn pass(&self, seconds: u64) {
        self.clock.advance_ms(seconds * 1000);
    }

    /// Returns a row as it is stored, expired or not.
    pub async fn row(&self, partition: &str, sort: &str) -> Option<Item> {
        let mut key = Item::from([(T::META.partition_key.to_owned(), partition.into())]);
        if let Some(attribute) = T::META.sort_key {
            key.insert(attribute.to_owned(), sort.into());
        }
        let get =
            Get { table: T::META.table_name.into(), key, consistent: true, returns_units: false };
        self.backend.get(get).await.unwrap().row.map(|row| row.into_item().unwrap())
    }

    /// Writes a row as other programs do.
    pub async fn write_raw(&self, row: Item) {
        self.perform(Action::Put(row)).await;
    }

    /// Removes a row as other programs do.
    pub async fn delete_raw(&self, key: Item) {
        self.perform(Action::Delete(key)).await;
    }

    async fn perform(&self, action: Action) {
        let write = Write {
            table: T::META.table_name.into(),
            action,
            condition: None,
            return_on_failure: false,
            returns: Returns::Nothing,
            returns_units: false,
        };
        self.backend.write(write).await.unwrap();
    }

    /// Returns every row as it is stored.
    pub async fn rows(&self) -> Vec<Item> {
        let scan = Scan {
            table: T::META.table_name.into(),
            index: None,
            filter: None,
            consistent: true,
            limit: None,
            start_key: None,
            segment: None,
        };
        let page = self.backend.scan(scan).await.unwrap();
        assert!(page.last_key.is_none(), "the tests are smaller than a page");
        page.rows.into_iter().map(|row| row.into_item().unwrap()).collect()
    }
}

/// Seconds after the start.
pub fn at(seconds: i64) -> EpochSeconds {
    EpochSeconds::new(START_SECONDS + seconds)
}

/// Makes a test of a function on every table with partition and sort key.
macro_rules! on_every_table {
    ($($test:ident),* $(,)?) => {
        mod on_plain_attributes {
            $(#[tokio::test]
            async fn $test() {
                super::$test($crate::rows::world::World::<$crate::rows::tables::Club>::new().await).await;
            })*
        }

        mod on_envelopes {
            $(#[tokio::test]
            async fn $test() {
                super::$test($crate::rows::world::World::<$crate::rows::tables::Cabinet>::new().await).await;
            })*
        }

        mod on_value_rows {
            $(#[tokio::test]
            async fn $test() {
                super::$test($crate::rows::world::World::<$crate::rows::tables::KeyValue>::new().await).await;
            })*
        }
    };
}

pub(super) use on_every_table;
