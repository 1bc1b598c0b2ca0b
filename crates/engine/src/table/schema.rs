//! A table as operations use it: keys, indexes, expiry, streams, and the row keys of its items.

use std::collections::BTreeMap;
use std::sync::Arc;

use monotable_expression::Attributes;
use monotable_types::{
    AttributeDefinition, AttributeValue, Item, Projection, attribute_size_bytes, item_size_bytes,
};

use super::description::{
    BillingMode, IndexDescription, IndexStatus, ProvisionedThroughput, StreamViewType, TableClass,
    TableDescription, TableStatus, TableStream,
};
use super::{
    CapacitySettings, ContributorInsights, Encryption, KeySpec, PointInTimeRecovery,
    ResourcePolicy, TableCounts, TableLoad, TableUsage, Usage,
};
use crate::layout::Malformed;
use crate::layout::row_key::{
    AREA_PREFIX_BYTES, AreaId, BASE_AREA, HASH_BYTES, TableId, area_prefix, partition_hash,
};

/// Region and account, for ARNs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arn {
    pub(crate) region: String,
    pub(crate) account: String,
}

/// A table.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) id: TableId,
    pub(crate) name: String,
    /// Different for each table, also for a later table of the same name.
    pub(crate) unique_id: String,
    pub(crate) arn: Arn,
    pub(crate) creation_ms: u64,
    pub(crate) definitions: Vec<AttributeDefinition>,
    pub(crate) keys: KeySpec,
    pub(crate) indexes: Vec<Index>,
    pub(crate) ttl: Option<Ttl>,
    /// Oldest first; at most the last one is enabled.
    pub(crate) streams: Vec<Stream>,
    pub(crate) billing_mode: BillingMode,
    pub(crate) throughput: ProvisionedThroughput,
    pub(crate) capacity: CapacitySettings,
    pub(crate) encryption: Encryption,
    pub(crate) deletion_protection: bool,
    pub(crate) table_class: TableClass,
    pub(crate) tags: BTreeMap<String, String>,
    pub(crate) insights: Option<ContributorInsights>,
    pub(crate) recovery: Option<PointInTimeRecovery>,
    pub(crate) policy: Option<ResourcePolicy>,
    /// The last revision of a policy of the table or of one of its streams, also of a deleted one.
    pub(crate) policy_revision: u64,
    pub(crate) load: Option<TableLoad>,
    pub(crate) next_area: AreaId,
    pub(crate) counts: Arc<TableCounts>,
    pub(crate) usage: Arc<TableUsage>,
}

/// Whether an index shares the table's partition key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexKind {
    Global,
    Local,
}

/// Whether an index can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexState {
    Backfilling,
    Active,
}

/// An index of a table.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    pub(crate) name: String,
    pub(crate) kind: IndexKind,
    pub(crate) area: AreaId,
    pub(crate) keys: KeySpec,
    pub(crate) projection: Projection,
    pub(crate) state: IndexState,
    pub(crate) throughput: ProvisionedThroughput,
    pub(crate) capacity: CapacitySettings,
    pub(crate) insights: Option<ContributorInsights>,
    pub(crate) usage: Arc<Usage>,
}

/// Expiry: the attribute, and the area that orders items by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ttl {
    pub(crate) attribute: String,
    pub(crate) area: AreaId,
    pub(crate) state: IndexState,
}

/// A stream, enabled or kept until its records are trimmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stream {
    pub(crate) area: AreaId,
    pub(crate) label: String,
    pub(crate) creation_ms: u64,
    pub(crate) view_type: StreamViewType,
    /// When it was disabled; `None` while it is recording.
    pub(crate) disabled_ms: Option<u64>,
    /// The oldest sequence number that is not trimmed yet.
    pub(crate) first_sequence: u64,
    /// The first sequence number that it can't have any more, once disabled.
    pub(crate) end_sequence: Option<u64>,
    pub(crate) policy: Option<ResourcePolicy>,
}

impl Table {
    pub(crate) fn arn(&self) -> String {
        format!("arn:aws:dynamodb:{}:{}:table/{}", self.arn.region, self.arn.account, self.name)
    }

    pub(crate) fn index(&self, name: &str) -> Option<&Index> {
        self.indexes.iter().find(|index| index.name == name)
    }

    pub(crate) fn indexes_of(&self, kind: IndexKind) -> impl Iterator<Item = &Index> {
        self.indexes.iter().filter(move |index| index.kind == kind)
    }

    pub(crate) fn enabled_stream(&self) -> Option<&Stream> {
        self.streams.last().filter(|stream| stream.disabled_ms.is_none())
    }

    pub(crate) fn stream_arn(&self, stream: &Stream) -> String {
        format!("{}/stream/{}", self.arn(), stream.label)
    }

