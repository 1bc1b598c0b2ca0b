//! The design as constants: what the macros make of the declarations.
//!
//! Everything is `'static` and readable in a `const` evaluation. The owned form, which is written as
//! JSON and read back, is the [`Design`](crate::Design).

mod rule;

pub use rule::{RuleAttributes, RuleKind, RuleMeta};

use crate::part::PartKind;
use crate::stamp::Stamp;
use crate::text;

/// A location in the source, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file, as the compiler names it.
    pub file: &'static str,
    /// The line, from 1.
    pub line: u32,
}

impl Location {
    /// The location of declarations without one.
    pub const NOWHERE: Self = Self { file: "", line: 0 };
}

/// A rule that is allowed to be broken, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allow {
    /// The rule's code, such as `I03`.
    pub rule: &'static str,
    /// Why the rule does not apply here.
    pub because: &'static str,
}

/// A whole table.
#[derive(Clone, Copy, Debug)]
pub struct TableMeta {
    /// The name of the Rust type.
    pub name: &'static str,
    /// The documentation comment.
    pub doc: &'static str,
    /// The table's name, with `{environment}` and other variables in it.
    pub table_name: &'static str,
    /// The attribute of the partition key.
    pub partition_key: &'static str,
    /// The attribute of the sort key, if the table has one.
    pub sort_key: Option<&'static str>,
    /// How the type of a row is known.
    pub type_attribute: TypeAttribute,
    /// The attribute that holds a row's expiry in epoch seconds.
    pub ttl_attribute: Option<&'static str>,
    /// The codec that every entity must have, if the table requires one.
    pub codec: Option<Codec>,
    /// The secondary indexes.
    pub indexes: &'static [IndexMeta],
    /// The entities of the table.
    pub entities: &'static [&'static EntityMeta],
    /// The entities that can have the primary key of another row, because K01 is allowed: their
    /// reads and writes compare the type of a row.
    pub shared_keys: &'static [&'static EntityMeta],
    /// The keys of rules that are kept as rows.
    pub rules: &'static [&'static RuleMeta],
    /// The access patterns, trait by trait.
    pub pattern_sets: &'static [&'static PatternSetMeta],
    /// The stores that must support the table.
    pub targets: &'static [Target],
    /// Rules not followed by the table as a whole.
    pub allows: &'static [Allow],
    /// Where it is declared.
    pub location: Location,
}

impl TableMeta {
    /// Returns whether the declaration has errors. A partition key has a name.
    pub const fn is_unreadable(&self) -> bool {
        self.partition_key.is_empty()
    }

    /// Everything but the entities and the patterns, for a table that has only the
    /// [keys](EntityMeta::keys) of its entities.
    pub const fn frame(&self) -> Self {
        Self {
            doc: "",
            entities: &[],
            shared_keys: &[],
            pattern_sets: &[],
            location: Location::NOWHERE,
            ..*self
        }
    }
}

/// How the entity type of a row is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeAttribute {
    /// An attribute holds the entity's type name.
    Named(&'static str),
    /// The key templates determine the type; there is no type attribute.
    ByKey,
}

/// A store that can contain a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The engine in the same process.
    Embedded,
    /// Amazon DynamoDB.
    DynamoDb,
    /// ScyllaDB Alternator, which has no transactions.
    Alternator,
}

/// How an entity's fields become attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// One attribute a field.
    Plain,
    /// The fields are a JSON string in one attribute, except for those that are stored outside it.
    Envelope {
        /// The attribute of the JSON string.
        data: &'static str,
    },
    /// A key-value row: `v`, `ct`, `ver`, `ttl`, `meta`.
    ValueRow,
}

/// A secondary index of a table.
#[derive(Clone, Copy, Debug)]
pub struct IndexMeta {
    /// Its name.
    pub name: &'static str,
    /// Global or local.
    pub kind: IndexKind,
    /// The attributes of the partition key, 1 to 4.
    pub partition: &'static [&'static str],
    /// The attributes of the sort key, 0 to 4.
    pub sort: &'static [&'static str],
    /// Which attributes it carries.
    pub projection: Projection,
    /// Rules not followed by this index.
    pub allows: &'static [Allow],
}

