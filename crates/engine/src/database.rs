//! The public handle: open a database, then one method per operation.

use std::path::Path;
use std::sync::Arc;

use crate::check::{CheckDepth, CheckReport, DirectoryReport, check, check_directory};
use crate::commit::{Committer, Pending, Shared, Stage};
use crate::damage::ScrubReport;
use crate::error::Result;
use crate::faults::Faults;
use crate::layout::row_key::TableId;
use crate::op::batch_get_item::{BatchGetItem, BatchGetItemOutput};
use crate::op::batch_write_item::{BatchWriteItem, BatchWriteItemOutput};
use crate::op::client_token::clear_expired_tokens;
use crate::op::continuous_backups::UpdateContinuousBackups;
use crate::op::contributor_insights::{UpdateContributorInsights, UpdateContributorInsightsOutput};
use crate::op::create_table::{CreateTable, CreateTableOutput};
use crate::op::delete_item::{DeleteItem, DeleteItemOutput};
use crate::op::delete_table::{DeleteTable, DeleteTableOutput};
use crate::op::describe_table::{DescribeTable, DescribeTableOutput, ListTables, ListTablesOutput};
use crate::op::get_item::{GetItem, GetItemOutput};
use crate::op::item_filter::{ItemFilter, ItemFilterExpressions};
use crate::op::load::{BeginLoad, EndLoad, Loader};
use crate::op::put_item::{PutItem, PutItemOutput};
use crate::op::query::{Query, QueryOutput};
use crate::op::records::{WriteRecords, records};
use crate::op::resource_policy::{
    DeleteResourcePolicy, DeleteResourcePolicyOutput, GetResourcePolicy, GetResourcePolicyOutput,
    PutResourcePolicy, PutResourcePolicyOutput, find_resource_policy,
};
use crate::op::scan::{Scan, ScanOutput};
use crate::op::streams::{
    DescribeStream, DescribeStreamOutput, GetRecords, GetRecordsOutput, GetShardIterator,
    GetShardIteratorOutput, ListStreams, ListStreamsOutput,
};
use crate::op::tags::{ListTagsOfResource, ListTagsOfResourceOutput, TagResource, UntagResource};
use crate::op::time_to_live::{
    DescribeTimeToLive, DescribeTimeToLiveOutput, UpdateTimeToLive, UpdateTimeToLiveOutput,
};
use crate::op::transact_get_items::{TransactGetItems, TransactGetItemsOutput};
use crate::op::transact_write_items::{TransactWriteItems, TransactWriteItemsOutput};
use crate::op::update_item::{UpdateItem, UpdateItemOutput};
use crate::op::update_table::{UpdateTable, UpdateTableOutput};
use crate::open;
use crate::options::Options;
use crate::snapshot::DatabaseSnapshot;
use crate::statistics::Statistics;
use crate::store::Compaction;
use crate::store::disk::DiskStore;
use crate::stream;
use crate::sweep::sweep_table;
use crate::table::{KeySchema, PointInTimeRecovery, ResourcePolicy, TableDescription};

/// An embedded database. Clones are handles to the same one; the last one closes it.
///
/// Every method takes a request, named and shaped as in DynamoDB, and returns its response or an
/// [`Error`](crate::Error) with DynamoDB's exception name and message. Writes return when they are
/// as durable as [`Options::durability`] requires; reads never wait for that.
///
/// ```
/// use monotable_engine::{CreateTable, Database, GetItem, PutItem, item};
///
/// let db = Database::memory();
/// db.create_table(CreateTable::new("league").partition_key("PK", "S")?.sort_key("SK", "S")?)?;
/// db.put_item(PutItem::new(
///     "league",
///     item! { "PK" => "TEAM#1", "SK" => "METADATA", "name" => "Sluggers" },
/// ))?;
/// let key = item! { "PK" => "TEAM#1", "SK" => "METADATA" };
/// let team = db.get_item(GetItem::new("league", key))?.item.expect("it was just put");
/// assert_eq!(team.get("name"), Some("Sluggers".into()));
/// # Ok::<(), monotable_engine::Error>(())
/// ```
#[derive(Clone)]
pub struct Database {
    shared: Arc<Shared>,
    committer: Arc<Committer>,
}

