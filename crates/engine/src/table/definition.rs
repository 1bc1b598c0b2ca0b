//! A table's definition as a stored item, so that the catalog needs no format of its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use monotable_types::{
    AttributeDefinition, AttributeValue, Item, KeySchemaElement, KeyType, Projection, ScalarType,
    item, map,
};

use super::description::{BillingMode, ProvisionedThroughput, StreamViewType, TableClass};
use super::schema::{Arn, Index, IndexKind, IndexState, Stream, Table, Ttl};
use super::{
    CapacitySettings, ContributorInsights, Encryption, InsightsMode, KeySpec, OnDemandThroughput,
    PointInTimeRecovery, ResourcePolicy, TableCounts, TableDescription, TableLoad, TableStatus,
    WarmThroughput,
};
use crate::error::Error;
use crate::layout::item::Encoded;
use crate::layout::row_key::AREA_PREFIX_BYTES;
use crate::layout::{self, Malformed};
use crate::snapshot::TableRow;
use crate::stored::StoredItem;
use crate::validate;

/// Returns the stored form of a table's definition.
pub(crate) fn encode_table(table: &Table) -> Item {
    let mut item = item! {
        "id" => table.id,
        "name" => table.name.clone(),
        "uniqueId" => table.unique_id.clone(),
        "created" => table.creation_ms,
        "attributes" => table.definitions.iter().map(encode_attribute).collect::<Vec<_>>(),
        "keys" => encode_keys(&table.keys),
        "indexes" => table.indexes.iter().map(encode_index).collect::<Vec<_>>(),
        "streams" => table.streams.iter().map(encode_stream).collect::<Vec<_>>(),
        "onDemand" => table.billing_mode == BillingMode::PayPerRequest,
        "throughput" => encode_throughput(table.throughput),
        "protected" => table.deletion_protection,
        "infrequentAccess" => table.table_class == TableClass::StandardInfrequentAccess,
        "tags" => table
            .tags
            .iter()
            .map(|(key, value)| (key.clone(), AttributeValue::S(value.clone())))
            .collect::<BTreeMap<_, _>>(),
        "nextArea" => table.next_area,
    };
    encode_capacity(table.capacity, &mut item);
    encode_insights(table.insights, &mut item);
    if let Some(PointInTimeRecovery { period_days, enabled_ms }) = table.recovery {
        let recovery = map! { "days" => period_days, "enabled" => enabled_ms };
        item.insert("recovery".to_owned(), recovery);
    }
    encode_policy(table.policy.as_ref(), &mut item);
    if table.policy_revision > 0 {
        item.insert("policyRevision".to_owned(), table.policy_revision.into());
    }
    if let Encryption::Kms { key_id } = &table.encryption {
        let key_id = key_id.clone().map_or(AttributeValue::Null, AttributeValue::S);
        item.insert("kmsKey".to_owned(), key_id);
    }
    if let Some(ttl) = &table.ttl {
        let ttl = map! {
            "attribute" => ttl.attribute.clone(),
            "area" => ttl.area,
            "active" => ttl.state == IndexState::Active,
        };
        item.insert("ttl".to_owned(), ttl);
    }
    if let Some(load) = &table.load {
        item.insert("load".to_owned(), AttributeValue::M(load.encode()));
    }
    item
}

/// Decodes a definition. Region and account are not stored: they are options of the database.
pub(crate) fn decode_table(
    item: &Item,
    arn: Arn,
    counts: Arc<TableCounts>,
) -> Result<Table, Malformed> {
    let table = Fields(item);
    let definitions = table.list("attributes", decode_attribute)?;
    let keys = decode_keys(table.value("keys")?, &definitions)?;
    let indexes = table.list("indexes", |index| decode_index(index, &definitions))?;
    let streams = table.list("streams", decode_stream)?;
    let ttl = match table.optional_fields("ttl")? {
        Some(ttl) => Some(Ttl {
            attribute: ttl.text("attribute")?,
            area: ttl.number("area")? as u16,
            state: ttl.state("active")?,
        }),
        None => None,
    };
    let tags = table.value("tags")?.as_m().ok_or(BAD)?;
    Ok(Table {
        id: table.number("id")? as u32,
        name: table.text("name")?,
        unique_id: table.text("uniqueId")?,
        arn,
        creation_ms: table.number("created")?,
        definitions,
        keys,
        indexes,
        ttl,
        streams,
        billing_mode: match table.flag("onDemand")? {
            true => BillingMode::PayPerRequest,
            false => BillingMode::Provisioned,
        },
        throughput: decode_throughput(table.value("throughput")?)?,
        capacity: decode_capacity(&table)?,
        encryption: match item.get("kmsKey") {
            None => Encryption::AwsOwned,
            Some(AttributeValue::Null) => Encryption::Kms { key_id: None },
            Some(_) => Encryption::Kms { key_id: Some(table.text("kmsKey")?) },
        },
        deletion_protection: table.flag("protected")?,
        table_class: match table.flag("infrequentAccess")? {
            true => TableClass::StandardInfrequentAccess,
            false => TableClass::Standard,
        },
        tags: tags
            .iter()
            .map(|(key, value)| Ok((key.clone(), value.as_s().ok_or(BAD)?.to_owned())))
            .collect::<Result<_, Malformed>>()?,
        insights: decode_insights(&table)?,
        recovery: match table.optional_fields("recovery")? {
            Some(recovery) => Some(PointInTimeRecovery {
                period_days: recovery.number("days")?,
                enabled_ms: recovery.number("enabled")?,
            }),
            None => None,
        },
        policy: decode_policy(&table)?,
        policy_revision: table.optional_number("policyRevision")?.unwrap_or_default(),
        load: table.optional_fields("load")?.map(|load| TableLoad::decode(&load)).transpose()?,
        next_area: table.number("nextArea")? as u16,
        counts,
        usage: Arc::default(),
    })
}