/// The kind of a secondary index. More may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexKind {
    /// A partition key of its own.
    Global,
    /// The table's partition key, another sort key.
    Local,
}

/// Which attributes an index carries besides the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Projection {
    /// All.
    All,
    /// None.
    KeysOnly,
    /// Some.
    Include(&'static [&'static str]),
}

/// One entity.
#[derive(Clone, Copy, Debug)]
pub struct EntityMeta {
    /// The name of the Rust type.
    pub name: &'static str,
    /// The documentation comment.
    pub doc: &'static str,
    /// The value of the type attribute.
    pub type_name: &'static str,
    /// How fields become attributes.
    pub codec: Codec,
    /// The fields in the order of the declaration.
    pub fields: &'static [FieldMeta],
    /// The templates of the primary key.
    pub key: KeyMeta,
    /// The keys it writes for indexes.
    pub indexes: &'static [EntityIndexMeta],
    /// Its unique constraints.
    pub unique: &'static [UniqueMeta],
    /// The mirror rows.
    pub mirrors: &'static [MirrorMeta],
    /// The field that counts its changes.
    pub version: Option<u16>,
    /// The field that holds its expiry.
    pub ttl: Option<u16>,
    /// The field that holds when it was created.
    pub created: Option<u16>,
    /// The field that holds when it was last changed.
    pub updated: Option<u16>,
    /// The rule key whose rows it reads, if a rule keeps them.
    pub rule: Option<&'static RuleMeta>,
    /// Rules not followed by this entity.
    pub allows: &'static [Allow],
    /// Where it is declared.
    pub location: Location,
}

/// One field of an entity.
#[derive(Clone, Copy, Debug)]
pub struct FieldMeta {
    /// The name in Rust.
    pub name: &'static str,
    /// The attribute's name, by serde.
    pub attribute: &'static str,
    /// Names that the attribute had before, by serde: rows that still have them are read.
    pub aliases: &'static [&'static str],
    /// The type as written.
    pub rust_type: &'static str,
    /// The type of the attribute, as far as the declaration shows it.
    pub wire_type: WireType,
    /// Whether a row without the attribute can't be read: no `Option`, no default.
    pub is_required: bool,
    /// Whether it never changes after creation.
    pub is_immutable: bool,
    /// Whether it is only ever added to.
    pub is_counter: bool,
    /// Whether the attribute is stored outside the `data` of an envelope.
    pub is_top_level: bool,
    /// Whether it is written in the key only, and read back from there.
    pub is_key_only: bool,
    /// Whether it is the whole value of a value row, in its own type.
    pub is_value: bool,
    /// The stamp that it is, if the layer keeps it and serde does not know it.
    pub stamp: Option<Stamp>,
    /// The entity and field that it is a copy of.
    pub copy_of: Option<CopyMeta>,
    /// The documentation comment.
    pub doc: &'static str,
}

/// The source of a copied field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyMeta {
    /// The entity that owns the value.
    pub entity: &'static str,
    /// Its field.
    pub field: &'static str,
}

/// The DynamoDB type of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireType {
    /// A string.
    S,
    /// A number.
    N,
    /// A binary.
    B,
    /// A Boolean.
    Bool,
    /// A list.
    L,
    /// A map.
    M,
    /// The declaration does not show it.
    Unknown,
}

/// The templates of a primary key.
#[derive(Clone, Copy, Debug)]
pub struct KeyMeta {
    /// The partition key.
    pub partition: Template,
    /// The sort key, if the table has one.
    pub sort: Option<Template>,
    /// How the partition is spread, if it is.
    pub shards: Option<ShardMeta>,
}

/// The keys that an entity writes for one index.
#[derive(Clone, Copy, Debug)]
pub struct EntityIndexMeta {
    /// The index's name.
    pub index: &'static str,
    /// Templates of the partition key, one an attribute.
    pub partition: &'static [Template],
    /// Templates of the sort key, one an attribute.
    pub sort: &'static [Template],
    /// Whether rows stay out of the index while an optional field is absent.
    pub is_sparse: bool,
    /// How the partition is spread, if it is.
    pub shards: Option<ShardMeta>,
}

