//! Services that consist of a table and operations.

use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;
use std::sync::Arc;

use monotable::design::meta::TableMeta;
use monotable::model::time::Timestamp;
use monotable::model::{HoldsRule, Store, Table};
use monotable_kit::{AuthKey, Ids, KeepsRequests, Problem, State};

use crate::service::{BoxFuture, OpenService, RunningService, Service};
use crate::settings::HostSettings;

/// A service that consists of a table and operations, ready to be opened. Its operations work on a
/// [`TableApp`].
pub struct TableService<T> {
    api: fn() -> monotable_kit::Service,
    table: PhantomData<fn() -> T>,
}

impl<T: KeepsRequests> TableService<T> {
    /// Creates a service from a list of operations.
    pub fn new(api: fn() -> monotable_kit::Service) -> Self {
        Self { api, table: PhantomData }
    }
}

impl<T: KeepsRequests + HoldsRule<AuthKey>> Service for TableService<T> {
    fn api(&self) -> monotable_kit::Service {
        (self.api)()
    }

    fn table(&self) -> &'static TableMeta {
        T::META
    }

    fn open<'a>(
        &'a self,
        table_name: &'a str,
        settings: &'a HostSettings,
    ) -> BoxFuture<'a, OpenService> {
        Box::pin(async move {
            let db: Store<T> = settings.open_table(table_name).await?;
            let host = settings.host(&db);
            let app = Arc::new(TableApp { db, ids: Ids::default() });
            Ok(OpenService::new(self.api(), app, host))
        })
    }
}

/// The state of a service that consists of a table and operations.
pub struct TableApp<T: Table> {
    /// The table.
    pub db: Store<T>,
    /// The source of ids.
    pub ids: Ids,
}

impl<T: Table> TableApp<T> {
    /// Returns a new id, which sorts after all earlier ones.
    ///
    /// # Errors
    /// Returns 500 if it can't be part of a key, which is never the case.
    pub fn new_id<I: FromStr<Err: Display>>(&self) -> Result<I, Problem> {
        self.ids.next_of(self.db.now())
    }
}

impl<T: Table> State for TableApp<T> {
    fn now(&self) -> Timestamp {
        self.db.now()
    }
}

impl<T: Table> RunningService for TableApp<T> {
    fn sweep(&self) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(self.db.delete_expired().await.map(drop)?) })
    }
}
