//! CreateTable: a new table with its keys, indexes and settings.

pub(crate) mod index_rules;
mod validate;

use std::collections::BTreeMap;
use std::sync::Arc;

use monotable_types::{
    AttributeDefinition, KeySchemaElement, KeyType, Projection as IndexProjection, ScalarType,
};

use super::constraints::invalid;
use super::request::setters;
use crate::commit::Stage;
use crate::error::{Error, Result};
use crate::layout::row_key::{AreaId, BASE_AREA};
use crate::table::{
    Arn, BillingMode, CapacitySettings, Encryption, Index, IndexKind, IndexState, IndexStatus,
    KeySpec, OnDemandThroughput, PointInTimeRecovery, ProvisionedThroughput, ResourcePolicy,
    StreamViewType, Table, TableClass, TableDescription, TableStatus, WarmThroughput, unique_id,
};

/// An index of a new table, global or local.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexDefinition {
    /// The index's name.
    pub index_name: String,
    /// Its keys: all HASH elements first, then all RANGE elements.
    pub key_schema: Vec<KeySchemaElement>,
    /// The attributes that a read through the index returns.
    pub projection: IndexProjection,
    /// Provisioned capacity (global indexes of a provisioned table).
    pub provisioned_throughput: Option<ProvisionedThroughput>,
    /// Limits (global indexes of a table on demand).
    pub on_demand_throughput: Option<OnDemandThroughput>,
    /// The throughput that a global index supports at once.
    pub warm_throughput: Option<WarmThroughput>,
}

impl IndexDefinition {
    /// Creates an index with the given partition and sort attributes that projects everything.
    pub fn new(index_name: impl Into<String>, partition: &[&str], sort: &[&str]) -> Self {
        let element = |key_type| {
            move |name: &&str| KeySchemaElement { attribute_name: (*name).to_owned(), key_type }
        };
        Self {
            index_name: index_name.into(),
            key_schema: partition
                .iter()
                .map(element(KeyType::Hash))
                .chain(sort.iter().map(element(KeyType::Range)))
                .collect(),
            projection: IndexProjection::All,
            provisioned_throughput: None,
            on_demand_throughput: None,
            warm_throughput: None,
        }
    }

    setters! {
        /// Sets the attributes that a read through the index returns.
        projection: value projection => IndexProjection;
        /// Sets the index's provisioned capacity.
        provisioned_throughput: some provisioned_throughput => ProvisionedThroughput;
    }

    /// Returns the index of a table, after its definition was validated.
    pub(crate) fn build(
        self,
        kind: IndexKind,
        area: AreaId,
        state: IndexState,
        definitions: &[AttributeDefinition],
    ) -> Result<Index> {
        Ok(Index {
            kind,
            area,
            keys: resolve_keys(&self.key_schema, definitions)?,
            name: self.index_name,
            projection: self.projection,
            state,
            throughput: self.provisioned_throughput.unwrap_or_default(),
            capacity: new_capacity(self.on_demand_throughput, self.warm_throughput),
            insights: None,
            usage: Arc::default(),
        })
    }
}

