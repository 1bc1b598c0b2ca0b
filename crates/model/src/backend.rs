//! Where tables are stored: the only interface between typed models and a store with DynamoDB's
//! semantics.
//!
//! A [`Backend`] takes [requests](request) in terms of items and expression trees and knows nothing
//! of entities. Its [`Capabilities`] list what it supports, before the first request.

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
    BatchGet, BatchGetResponse, BatchWrite, BatchWriteResponse, Get, GetResponse, PageResponse,
    Query, Scan, TableShape, Transaction, TransactionGet, TransactionGetResponse, Write,
    WriteResponse,
};

/// A store with DynamoDB's semantics.
///
/// Responses are owned and `'static`: one that is available at once costs no allocation
/// ([`Reply::ready`]), and a pending one can outlive the borrow of the backend.
pub trait Backend: Send + Sync + 'static {
    /// Returns what the backend can do.
    fn capabilities(&self) -> Capabilities;
    /// Returns the time in milliseconds since 1970-01-01 UTC, from the clock that also decides
    /// expiry.
    fn now_ms(&self) -> u64;
    /// Reads one row.
    fn get(&self, request: Get) -> Reply<GetResponse>;
    /// Reads a page of one partition.
    fn query(&self, request: Query) -> Reply<PageResponse>;
    /// Reads a page of a whole table or index.
    fn scan(&self, request: Scan) -> Reply<PageResponse>;
    /// Reads up to 100 rows; some may be returned as unprocessed.
    fn batch_get(&self, request: BatchGet) -> Reply<BatchGetResponse>;
    /// Reads up to 100 rows from one snapshot.
    fn transact_get(&self, request: TransactionGet) -> Reply<TransactionGetResponse>;
    /// Writes one row.
    fn write(&self, request: Write) -> Reply<WriteResponse>;
    /// Writes up to 25 rows independently of each other; some may be returned as unprocessed.
    fn batch_write(&self, request: BatchWrite) -> Reply<BatchWriteResponse>;
    /// Writes and checks up to 100 rows, all or nothing.
    fn transact(&self, request: Transaction) -> Reply<WriteResponse>;
    /// Returns the shape of a table, or `None` if no table has this name.
    fn describe_table(&self, table_name: &str) -> Reply<Option<TableShape>>;
    /// Creates a table and waits until it can be used.
    fn create_table(&self, shape: TableShape) -> Reply<()>;
    /// Enables expiry of a table's rows by an attribute.
    fn enable_time_to_live(&self, table_name: &str, attribute: String) -> Reply<()>;
    /// Waits before a retry.
    fn pause(&self, duration: Duration) -> Reply<()>;
}

/// What a backend supports. Opening a model that needs more fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// The backend's name in messages.
    pub name: &'static str,
    /// Whether several rows can be written in one transaction.
    pub transactions: bool,
    /// Whether an index key may consist of several attributes.
    pub multi_attribute_index_keys: bool,
    /// Whether a missing table is created when a model is opened.
    pub creates_tables_on_open: bool,
    /// Whether other processes may use the same tables.
    pub is_shared: bool,
    /// Whether a request may fail for a transient reason, so that it is kept for a retry.
    pub retries: bool,
}