/// The definition of a table outside of its database, such as in a backup.
#[derive(Clone, Debug)]
pub struct TableDefinition(Table);

impl TableDefinition {
    pub(crate) fn of(table: &Table) -> Self {
        Self(table.clone())
    }

    /// Returns the bytes that [`parse`](Self::parse) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        layout::item::encode(&encode_table(&self.0))
    }

    /// Parses the bytes of a definition.
    ///
    /// # Errors
    /// Returns [`Error::Corrupted`](crate::Error::Corrupted) if they are not the definition of a
    /// table.
    pub fn parse(bytes: &[u8], region: &str, account: &str) -> Result<Self, Error> {
        let arn = Arn { region: region.to_owned(), account: account.to_owned() };
        let item = Encoded::parse(bytes)?.decode()?;
        Ok(Self(decode_table(&item, arn, Arc::default())?))
    }

    /// Returns the number of the table in its database.
    pub fn number(&self) -> u32 {
        self.0.id
    }

    /// Returns whether a job was filling the table.
    pub fn is_loading(&self) -> bool {
        self.0.is_loading()
    }

    /// Describes the table without counts.
    pub fn description(&self) -> TableDescription {
        self.0.describe(TableStatus::Active)
    }

    /// Returns the row of an item of the table, which is given in its stored form.
    ///
    /// # Errors
    /// [`Error::Corrupted`](crate::Error::Corrupted) if it is none, [`Error::Validation`](crate::Error::Validation) if it lacks
    /// the keys of the table.
    pub fn row(&self, stored: Bytes) -> Result<TableRow, Error> {
        let stored = StoredItem::new(stored)?;
        let row_key = validate::item_key(&self.0, &stored.decode()?)?;
        Ok(TableRow::new(row_key[AREA_PREFIX_BYTES..].to_vec(), stored))
    }

    /// Returns the attribute that held the expiry of items.
    pub fn ttl_attribute(&self) -> Option<&str> {
        self.0.ttl.as_ref().map(|ttl| ttl.attribute.as_str())
    }

    /// Returns the document of the table's own policy.
    pub fn policy(&self) -> Option<&str> {
        self.0.policy.as_ref().map(|policy| policy.document.as_str())
    }

    /// Returns the key that encrypted the table.
    pub fn encryption(&self) -> &Encryption {
        &self.0.encryption
    }
}

const BAD: Malformed = Malformed("table definition is malformed");

/// Typed access to the attributes of a stored definition.
pub(super) struct Fields<'a>(&'a BTreeMap<String, AttributeValue>);