    /// Returns whether the table has no index and no expiry.
    pub(crate) fn is_plain(&self) -> bool {
        self.indexes.is_empty() && self.ttl.is_none()
    }

    /// Returns whether an index is keyed by the attribute, or it contains the expiry.
    pub(crate) fn is_indexed(&self, name: &str) -> bool {
        self.indexes.iter().any(|index| index.keys.contains(name))
            || self.ttl.as_ref().is_some_and(|ttl| ttl.attribute == name)
    }

    /// Returns the row key of the item with these key attributes; `None` if one is absent or of
    /// another type.
    pub(crate) fn row_key(&self, key: &impl Attributes) -> Option<Vec<u8>> {
        let mut row_key = Vec::with_capacity(96);
        start_partition(&mut row_key, self.id, BASE_AREA);
        if !self.keys.encode_partition(&mut row_key, key) {
            return None;
        }
        close_partition(&mut row_key);
        self.keys.encode_sort(&mut row_key, key).then_some(row_key)
    }

    /// Returns the key attributes encoded in a row key.
    pub(crate) fn key_of_row(&self, row_key: &[u8]) -> Result<Item, Malformed> {
        let mut input = row_key
            .get(AREA_PREFIX_BYTES + HASH_BYTES..)
            .ok_or(Malformed("row key is too short"))?;
        self.keys.decode(&mut input)
    }

    /// Returns the index row of an item; `None` if the item is not in the index.
    pub(crate) fn index_row(
        &self,
        index: &Index,
        item: &impl Attributes,
        row_key: &[u8],
    ) -> Option<IndexRow> {
        let mut key = Vec::with_capacity(160);
        start_partition(&mut key, self.id, index.area);
        if !index.keys.encode_entry_partition(&mut key, item) {
            return None;
        }
        close_partition(&mut key);
        if !index.keys.encode_entry_sort(&mut key, item) {
            return None;
        }
        Some(IndexRow::close(key, row_key))
    }

    /// Returns the row key of the item that an index row refers to.
    pub(crate) fn row_key_of_index_row(
        &self,
        index_key: &[u8],
        index_value: &[u8],
    ) -> Result<Vec<u8>, Malformed> {
        let base = IndexRow::base_part(index_key, index_value)?;
        let mut rest = base;
        self.keys.skip_partition(&mut rest)?;
        let partition = &base[..base.len() - rest.len()];
        let mut row_key = Vec::with_capacity(AREA_PREFIX_BYTES + HASH_BYTES + base.len());
        row_key.extend_from_slice(&area_prefix(self.id, BASE_AREA));
        row_key.extend_from_slice(&partition_hash(partition).to_be_bytes());
        row_key.extend_from_slice(base);
        Ok(row_key)
    }

    /// Returns whether a read through the index returns the attribute.
    pub(crate) fn is_projected(&self, index: &Index, name: &str) -> bool {
        match &index.projection {
            Projection::All => true,
            Projection::KeysOnly => index.keys.contains(name) || self.keys.contains(name),
            Projection::Include(names) => {
                index.keys.contains(name)
                    || self.keys.contains(name)
                    || names.iter().any(|included| included == name)
            }
        }
    }

    /// Returns the size of an item's entry in an index.
    pub(crate) fn index_entry_bytes(&self, index: &Index, item: &Item) -> usize {
        match &index.projection {
            Projection::All => item_size_bytes(item),
            Projection::KeysOnly | Projection::Include(_) => item
                .iter()
                .filter(|(name, _)| self.is_projected(index, name))
                .map(|(name, value)| attribute_size_bytes(name, value))
                .sum(),
        }
    }

    /// Returns the area row that orders an item by its expiry; `None` if it never expires.
    pub(crate) fn ttl_row(
        &self,
        ttl: &Ttl,
        item: &impl Attributes,
        row_key: &[u8],
    ) -> Option<Vec<u8>> {
        let expiry = expiry_seconds(&*item.attribute(&ttl.attribute)?)?;
        let mut key = Vec::with_capacity(AREA_PREFIX_BYTES + 8 + row_key.len());
        key.extend_from_slice(&area_prefix(self.id, ttl.area));
        key.extend_from_slice(&expiry.to_be_bytes());
        key.extend_from_slice(&row_key[AREA_PREFIX_BYTES..]);
        Some(key)
    }

