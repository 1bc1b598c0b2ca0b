//! Entities in the owned form.

use serde::{Deserialize, Serialize};

use super::{Allow, Location};

/// One entity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entity {
    /// The name of its type.
    pub name: String,
    /// What it is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub doc: String,
    /// The value of the type attribute.
    pub type_name: String,
    /// How fields become attributes.
    pub codec: Codec,
    /// The fields in the order of the declaration.
    pub fields: Vec<Field>,
    /// The templates of the primary key.
    pub key: Key,
    /// The keys it writes for indexes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub indexes: Vec<EntityIndex>,
    /// Its unique constraints.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unique: Vec<Unique>,
    /// The mirror rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mirrors: Vec<Mirror>,
    /// The field that counts its changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The field that holds its expiry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl: Option<String>,
    /// The field that holds when it was created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// The field that holds when it was last changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated: Option<String>,
    /// The rule key whose rows it reads, if a rule keeps them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Rules not followed by this entity.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allows: Vec<Allow>,
    /// Where it is declared.
    pub location: Location,
}

/// How fields become attributes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Codec {
    /// One attribute a field.
    Plain,
    /// A JSON string in the attribute `data`.
    Envelope {
        /// The name of that attribute.
        data: String,
    },
    /// `v`, `ct`, `ver`, `ttl`, `meta`.
    ValueRow,
}

/// One field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The name in Rust.
    pub name: String,
    /// The name of the attribute.
    pub attribute: String,
    /// Names that the attribute had before, and that are still read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// The type in Rust.
    pub rust_type: String,
    /// The type of the attribute.
    pub wire_type: WireType,
    /// Whether a row without it can't be read.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_required: bool,
    /// Whether it never changes.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_immutable: bool,
    /// Whether it is only ever added to.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_counter: bool,
    /// Whether it is stored outside the `data` of an envelope.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_top_level: bool,
    /// Whether it is written in the key only.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_key_only: bool,
    /// Whether it is the whole value of a value row.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_value: bool,
    /// What it is a copy of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy_of: Option<CopyOf>,
    /// The form of its text in keys, if it is part of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_part: Option<KeyPart>,
    /// What it is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub doc: String,
}

pub(super) const fn is_false(value: &bool) -> bool {
    !*value
}

/// The source of a copied field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CopyOf {
    /// The entity.
    pub entity: String,
    /// Its field.
    pub field: String,
}

/// The DynamoDB type of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WireType {
    /// A string.
    S,
    /// A number.
    N,
    /// A binary.
    B,
    /// A Boolean.
    #[serde(rename = "BOOL")]
    Bool,
    /// A list.
    L,
    /// A map.
    M,
    /// The declaration does not show it.
    #[serde(rename = "unknown")]
    Unknown,
}

/// What the text of a field or argument in keys is like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyPart {
    /// What kind of value it is.
    pub form: Form,
    /// The digits of the greatest number of the type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digits: Option<u8>,
    /// Which characters it may consist of.
    pub charset: Charset,
    /// How many bytes it always has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u8>,
    /// Whether it may be empty.
    #[serde(default, skip_serializing_if = "is_false")]
    pub may_be_empty: bool,
    /// Whether it may be absent.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_optional: bool,
    /// Whether it is a typed id.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_identity: bool,
}

/// What kind of value a key part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Text.
    Text,
    /// A whole number without sign.
    Unsigned,
    /// A whole number with a sign.
    Signed,
    /// A day.
    Date,
    /// An instant in UTC.
    Instant,
    /// A time whose text does not sort.
    UnsortableTime,
    /// One of a few words.
    Word,
}

/// Which characters a key part may consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Charset {
    /// `0` to `9`.
    Digits,
    /// Digits and `-`.
    Date,
    /// Those of an instant.
    Instant,
    /// Those of typed ids and words.
    Identifier,
    /// Anything.
    Any,
}

/// The templates of a primary key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// The partition key.
    pub partition: String,
    /// The sort key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
    /// How the partition is spread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shards: Option<Shards>,
}

/// A partition spread over several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shards {
    /// How many.
    pub count: u16,
    /// The field that decides.
    pub by: String,
}

/// The keys that an entity writes for an index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntityIndex {
    /// The index's name.
    pub index: String,
    /// Templates of the partition key.
    pub partition: Vec<String>,
    /// Templates of the sort key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sort: Vec<String>,
    /// Whether rows stay out of it while an optional field is absent.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_sparse: bool,
    /// How the partition is spread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shards: Option<Shards>,
}

/// A unique constraint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unique {
    /// Its name.
    pub name: String,
    /// The fields whose values together are unique.
    pub fields: Vec<String>,
    /// Whether nothing is kept while an optional field is absent.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_sparse: bool,
    /// The partition key of the row that keeps it.
    pub partition: String,
    /// The sort key of that row.
    pub sort: String,
    /// Whether a value is free again when the entity gives it up.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_released: bool,
}

/// A second row that is written with the entity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mirror {
    /// The entity of the row.
    pub entity: String,
    /// The key, when it is the same entity under another key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Key>,
}