impl Fields<'_> {
    fn value(&self, name: &str) -> Result<&AttributeValue, Malformed> {
        self.0.get(name).ok_or(BAD)
    }

    pub(super) fn text(&self, name: &str) -> Result<String, Malformed> {
        Ok(self.value(name)?.as_s().ok_or(BAD)?.to_owned())
    }

    pub(super) fn optional_text(&self, name: &str) -> Result<Option<String>, Malformed> {
        self.0.contains_key(name).then(|| self.text(name)).transpose()
    }

    pub(super) fn number(&self, name: &str) -> Result<u64, Malformed> {
        self.value(name)?.as_n().and_then(|number| number.to_u64()).ok_or(BAD)
    }

    fn optional_number(&self, name: &str) -> Result<Option<u64>, Malformed> {
        self.0.contains_key(name).then(|| self.number(name)).transpose()
    }

    fn optional_fields(&self, name: &str) -> Result<Option<Fields<'_>>, Malformed> {
        self.0.get(name).map(|value| value.as_m().map(Fields).ok_or(BAD)).transpose()
    }

    pub(super) fn flag(&self, name: &str) -> Result<bool, Malformed> {
        self.value(name)?.as_bool().ok_or(BAD)
    }

    fn state(&self, name: &str) -> Result<IndexState, Malformed> {
        Ok(if self.flag(name)? { IndexState::Active } else { IndexState::Backfilling })
    }

    fn list<T>(
        &self,
        name: &str,
        decode: impl Fn(&AttributeValue) -> Result<T, Malformed>,
    ) -> Result<Vec<T>, Malformed> {
        self.value(name)?.as_l().ok_or(BAD)?.iter().map(decode).collect()
    }
}

fn encode_attribute(definition: &AttributeDefinition) -> AttributeValue {
    map! { "name" => definition.name.clone(), "type" => definition.scalar_type.as_str() }
}

fn decode_attribute(value: &AttributeValue) -> Result<AttributeDefinition, Malformed> {
    let fields = Fields(value.as_m().ok_or(BAD)?);
    let scalar_type: ScalarType = fields.text("type")?.parse().map_err(|_| BAD)?;
    Ok(AttributeDefinition { name: fields.text("name")?, scalar_type })
}

fn encode_keys(keys: &KeySpec) -> AttributeValue {
    let element = |element: KeySchemaElement| {
        map! { "name" => element.attribute_name, "type" => element.key_type.as_str() }
    };
    AttributeValue::L(keys.schema().into_iter().map(element).collect())
}

fn decode_keys(
    value: &AttributeValue,
    definitions: &[AttributeDefinition],
) -> Result<KeySpec, Malformed> {
    let element = |value: &AttributeValue| {
        let fields = Fields(value.as_m().ok_or(BAD)?);
        let key_type: KeyType = fields.text("type")?.parse().map_err(|_| BAD)?;
        Ok(KeySchemaElement { attribute_name: fields.text("name")?, key_type })
    };
    let schema: Vec<_> =
        value.as_l().ok_or(BAD)?.iter().map(element).collect::<Result<_, Malformed>>()?;
    KeySpec::resolve(&schema, definitions).ok_or(BAD)
}

fn encode_throughput(throughput: ProvisionedThroughput) -> AttributeValue {
    map! {
        "read" => throughput.read_capacity_units,
        "write" => throughput.write_capacity_units,
    }
}

fn decode_throughput(value: &AttributeValue) -> Result<ProvisionedThroughput, Malformed> {
    let fields = Fields(value.as_m().ok_or(BAD)?);
    Ok(ProvisionedThroughput {
        read_capacity_units: fields.number("read")?,
        write_capacity_units: fields.number("write")?,
    })
}

/// Encodes settings that are set; tables of older versions have none of them.
fn encode_capacity(capacity: CapacitySettings, fields: &mut Item) {
    let CapacitySettings { on_demand, warm } = capacity;
    let limit = |units: Option<i64>| units.and_then(|units| u64::try_from(units).ok());
    let settings = [
        ("maxRead", limit(on_demand.max_read_request_units)),
        ("maxWrite", limit(on_demand.max_write_request_units)),
        ("warmRead", warm.read_units_per_second),
        ("warmWrite", warm.write_units_per_second),
    ];
    for (name, units) in settings {
        fields.extend(units.map(|units| (name.to_owned(), units.into())));
    }
}

fn decode_capacity(fields: &Fields<'_>) -> Result<CapacitySettings, Malformed> {
    let limit = |name| {
        let units = fields.optional_number(name)?;
        units.map(|units| i64::try_from(units).map_err(|_| BAD)).transpose()
    };
    Ok(CapacitySettings {
        on_demand: OnDemandThroughput {
            max_read_request_units: limit("maxRead")?,
            max_write_request_units: limit("maxWrite")?,
        },
        warm: WarmThroughput {
            read_units_per_second: fields.optional_number("warmRead")?,
            write_units_per_second: fields.optional_number("warmWrite")?,
        },
    })
}

fn encode_insights(insights: Option<ContributorInsights>, fields: &mut Item) {
    if let Some(ContributorInsights { mode, updated_ms }) = insights {
        let throttled_only = mode == InsightsMode::ThrottledKeys;
        let insights = map! { "throttledOnly" => throttled_only, "updated" => updated_ms };
        fields.insert("insights".to_owned(), insights);
    }
}