/// A partition spread over several: the template has a `{shard}` in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardMeta {
    /// How many.
    pub count: u16,
    /// The field that decides: a whole number by its remainder, anything else by a hash of its text.
    pub by: u16,
}

impl EntityMeta {
    /// Returns a placeholder for an entity whose declaration has errors. No rule checks it.
    pub const fn unreadable(name: &'static str) -> Self {
        let partition = Template { text: "", segments: &[] };
        Self {
            name,
            doc: "",
            type_name: "",
            codec: Codec::Plain,
            fields: &[],
            key: KeyMeta { partition, sort: None, shards: None },
            indexes: &[],
            unique: &[],
            mirrors: &[],
            version: None,
            ttl: None,
            created: None,
            updated: None,
            rule: None,
            allows: &[],
            location: Location::NOWHERE,
        }
    }

    /// Returns the names and the keys of the entity without its fields. It stays the same when a field changes
    /// that is part of no key, so that the compiler need not check again what depends on keys only.
    pub const fn keys(&self) -> Self {
        Self {
            doc: "",
            fields: &[],
            version: None,
            ttl: None,
            created: None,
            updated: None,
            location: Location::NOWHERE,
            ..*self
        }
    }

    /// Returns whether the declaration has errors. A partition key is never empty.
    pub const fn is_unreadable(&self) -> bool {
        self.key.partition.segments.is_empty()
    }

    /// Returns the position of a field by its name in Rust.
    pub const fn position(&self, name: &str) -> Option<u16> {
        let mut position = 0;
        while position < self.fields.len() {
            if text::equal(self.fields[position].name, name) {
                return Some(position as u16);
            }
            position += 1;
        }
        None
    }
}

/// A unique constraint, kept by a row of its own.
#[derive(Clone, Copy, Debug)]
pub struct UniqueMeta {
    /// Its name: the fields, joined by `_`.
    pub name: &'static str,
    /// The fields whose values together are unique.
    pub fields: &'static [u16],
    /// Whether nothing is kept while an optional field is absent.
    pub is_sparse: bool,
    /// The row's partition key.
    pub partition: Template,
    /// The row's sort key.
    pub sort: Template,
    /// Whether a value is free again when the entity gives it up.
    pub is_released: bool,
}

/// A second row that is written with the entity.
#[derive(Clone, Copy, Debug)]
pub struct MirrorMeta {
    /// The entity type of the row: the same entity under another key, or another entity.
    pub entity: &'static str,
    /// The key, when it is the same entity under another key.
    pub key: Option<KeyMeta>,
}

/// A key template: literals and fields.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// As declared.
    pub text: &'static str,
    /// Its parts in order.
    pub segments: &'static [Segment],
}

/// A part of a template.
#[derive(Clone, Copy, Debug)]
pub enum Segment {
    /// Text that is always the same.
    Literal(&'static str),
    /// The value of a field, or of an argument of a pattern.
    Field {
        /// Its name.
        name: &'static str,
        /// The position of the entity's field, or of the pattern's argument.
        position: u16,
        /// Digits it is padded to with zeros; 0 for none.
        pad: u8,
        /// What its type is like.
        kind: PartKind,
        /// Whether it may be absent (`Option`).
        is_optional: bool,
    },
    /// The number of the shard.
    Shard,
}

/// The access patterns of one trait.
#[derive(Clone, Copy, Debug)]
pub struct PatternSetMeta {
    /// The trait's name.
    pub name: &'static str,
    /// Its documentation comment.
    pub doc: &'static str,
    /// The patterns in the order of the declaration.
    pub patterns: &'static [PatternMeta],
}

/// One access pattern.
#[derive(Clone, Copy, Debug)]
pub struct PatternMeta {
    /// The function's name.
    pub name: &'static str,
    /// Its documentation comment.
    pub doc: &'static str,
    /// The operation on the table.
    pub operation: Operation,
    /// The index that it reads; none for the table.
    pub index: Option<&'static str>,
    /// The arguments in order.
    pub arguments: &'static [ArgumentMeta],
    /// Templates of the partition key, one an attribute; none for a scan or a batch of keys.
    pub partition: &'static [Template],
    /// Conditions on the sort key, one an attribute, equalities first.
    pub sort: &'static [SortTest],
    /// The unique value by whose owner a row is read, instead of by a key.
    pub unique: Option<UniqueValue>,
    /// Attributes that its rows must have or lack; others are dropped after they were read.
    pub presence: &'static [PresenceTest],
    /// The entities that it returns.
    pub returns: &'static [&'static EntityMeta],
    /// How much of the result it returns.
    pub shape: Shape,
    /// Whether it reads backwards.
    pub is_descending: bool,
    /// Whether it reads consistently.
    pub is_consistent: bool,
    /// The partition is spread over this many, and read as one.
    pub shards: Option<u16>,
    /// Rows evaluated at most in one request.
    pub limit: Option<u32>,
    /// Rows that the collection has at most.
    pub items_max: Option<u32>,
    /// Expected requests a second.
    pub requests_per_second: Option<u32>,
    /// Whether it is for administrators only.
    pub is_admin: bool,
    /// Rules not followed by this pattern.
    pub allows: &'static [Allow],
    /// Where it is declared.
    pub location: Location,
}