/// Creates a table.
///
/// ```
/// use monotable_engine::{CreateTable, Database, IndexDefinition};
///
/// let db = Database::memory();
/// let league = CreateTable::new("league")
///     .partition_key("PK", "S")?
///     .sort_key("SK", "S")?
///     .attribute("GSI1PK", "S")?
///     .attribute("GSI1SK", "S")?
///     .global_index(IndexDefinition::new("GSI1", &["GSI1PK"], &["GSI1SK"]));
/// let description = db.create_table(league)?.table_description;
/// assert_eq!(description.global_secondary_indexes.len(), 1);
/// # Ok::<(), monotable_engine::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CreateTable {
    /// The new table's name.
    pub table_name: String,
    /// The type of every key attribute, of table and indexes.
    pub attribute_definitions: Vec<AttributeDefinition>,
    /// The table's key.
    pub key_schema: Vec<KeySchemaElement>,
    /// Global secondary indexes; `Some` of an empty list is an error, as on AWS.
    pub global_secondary_indexes: Option<Vec<IndexDefinition>>,
    /// Local secondary indexes; `Some` of an empty list is an error, as on AWS.
    pub local_secondary_indexes: Option<Vec<IndexDefinition>>,
    /// On demand or provisioned; provisioned by default, as on AWS.
    pub billing_mode: Option<BillingMode>,
    /// Provisioned capacity.
    pub provisioned_throughput: Option<ProvisionedThroughput>,
    /// Limits on demand.
    pub on_demand_throughput: Option<OnDemandThroughput>,
    /// The throughput that the table supports at once.
    pub warm_throughput: Option<WarmThroughput>,
    /// The key that encrypts the table.
    pub encryption: Encryption,
    /// The kind of change records; `None` for no stream.
    pub stream: Option<StreamViewType>,
    /// Whether DeleteTable is refused.
    pub deletion_protection: bool,
    /// The storage class; stored and shown.
    pub table_class: Option<TableClass>,
    /// Tags of the table.
    pub tags: BTreeMap<String, String>,
    /// A resource-based policy of the table.
    pub resource_policy: Option<String>,
    /// How many days back a time can be restored; none leaves point-in-time recovery disabled.
    pub recovery_days: Option<u64>,
}

impl CreateTable {
    /// Creates an on-demand table; it still needs its key.
    pub fn new(table_name: impl Into<String>) -> Self {
        Self {
            table_name: table_name.into(),
            billing_mode: Some(BillingMode::PayPerRequest),
            ..Self::default()
        }
    }

    /// Adds the partition key; its type is `"S"`, `"N"` or `"B"`.
    pub fn partition_key(self, name: &str, scalar_type: &str) -> Result<Self> {
        self.key(name, scalar_type, KeyType::Hash)
    }

    /// Adds the sort key; its type is `"S"`, `"N"` or `"B"`.
    pub fn sort_key(self, name: &str, scalar_type: &str) -> Result<Self> {
        self.key(name, scalar_type, KeyType::Range)
    }

    fn key(mut self, name: &str, scalar_type: &str, key_type: KeyType) -> Result<Self> {
        self.key_schema.push(KeySchemaElement { attribute_name: name.to_owned(), key_type });
        self.attribute(name, scalar_type)
    }

    /// Declares the type of a key attribute; its type is `"S"`, `"N"` or `"B"`.
    pub fn attribute(mut self, name: &str, scalar_type: &str) -> Result<Self> {
        define_attribute(&mut self.attribute_definitions, name, scalar_type)?;
        Ok(self)
    }

    /// Adds a global secondary index.
    #[must_use]
    pub fn global_index(mut self, index: IndexDefinition) -> Self {
        self.global_secondary_indexes.get_or_insert_default().push(index);
        self
    }

    /// Adds a local secondary index.
    #[must_use]
    pub fn local_index(mut self, index: IndexDefinition) -> Self {
        self.local_secondary_indexes.get_or_insert_default().push(index);
        self
    }

    setters! {
        /// Stores change records of this kind.
        stream: some stream => StreamViewType;
        /// Sets whether DeleteTable is refused.
        deletion_protection: value deletion_protection => bool;
    }

    /// Creates the table; the request is known to be valid.
    pub(crate) fn run(self, stage: &mut Stage<'_>) -> Result<CreateTableOutput> {
        self.check_name(stage)?;
        let table = self.build(stage)?;
        let mut table_description = table.describe(TableStatus::Creating);
        for index in &mut table_description.global_secondary_indexes {
            index.index_status = IndexStatus::Creating;
        }
        stage.save_table(table);
        Ok(CreateTableOutput { table_description })
    }