fn decode_insights(fields: &Fields<'_>) -> Result<Option<ContributorInsights>, Malformed> {
    let Some(insights) = fields.optional_fields("insights")? else {
        return Ok(None);
    };
    let mode = match insights.flag("throttledOnly")? {
        true => InsightsMode::ThrottledKeys,
        false => InsightsMode::AccessedAndThrottledKeys,
    };
    Ok(Some(ContributorInsights { mode, updated_ms: insights.number("updated")? }))
}

fn encode_policy(policy: Option<&ResourcePolicy>, fields: &mut Item) {
    if let Some(ResourcePolicy { document, revision_id }) = policy {
        let policy = map! { "document" => document.clone(), "revision" => revision_id.clone() };
        fields.insert("policy".to_owned(), policy);
    }
}

fn decode_policy(fields: &Fields<'_>) -> Result<Option<ResourcePolicy>, Malformed> {
    let Some(policy) = fields.optional_fields("policy")? else {
        return Ok(None);
    };
    let (document, revision_id) = (policy.text("document")?, policy.text("revision")?);
    Ok(Some(ResourcePolicy { document, revision_id }))
}

fn encode_index(index: &Index) -> AttributeValue {
    let mut fields = item! {
        "name" => index.name.clone(),
        "local" => index.kind == IndexKind::Local,
        "area" => index.area,
        "keys" => encode_keys(&index.keys),
        "projection" => index.projection.type_str(),
        "active" => index.state == IndexState::Active,
        "throughput" => encode_throughput(index.throughput),
    };
    if let Projection::Include(names) = &index.projection {
        let names = names.iter().map(|name| AttributeValue::S(name.clone())).collect();
        fields.insert("included".to_owned(), AttributeValue::L(names));
    }
    encode_capacity(index.capacity, &mut fields);
    encode_insights(index.insights, &mut fields);
    AttributeValue::M(fields)
}

fn decode_index(
    value: &AttributeValue,
    definitions: &[AttributeDefinition],
) -> Result<Index, Malformed> {
    let fields = Fields(value.as_m().ok_or(BAD)?);
    let projection = match fields.text("projection")?.as_str() {
        "ALL" => Projection::All,
        "KEYS_ONLY" => Projection::KeysOnly,
        "INCLUDE" => Projection::Include(
            fields.list("included", |name| Ok(name.as_s().ok_or(BAD)?.to_owned()))?,
        ),
        _ => return Err(BAD),
    };
    Ok(Index {
        name: fields.text("name")?,
        kind: if fields.flag("local")? { IndexKind::Local } else { IndexKind::Global },
        area: fields.number("area")? as u16,
        keys: decode_keys(fields.value("keys")?, definitions)?,
        projection,
        state: fields.state("active")?,
        throughput: decode_throughput(fields.value("throughput")?)?,
        capacity: decode_capacity(&fields)?,
        insights: decode_insights(&fields)?,
        usage: Arc::default(),
    })
}

fn encode_stream(stream: &Stream) -> AttributeValue {
    let view = match stream.view_type {
        StreamViewType::KeysOnly => "KEYS_ONLY",
        StreamViewType::NewImage => "NEW_IMAGE",
        StreamViewType::OldImage => "OLD_IMAGE",
        StreamViewType::NewAndOldImages => "NEW_AND_OLD_IMAGES",
    };
    let mut fields = item! {
        "area" => stream.area,
        "label" => stream.label.clone(),
        "created" => stream.creation_ms,
        "view" => view,
        "first" => stream.first_sequence,
    };
    let ended = [("disabled", stream.disabled_ms), ("end", stream.end_sequence)];
    for (name, value) in ended {
        if let Some(value) = value {
            fields.insert(name.to_owned(), value.into());
        }
    }
    encode_policy(stream.policy.as_ref(), &mut fields);
    AttributeValue::M(fields)
}

fn decode_stream(value: &AttributeValue) -> Result<Stream, Malformed> {
    let fields = Fields(value.as_m().ok_or(BAD)?);
    Ok(Stream {
        area: fields.number("area")? as u16,
        label: fields.text("label")?,
        creation_ms: fields.number("created")?,
        view_type: match fields.text("view")?.as_str() {
            "KEYS_ONLY" => StreamViewType::KeysOnly,
            "NEW_IMAGE" => StreamViewType::NewImage,
            "OLD_IMAGE" => StreamViewType::OldImage,
            "NEW_AND_OLD_IMAGES" => StreamViewType::NewAndOldImages,
            _ => return Err(BAD),
        },
        disabled_ms: fields.optional_number("disabled")?,
        first_sequence: fields.number("first")?,
        end_sequence: fields.optional_number("end")?,
        policy: decode_policy(&fields)?,
    })
}