impl PatternMeta {
    /// Returns the attributes of the partition key and of the sort key that it reads by.
    pub const fn key_attributes(
        &self,
        table: &'static TableMeta,
    ) -> (&'static [&'static str], &'static [&'static str]) {
        let own = std::slice::from_ref(&table.partition_key);
        let Some(name) = self.index else { return (own, table.sort_key.as_slice()) };
        let mut indexes = table.indexes;
        while let [index, rest @ ..] = indexes {
            if text::equal(index.name, name) {
                let partition = if index.partition.is_empty() { own } else { index.partition };
                return (partition, index.sort);
            }
            indexes = rest;
        }
        (own, table.sort_key.as_slice())
    }

    /// Returns whether an attribute of its rows is a field that holds a number.
    pub const fn is_number(&self, attribute: &str) -> bool {
        let mut entities = self.returns;
        while let [entity, rest @ ..] = entities {
            let mut fields = entity.fields;
            while let [field, rest @ ..] = fields {
                if matches!(field.wire_type, WireType::N) && text::equal(field.attribute, attribute)
                {
                    return true;
                }
                fields = rest;
            }
            entities = rest;
        }
        false
    }
}

/// One argument of a pattern.
#[derive(Clone, Copy, Debug)]
pub struct ArgumentMeta {
    /// Its name.
    pub name: &'static str,
    /// The type as written.
    pub rust_type: &'static str,
    /// The attribute that the argument filters by, if it is not a key part.
    pub filter: Option<&'static str>,
}

/// The operation of a pattern on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// One row by its key.
    Get,
    /// Rows of one partition.
    Query,
    /// Many rows by their keys.
    BatchGet,
    /// Everything.
    Scan,
}

/// A condition on one attribute of the sort key.
#[derive(Clone, Copy, Debug)]
pub enum SortTest {
    /// Exactly this.
    Equals(Template),
    /// Everything that starts so.
    BeginsWith(Template),
    /// From the first to the second, both included with all that starts like the second.
    Between(Template, Template),
    /// From here to the end of the same literal prefix.
    From(Template),
    /// From the start of the same literal prefix to here, included with all that starts so.
    UpTo(Template),
    /// Everything after it, within the same literal prefix.
    After(Template),
    /// Everything before it, within the same literal prefix.
    Before(Template),
}

/// A value of a unique constraint.
#[derive(Clone, Copy, Debug)]
pub struct UniqueValue {
    /// The constraint's name.
    pub constraint: &'static str,
    /// The arguments that are its fields, of the same names, as templates of one argument each.
    pub fields: &'static [Template],
}

/// A filter by whether rows have an attribute. One that is NULL counts as absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresenceTest {
    /// Rows that have it.
    Exists(&'static str),
    /// Rows that don't.
    Absent(&'static str),
}

impl PresenceTest {
    /// Returns the attribute.
    pub const fn attribute(self) -> &'static str {
        match self {
            Self::Exists(attribute) | Self::Absent(attribute) => attribute,
        }
    }
}

/// How much of the result a pattern returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The row, or the first one.
    One,
    /// Page by page.
    Rows,
    /// All rows at once.
    All,
    /// One value folded from all rows.
    Fold,
}
