//! UpdateTable: adds or removes a global index, changes billing, stream and protection.

mod change;
mod validate;

use std::sync::Arc;

use monotable_types::AttributeDefinition;

use self::change::Change;
use super::create_table::{IndexDefinition, define_attribute};
use super::request::setters;
use crate::commit::Stage;
use crate::error::Result;
use crate::table::{
    BillingMode, Encryption, OnDemandThroughput, ProvisionedThroughput, StreamViewType, TableClass,
    TableDescription, WarmThroughput,
};

/// One change of a table's global indexes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexUpdate {
    /// Add an index; it is filled in the background while the table is in use.
    Create(IndexDefinition),
    /// Change an index's capacity.
    Update {
        /// The index.
        index_name: String,
        /// Its new capacity.
        provisioned_throughput: Option<ProvisionedThroughput>,
        /// Its new limits on demand.
        on_demand_throughput: Option<OnDemandThroughput>,
        /// The throughput that it shall support at once.
        warm_throughput: Option<WarmThroughput>,
    },
    /// Remove an index.
    Delete {
        /// The index.
        index_name: String,
    },
}

impl IndexUpdate {
    /// Returns the name of the index.
    pub fn index_name(&self) -> &str {
        match self {
            Self::Create(index) => &index.index_name,
            Self::Update { index_name, .. } | Self::Delete { index_name } => index_name,
        }
    }

    /// Creates a change of an index's provisioned capacity.
    pub fn provision(index_name: impl Into<String>, throughput: ProvisionedThroughput) -> Self {
        Self::Update {
            index_name: index_name.into(),
            provisioned_throughput: Some(throughput),
            on_demand_throughput: None,
            warm_throughput: None,
        }
    }
}

/// A change of a table's stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamUpdate {
    /// Start storing change records.
    Enable(StreamViewType),
    /// Stop; existing records stay readable for 24 hours.
    Disable,
}

/// Changes a table's settings.
///
/// ```
/// use monotable_engine::{CreateTable, Database, IndexDefinition, TableStatus, UpdateTable};
///
/// let db = Database::memory();
/// db.create_table(CreateTable::new("league").partition_key("PK", "S")?)?;
/// let by_city = UpdateTable::new("league")
///     .attribute("city", "S")?
///     .create_index(IndexDefinition::new("by-city", &["city"], &[]));
/// let description = db.update_table(by_city)?.table_description;
/// assert_eq!(description.table_status, TableStatus::Updating);
/// # Ok::<(), monotable_engine::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UpdateTable {
    /// The table's name.
    pub table_name: String,
    /// Types of the key attributes of a new index.
    pub attribute_definitions: Vec<AttributeDefinition>,
    /// Index changes; at most one create or delete per request, as on AWS.
    pub index_updates: Vec<IndexUpdate>,
    /// On demand or provisioned.
    pub billing_mode: Option<BillingMode>,
    /// Provisioned capacity.
    pub provisioned_throughput: Option<ProvisionedThroughput>,
    /// Limits on demand.
    pub on_demand_throughput: Option<OnDemandThroughput>,
    /// The throughput that the table shall support at once.
    pub warm_throughput: Option<WarmThroughput>,
    /// The key that encrypts the table.
    pub encryption: Option<Encryption>,
    /// A stream change.
    pub stream: Option<StreamUpdate>,
    /// Whether DeleteTable is refused.
    pub deletion_protection: Option<bool>,
    /// The storage class.
    pub table_class: Option<TableClass>,
}

impl UpdateTable {
    /// Creates a change of one table; it still needs something to change.
    pub fn new(table_name: impl Into<String>) -> Self {
        Self { table_name: table_name.into(), ..Self::default() }
    }

    /// Declares the type of a key attribute of a new index; its type is `"S"`, `"N"` or `"B"`.
    pub fn attribute(mut self, name: &str, scalar_type: &str) -> Result<Self> {
        define_attribute(&mut self.attribute_definitions, name, scalar_type)?;
        Ok(self)
    }

    /// Adds a global index.
    #[must_use]
    pub fn create_index(self, index: IndexDefinition) -> Self {
        self.index_update(IndexUpdate::Create(index))
    }

    /// Removes a global index.
    #[must_use]
    pub fn delete_index(self, index_name: impl Into<String>) -> Self {
        let index_name = index_name.into();
        self.index_update(IndexUpdate::Delete { index_name })
    }

    /// Adds a change of a global index.
    #[must_use]
    pub fn index_update(mut self, update: IndexUpdate) -> Self {
        self.index_updates.push(update);
        self
    }

    setters! {
        /// Changes how the table is billed.
        billing_mode: some billing_mode => BillingMode;
        /// Changes the provisioned capacity.
        provisioned_throughput: some provisioned_throughput => ProvisionedThroughput;
        /// Starts or ends the stream.
        stream: some stream => StreamUpdate;
        /// Sets whether DeleteTable is refused.
        deletion_protection: some deletion_protection => bool;
        /// Changes the storage class.
        table_class: some table_class => TableClass;
    }

    /// Changes the table; the checks without the table have passed.
    pub(crate) fn run(self, stage: &mut Stage<'_>) -> Result<UpdateTableOutput> {
        let before = Arc::clone(stage.catalog().settled_table(&self.table_name)?);
        let change = Change::new(&self, &before, stage)?;
        let table_description = change.describe(&self, &before);
        stage.save_table(change.table);
        change.chores.into_iter().for_each(|chore| stage.add_chore(chore));
        Ok(UpdateTableOutput { table_description })
    }
}

/// The response to an [`UpdateTable`].
#[derive(Clone, Debug, PartialEq)]
pub struct UpdateTableOutput {
    /// The table while the change takes effect.
    pub table_description: TableDescription,
}