    pub(crate) fn describe(&self, table_status: TableStatus) -> TableDescription {
        let counts = self.counts.area(BASE_AREA);
        let indexes =
            |kind| self.indexes_of(kind).map(|index| self.describe_index(index)).collect();
        TableDescription {
            table_name: self.name.clone(),
            table_arn: self.arn(),
            table_id: self.unique_id.clone(),
            table_status,
            creation_ms: self.creation_ms,
            attribute_definitions: self.definitions.clone(),
            key_schema: self.keys.schema(),
            item_count: counts.items,
            table_size_bytes: counts.bytes,
            billing_mode: self.billing_mode,
            provisioned_throughput: self.throughput,
            on_demand_throughput: self.capacity.on_demand,
            warm_throughput: self.capacity.warm_units(self.billing_mode, self.throughput),
            kms_key_arn: self.encryption.key_arn(&self.arn),
            global_secondary_indexes: indexes(IndexKind::Global),
            local_secondary_indexes: indexes(IndexKind::Local),
            stream: self.streams.last().map(|stream| TableStream {
                stream_arn: self.stream_arn(stream),
                stream_label: stream.label.clone(),
                view_type: stream.view_type,
                enabled: stream.disabled_ms.is_none(),
            }),
            deletion_protection: self.deletion_protection,
            table_class: self.table_class,
            tags: self.tags.clone(),
            contributor_insights: self.insights,
            recovery: self.recovery,
            load: self.load.clone(),
        }
    }

    /// Returns whether a job still fills the table, so that it can't be used.
    pub(crate) fn is_loading(&self) -> bool {
        self.load.as_ref().is_some_and(|load| load.in_progress)
    }

    /// Returns the state: `Updating` while an index is being filled, as on AWS.
    pub(crate) fn status(&self) -> TableStatus {
        match self.indexes.iter().any(|index| index.state == IndexState::Backfilling) {
            _ if self.is_loading() => TableStatus::Creating,
            true => TableStatus::Updating,
            false => TableStatus::Active,
        }
    }

    fn describe_index(&self, index: &Index) -> IndexDescription {
        let counts = self.counts.area(index.area);
        IndexDescription {
            index_name: index.name.clone(),
            index_arn: format!("{}/index/{}", self.arn(), index.name),
            key_schema: index.keys.schema(),
            projection: index.projection.clone(),
            index_status: match index.state {
                _ if self.is_loading() => IndexStatus::Creating,
                IndexState::Backfilling => IndexStatus::Creating,
                IndexState::Active => IndexStatus::Active,
            },
            backfilling: index.state == IndexState::Backfilling,
            item_count: counts.items,
            index_size_bytes: counts.bytes,
            provisioned_throughput: index.throughput,
            on_demand_throughput: index.capacity.on_demand,
            warm_throughput: index.capacity.warm_units(self.billing_mode, index.throughput),
            contributor_insights: index.insights,
        }
    }
}

/// A row of an index: its key ends with the item's own key, its value is the position where that
/// starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IndexRow {
    pub(crate) key: Vec<u8>,
    pub(crate) value: [u8; 2],
}

impl IndexRow {
    /// Appends the item's own key to an index key.
    pub(crate) fn close(mut key: Vec<u8>, row_key: &[u8]) -> Self {
        // Index keys are at most 3 KB of text, twice that when every byte is escaped.
        let base_at = u16::try_from(key.len()).unwrap_or(u16::MAX);
        key.extend_from_slice(&row_key[AREA_PREFIX_BYTES + HASH_BYTES..]);
        Self { key, value: base_at.to_le_bytes() }
    }

    fn base_part<'a>(key: &'a [u8], value: &[u8]) -> Result<&'a [u8], Malformed> {
        let base_at =
            <[u8; 2]>::try_from(value).map_err(|_| Malformed("index row is malformed"))?;
        key.get(usize::from(u16::from_le_bytes(base_at))..)
            .ok_or(Malformed("index row is malformed"))
    }
}

/// Starts a row key whose partition key comes next; [`close_partition`] fills in the hash.
pub(crate) fn start_partition(out: &mut Vec<u8>, table: TableId, area: AreaId) {
    out.extend_from_slice(&area_prefix(table, area));
    out.extend_from_slice(&[0; HASH_BYTES]);
}

/// Inserts the hash before the partition key, which is now complete.
pub(crate) fn close_partition(out: &mut [u8]) {
    let hash = partition_hash(&out[AREA_PREFIX_BYTES + HASH_BYTES..]);
    out[AREA_PREFIX_BYTES..AREA_PREFIX_BYTES + HASH_BYTES].copy_from_slice(&hash.to_be_bytes());
}

/// Returns the time in an expiry attribute: whole epoch seconds; only numbers count, as on AWS.
pub(crate) fn expiry_seconds(value: &AttributeValue) -> Option<u64> {
    let number = value.as_n()?;
    number.to_u64().or_else(|| {
        // A fraction counts as its whole part.
        let text = number.to_string();
        text.split_once('.')?.0.parse().ok()
    })
}
