//! Where tables live: the one seam between typed models and a store with DynamoDB's semantics.
//!
//! A [`Backend`] takes [requests](request) in terms of items and expression trees and knows nothing of
//! entities. What it can't do is said by its [`Capabilities`] before the first request.

#[cfg(feature = "dynamodb")]
mod dynamo;
#[cfg(feature = "embedded")]
mod embedded;
mod error;
#[cfg(any(feature = "embedded", feature = "dynamodb"))]
mod limits;
mod reply;
pub mod request;
mod row;

#[cfg(feature = "dynamodb")]
pub use dynamo::{Alternator, Amazon, Dynamo, Flavour, Remote, Scylla};
#[cfg(feature = "embedded")]
pub use embedded::Embedded;
pub use error::{BackendError, Reason};
pub use reply::Reply;
pub(crate) use row::Aside;
pub use row::Row;

use std::time::Duration;

use request::{
    BatchGet, BatchGetAnswer, BatchWrite, BatchWriteAnswer, Get, GetAnswer, PageAnswer, Query,
    Scan, TableShape, Transaction, TransactionGet, TransactionGetAnswer, Write, WriteAnswer,
};

/// A store with DynamoDB's semantics.
///
/// Answers are owned and `'static`: one that is there at once costs no allocation
/// ([`Reply::ready`]), and one on its way can outlive the borrow of the backend.
pub trait Backend: Send + Sync + 'static {
    /// What the backend can do.
    fn capabilities(&self) -> Capabilities;
    /// Milliseconds since 1970-01-01 UTC, from the clock that also decides expiry.
    fn now_ms(&self) -> u64;
    /// Reads one row.
    fn get(&self, request: Get) -> Reply<GetAnswer>;
    /// Reads a page of one partition.
    fn query(&self, request: Query) -> Reply<PageAnswer>;
    /// Reads a page of everything.
    fn scan(&self, request: Scan) -> Reply<PageAnswer>;
    /// Reads up to 100 rows; some may be left over.
    fn batch_get(&self, request: BatchGet) -> Reply<BatchGetAnswer>;
    /// Reads up to 100 rows as of one moment.
    fn transact_get(&self, request: TransactionGet) -> Reply<TransactionGetAnswer>;
    /// Writes one row.
    fn write(&self, request: Write) -> Reply<WriteAnswer>;
    /// Writes up to 25 rows, each on its own; some may be left over.
    fn batch_write(&self, request: BatchWrite) -> Reply<BatchWriteAnswer>;
    /// Writes and checks up to 100 rows, all or nothing.
    fn transact(&self, request: Transaction) -> Reply<WriteAnswer>;
    /// The shape of a table, if there is one of this name.
    fn describe_table(&self, table_name: &str) -> Reply<Option<TableShape>>;
    /// Creates a table and waits until it can be used.
    fn create_table(&self, shape: TableShape) -> Reply<()>;
    /// Lets the rows of a table expire by an attribute.
    fn enable_time_to_live(&self, table_name: &str, attribute: String) -> Reply<()>;
    /// Waits before something is tried again.
    fn pause(&self, duration: Duration) -> Reply<()>;
}

/// What a backend can do. A model that needs more is refused when it is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// The backend's name in messages.
    pub name: &'static str,
    /// Whether several rows can be written all or nothing.
    pub transactions: bool,
    /// Whether an index key may consist of several attributes.
    pub multi_attribute_index_keys: bool,
    /// Whether a missing table is created when a model is opened.
    pub creates_tables_on_open: bool,
    /// Whether a request may fail for a reason that passes, so that it is kept to be sent again.
    pub retries: bool,
}