    /// Checks that the name is free.
    pub(crate) fn check_name(&self, stage: &Stage<'_>) -> Result<()> {
        match stage.catalog().find(&self.table_name) {
            None => Ok(()),
            Some(_) => {
                Err(Error::ResourceInUse(format!("Table already exists: {}", self.table_name)))
            }
        }
    }

    pub(crate) fn build(self, stage: &Stage<'_>) -> Result<Table> {
        let id = stage.catalog().next_table_id();
        let options = &stage.shared.options;
        let mut table = Table {
            id,
            name: self.table_name,
            unique_id: unique_id(options.seed, id, stage.now_ms),
            arn: Arn { region: options.region.clone(), account: options.account.clone() },
            creation_ms: stage.now_ms,
            keys: resolve_keys(&self.key_schema, &self.attribute_definitions)?,
            definitions: self.attribute_definitions,
            indexes: Vec::new(),
            ttl: None,
            streams: Vec::new(),
            billing_mode: self.billing_mode.unwrap_or_default(),
            throughput: self.provisioned_throughput.unwrap_or_default(),
            capacity: new_capacity(self.on_demand_throughput, self.warm_throughput),
            encryption: self.encryption,
            deletion_protection: self.deletion_protection,
            table_class: self.table_class.unwrap_or_default(),
            tags: self.tags,
            insights: None,
            recovery: self
                .recovery_days
                .map(|period_days| PointInTimeRecovery { period_days, enabled_ms: stage.now_ms }),
            policy: None,
            policy_revision: 0,
            load: None,
            next_area: BASE_AREA + 1,
            counts: Arc::default(),
            usage: Arc::default(),
        };
        let global = self.global_secondary_indexes.into_iter().flatten();
        let local = self.local_secondary_indexes.into_iter().flatten();
        let kinds = global
            .map(|index| (IndexKind::Global, index))
            .chain(local.map(|index| (IndexKind::Local, index)));
        for (kind, index) in kinds {
            let area = table.take_area()?;
            // There is nothing to fill an index with yet.
            let index = index.build(kind, area, IndexState::Active, &table.definitions)?;
            table.indexes.push(index);
        }
        if let Some(view_type) = self.stream {
            table.start_stream(view_type, stage.now_ms, 0)?;
        }
        if let Some(document) = self.resource_policy {
            let revision_id = table.next_policy_revision(stage.now_ms);
            table.policy = Some(ResourcePolicy { document, revision_id });
        }
        Ok(table)
    }
}

/// Adds the definition of an attribute whose type is given as text.
pub(crate) fn define_attribute(
    definitions: &mut Vec<AttributeDefinition>,
    name: &str,
    scalar_type: &str,
) -> Result<()> {
    let scalar_type = scalar_type.parse::<ScalarType>().map_err(|unknown| {
        Error::validation(format!(
            "1 validation error detected: Value '{}' at \
             'attributeDefinitions.{}.member.attributeType' failed to satisfy constraint: Member \
             must satisfy enum value set: [{}]",
            unknown.text,
            definitions.len() + 1,
            unknown.allowed
        ))
    })?;
    definitions.push(AttributeDefinition::new(name, scalar_type));
    Ok(())
}

/// Returns the capacity settings of a new table or index.
fn new_capacity(
    on_demand: Option<OnDemandThroughput>,
    warm: Option<WarmThroughput>,
) -> CapacitySettings {
    let mut capacity = CapacitySettings::default();
    capacity.change(on_demand, warm);
    capacity
}

fn resolve_keys(
    schema: &[KeySchemaElement],
    definitions: &[AttributeDefinition],
) -> Result<KeySpec> {
    KeySpec::resolve(schema, definitions)
        .ok_or_else(|| invalid("Some index key attributes are not defined in AttributeDefinitions"))
}

/// The response to a [`CreateTable`].
#[derive(Clone, Debug, PartialEq)]
pub struct CreateTableOutput {
    /// The table, with status `Creating`; it can be used at once.
    pub table_description: TableDescription,
}