/// What [`Database::maintain`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Maintenance {
    /// Expired items removed.
    pub swept_items: u64,
    /// Change records older than 24 hours removed.
    pub trimmed_records: u64,
    /// Client request tokens older than 10 minutes removed.
    pub forgotten_tokens: u64,
    /// Bytes of table files compared with their checksums.
    pub scrubbed_bytes: u64,
}

/// How much of the table files one call of maintenance reads: a gigabyte takes a quarter of an hour.
const SCRUB_BYTES: usize = 1 << 20;

/// How many rows one batch of maintenance may remove.
const MAINTENANCE_ROWS_MAX: usize = 500;

impl Database {
    /// Creates a database in memory with the default options. It opens in microseconds, so every
    /// test can have its own.
    pub fn memory() -> Self {
        Self::memory_with(Options::default())
    }

    /// Creates a database in memory.
    pub fn memory_with(options: Options) -> Self {
        let shared = Arc::new(open::memory(options));
        let committer = Arc::new(Committer::inline(Arc::clone(&shared)));
        Self { shared, committer }
    }

    /// Opens the database in a directory, creating it if there is none.
    ///
    /// ```no_run
    /// use monotable_engine::{Database, Options};
    ///
    /// let db = Database::open("./monotable-data", Options::default())?;
    /// # Ok::<(), monotable_engine::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::Open`](crate::Error::Open) if the directory is in use by another process,
    /// contains something else, or can't be read.
    pub fn open(path: impl AsRef<Path>, options: Options) -> Result<Self> {
        let shared = Arc::new(open::disk(path.as_ref(), options)?);
        let committer = Arc::new(Committer::thread(Arc::clone(&shared))?);
        Ok(Self { shared, committer })
    }

    /// Returns whether there is a database in a directory, so that [`Database::open`] would not
    /// create one.
    pub fn exists(path: impl AsRef<Path>) -> bool {
        DiskStore::exists(path.as_ref())
    }

    /// Submits a change of items or tables without waiting: the result can be awaited, or waited
    /// for on a thread.
    ///
    /// ```
    /// use monotable_engine::{Database, PutItem, item};
    /// # use monotable_engine::CreateTable;
    /// # let db = Database::memory();
    /// # db.create_table(CreateTable::new("league").partition_key("PK", "S")?)?;
    /// let first = db.submit(PutItem::new("league", item! { "PK" => "TEAM#1" }));
    /// let second = db.submit(PutItem::new("league", item! { "PK" => "TEAM#2" }));
    /// first.wait()?; // or `first.await?`
    /// second.wait()?;
    /// # Ok::<(), monotable_engine::Error>(())
    /// ```
    pub fn submit<W: WriteOperation>(&self, write: W) -> Pending<W::Output> {
        write.submit(self)
    }

    /// Removes expired items, old change records and old tokens, and verifies the next megabyte of
    /// the table files ([`Self::scrubbed`] returns the result). In a quiet moment after enough rows
    /// were removed, it starts to merge the table files, which frees their space. Call it
    /// regularly: every second is fine.
    pub fn maintain(&self) -> Result<Maintenance> {
        let maintenance = Maintenance {
            swept_items: self.sweep_expired()?,
            trimmed_records: self.trim_streams()?,
            forgotten_tokens: self.repeat(|stage| {
                clear_expired_tokens(stage, MAINTENANCE_ROWS_MAX).map(|count| count as u64)
            })?,
            scrubbed_bytes: self.scrub_part(),
        };
        self.reclaim()?;
        Ok(maintenance)
    }

    /// Frees the space of removed rows: the new files are read only after the previous state is no
    /// longer published.
    fn reclaim(&self) -> Result<()> {
        if self.shared.store.reclaim()? {
            self.committer.run(|stage| {
                stage.publish_again();
                Ok(())
            })?;
            self.shared.store.remove_unread()?;
        }
        Ok(())
    }

    fn scrub_part(&self) -> u64 {
        let before = self.shared.store.scrubbed().bytes;
        self.shared.store.scrub(SCRUB_BYTES);
        self.shared.store.scrubbed().bytes - before
    }

    /// Returns the result of verifying the table files since the database was opened.
    pub fn scrubbed(&self) -> ScrubReport {
        ScrubReport::new(self.shared.store.scrubbed(), &self.shared.newest().catalog)
    }

    /// Removes the items that have expired by now, and returns how many. Until then they stay
    /// readable, as on AWS.
    pub fn sweep_expired(&self) -> Result<u64> {
        if self.shared.faults.never_sweep() {
            return Ok(0);
        }
        let tables: Vec<TableId> =
            self.shared.newest().catalog.tables().map(|table| table.id).collect();
        let mut items = 0;
        for table in tables {
            loop {
                let swept = self.committer.run(move |stage| sweep_table(stage, table))?;
                items += swept.items;
                if !swept.more {
                    break;
                }
            }
        }
        Ok(items)
    }

    /// Removes change records older than 24 hours, and returns how many.
    pub fn trim_streams(&self) -> Result<u64> {
        self.repeat(stream::trim)
    }

    /// Repeats a bounded batch until there is nothing more to do.
    fn repeat(
        &self,
        step: impl Fn(&mut Stage<'_>) -> Result<u64> + Copy + Send + 'static,
    ) -> Result<u64> {
        let mut total = 0;
        loop {
            match self.committer.run(step)? {
                0 => return Ok(total),
                count => total += count,
            }
        }
    }

    /// Checks that every index, count and record agrees with the items, and that every stored byte
    /// can be read.
    pub fn check(&self) -> Result<CheckReport> {
        check(&self.shared, &self.committer)
    }

    /// Checks the database in a directory that no process is using: its files, then everything that
    /// [`Database::check`] checks. Nothing in the directory is changed; the tables are read through
    /// links in the system's temporary directory.
    ///
    /// # Errors
    /// Returns [`Error::Corrupted`](crate::Error::Corrupted) if a file is damaged or missing, and
    /// [`Error::Open`](crate::Error::Open) if the directory can't be used.
    pub fn check_directory(path: impl AsRef<Path>) -> Result<DirectoryReport> {
        check_directory(path.as_ref(), CheckDepth::UntilDamage)
    }

    /// Does the same as [`Database::check_directory`], but continues when table files are damaged,
    /// to name the keys in them and to check what can still be read.
    ///
    /// # Errors
    /// Returns the errors of [`Database::check_directory`], unless only table files are damaged.
    pub fn check_directory_behind_damage(path: impl AsRef<Path>) -> Result<DirectoryReport> {
        check_directory(path.as_ref(), CheckDepth::BehindDamage)
    }

    /// Returns the keys of a table, or of one of its indexes. Nothing is copied, so a planner can
    /// call it for every statement.
    ///
    /// # Errors
    /// Returns the errors of a [`Query`](crate::Query) of the same table and index.
    pub fn key_schema(&self, table_name: &str, index_name: Option<&str>) -> Result<KeySchema> {
        KeySchema::new(self.shared.newest().catalog.table(table_name)?, index_name)
    }

    /// Milliseconds since 1970-01-01 UTC by [`Options::clock`], which also decides expiry.
    pub fn now_ms(&self) -> u64 {
        self.shared.now_ms()
    }

    /// Returns whether the time of [`Options::clock`] passes by itself.
    pub fn clock_is_running(&self) -> bool {
        self.shared.options.clock.is_running()
    }

    /// Returns the fault modes in [`Options::faults`].
    pub fn faults(&self) -> &Faults {
        &self.shared.options.faults
    }

    /// Returns the account in the ARNs of its tables, from [`Options::account`].
    pub fn account(&self) -> &str {
        &self.shared.options.account
    }

    /// Returns the policy of a table, by name or ARN, or of a stream, by ARN; with the ARN of the
    /// resource in policies.
    pub fn find_resource_policy(&self, name_or_arn: &str) -> Option<(String, ResourcePolicy)> {
        find_resource_policy(&self.shared.newest().catalog, name_or_arn)
    }

    /// Returns a snapshot of the whole database, for copies of it.
    pub fn snapshot(&self) -> DatabaseSnapshot {
        DatabaseSnapshot::new(&self.shared)
    }

    /// Creates a filter for the items of a table.
    ///
    /// # Errors
    /// Returns the errors of a [`Query`](crate::Query) with these expressions.
    pub fn item_filter(
        &self,
        table_name: &str,
        expressions: &ItemFilterExpressions,
    ) -> Result<ItemFilter> {
        ItemFilter::new(self.shared.newest().catalog.table(table_name)?, expressions)
    }

    /// Continues to fill the table that [`begin_load`](Self::begin_load) created for a job.
    ///
    /// # Errors
    /// Returns [`Error::ResourceNotFound`](crate::Error::ResourceNotFound) if the job does not fill
    /// such a table.
    pub fn loader(&self, table_name: &str, job: &str) -> Result<Loader> {
        Loader::new(&self.shared, &self.committer, table_name, job)
    }

    /// Returns the records of the layer above whose keys begin with `prefix`, in order of their
    /// keys.
    pub fn records(&self, prefix: &str) -> Result<Vec<(String, Vec<u8>)>> {
        records(&self.shared, prefix)
    }

    /// Returns the region in the ARNs of its tables, from [`Options::region`].
    pub fn region(&self) -> &str {
        &self.shared.options.region
    }

    /// Returns statistics since the database was opened. They are always counted, at almost no cost
    /// for requests.
    pub fn statistics(&self) -> Statistics {
        self.shared.meters.statistics(&self.shared.newest().catalog)
    }

    /// Returns an error if writes are refused: after a storage failure they are, until the database
    /// is reopened.
    pub fn accepts_writes(&self) -> Result<()> {
        self.shared.check_poison()
    }

    /// Returns the bytes that the database uses on disk; `None` in memory.
    pub fn disk_bytes(&self) -> Option<u64> {
        self.shared.store.disk_bytes()
    }

    /// Returns how far the files on disk are merged; `None` in memory.
    pub fn compaction(&self) -> Option<Compaction> {
        self.shared.store.compaction()
    }
}

/// One method per operation.
macro_rules! operations {
    (
        read { $($(#[$read_doc:meta])* $read:ident($read_request:ident) -> $read_output:ident;)* }
        write { $($(#[$write_doc:meta])* $write:ident($write_request:ident) -> $write_output:ident;)* }
        table { $($(#[$table_doc:meta])* $table:ident($table_request:ident) -> $table_output:ty;)* }
    ) => {
        impl Database {
            $(
                $(#[$read_doc])*
                pub fn $read(&self, request: $read_request) -> Result<$read_output> {
                    request.run(&self.shared)
                }
            )*
            $(
                $(#[$write_doc])*
                pub fn $write(&self, request: $write_request) -> Result<$write_output> {
                    let job = request.prepare(&self.shared.newest().catalog)?;
                    self.committer.run(job)
                }
            )*
            $(
                $(#[$table_doc])*
                pub fn $table(&self, request: $table_request) -> Result<$table_output> {
                    request.validate()?;
                    self.committer.run(move |stage| request.run(stage))
                }
            )*
        }

        $(
            impl sealed::Submit for $write_request {
                type Output = $write_output;

                fn submit(self, database: &Database) -> Pending<Self::Output> {
                    match self.prepare(&database.shared.newest().catalog) {
                        Ok(job) => database.committer.submit(job),
                        Err(error) => Pending::ready(Err(error)),
                    }
                }
            }

            impl WriteOperation for $write_request {}
        )*
        $(
            impl sealed::Submit for $table_request {
                type Output = $table_output;

                fn submit(self, database: &Database) -> Pending<Self::Output> {
                    match self.validate() {
                        Ok(()) => database.committer.submit(move |stage| self.run(stage)),
                        Err(error) => Pending::ready(Err(error)),
                    }
                }
            }

            impl WriteOperation for $table_request {}
        )*
    };
}

operations! {
    read {
        /// Reads one item by its key.
        get_item(GetItem) -> GetItemOutput;
        /// Reads a page of one partition of a table or index.
        query(Query) -> QueryOutput;
        /// Reads a page of a whole table or index.
        scan(Scan) -> ScanOutput;
        /// Reads up to 100 items by their keys.
        batch_get_item(BatchGetItem) -> BatchGetItemOutput;
        /// Reads up to 100 items from one snapshot.
        transact_get_items(TransactGetItems) -> TransactGetItemsOutput;
        /// Describes a table.
        describe_table(DescribeTable) -> DescribeTableOutput;
        /// Lists the tables.
        list_tables(ListTables) -> ListTablesOutput;
        /// Returns the attribute that contains an item's expiry.
        describe_time_to_live(DescribeTimeToLive) -> DescribeTimeToLiveOutput;
        /// Lists the tags of a table.
        list_tags_of_resource(ListTagsOfResource) -> ListTagsOfResourceOutput;
        /// Returns the policy of a table or stream.
        get_resource_policy(GetResourcePolicy) -> GetResourcePolicyOutput;
        /// Lists the streams.
        list_streams(ListStreams) -> ListStreamsOutput;
        /// Describes a stream and its shards.
        describe_stream(DescribeStream) -> DescribeStreamOutput;
        /// Returns a position in a shard to read from.
        get_shard_iterator(GetShardIterator) -> GetShardIteratorOutput;
        /// Reads change records.
        get_records(GetRecords) -> GetRecordsOutput;
    }
    write {
        /// Replaces or creates an item.
        put_item(PutItem) -> PutItemOutput;
        /// Changes an item in place, or creates it.
        update_item(UpdateItem) -> UpdateItemOutput;
        /// Deletes an item.
        delete_item(DeleteItem) -> DeleteItemOutput;
        /// Puts and deletes up to 25 items, each independently.
        batch_write_item(BatchWriteItem) -> BatchWriteItemOutput;
        /// Writes and checks up to 100 items, all or nothing.
        transact_write_items(TransactWriteItems) -> TransactWriteItemsOutput;
    }
    table {
        /// Creates a table, which can be used when this returns.
        create_table(CreateTable) -> CreateTableOutput;
        /// Changes a table's indexes and settings.
        update_table(UpdateTable) -> UpdateTableOutput;
        /// Creates a table that a job fills. It can be used when the job has ended.
        begin_load(BeginLoad) -> TableDescription;
        /// Ends the filling of a table.
        end_load(EndLoad) -> ();
        /// Writes records of the layer above.
        write_records(WriteRecords) -> ();
        /// Deletes a table; its space is reclaimed in the background.
        delete_table(DeleteTable) -> DeleteTableOutput;
        /// Sets or clears the attribute that contains an item's expiry.
        update_time_to_live(UpdateTimeToLive) -> UpdateTimeToLiveOutput;
        /// Adds or replaces tags of a table.
        tag_resource(TagResource) -> ();
        /// Removes tags of a table.
        untag_resource(UntagResource) -> ();
        /// Sets the policy of a table or stream.
        put_resource_policy(PutResourcePolicy) -> PutResourcePolicyOutput;
        /// Removes the policy of a table or stream.
        delete_resource_policy(DeleteResourcePolicy) -> DeleteResourcePolicyOutput;
        /// Enables or disables point-in-time recovery of a table.
        update_continuous_backups(UpdateContinuousBackups) -> Option<PointInTimeRecovery>;
        /// Enables or disables Contributor Insights of a table or index.
        update_contributor_insights(UpdateContributorInsights) -> UpdateContributorInsightsOutput;
    }
}

/// A request that [`Database::submit`] accepts: operations that change items, tables or their
/// settings. Reads never wait for the committer, so they don't implement it.
pub trait WriteOperation: sealed::Submit {}

mod sealed {
    use super::{Database, Pending};

    /// Implements the submission of a write.
    pub trait Submit {
        /// The response.
        type Output;

        /// Submits the write.
        fn submit(self, database: &Database) -> Pending<Self::Output>;
    }
}
