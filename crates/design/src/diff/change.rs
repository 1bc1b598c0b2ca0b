//! One difference between two designs. Its text is in `words.rs`.

use crate::ir::{Codec, CopyOf, EntityIndex, Form, Index, Key, Mirror, Unique, WireType};

/// One difference between two designs of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The table has another name.
    TableName {
        /// The name before.
        from: String,
        /// The name now.
        to: String,
    },
    /// The attributes of the primary key have other names, or the sort key came or went.
    TableKey {
        /// The attributes before.
        from: Vec<String>,
        /// The attributes now.
        to: Vec<String>,
    },
    /// Another attribute holds the type of a row.
    TypeAttribute {
        /// The type attribute before; `None` if the keys determined the type.
        from: Option<String>,
        /// The type attribute now; `None` if the keys determine the type.
        to: Option<String>,
        /// The entities, by their newer names, that have rows already.
        entities: Vec<String>,
    },
    /// Another attribute holds the expiry of a row.
    TtlAttribute {
        /// The attribute before.
        from: Option<String>,
        /// The attribute now.
        to: Option<String>,
    },
    /// An index is new.
    IndexAdded(Index),
    /// An index is gone.
    IndexRemoved(Index),
    /// The kind, the key or the projection of an index is another.
    IndexChanged {
        /// The index before.
        from: Index,
        /// The index now.
        to: Index,
    },
    /// An entity is new.
    EntityAdded(String),
    /// An entity is gone.
    EntityRemoved {
        /// Its name.
        entity: String,
        /// Whether it had unique constraints or mirrors, which are rows as well.
        has_more_rows: bool,
    },
    /// An entity has another name in Rust; its key is the same.
    EntityRenamed {
        /// The name before.
        from: String,
        /// The name now.
        to: String,
    },
    /// Something about an entity that both designs have.
    Entity {
        /// Its name in the newer design.
        entity: String,
        /// What.
        change: EntityChange,
    },
    /// A rule key is new.
    RuleAdded(String),
    /// A rule key is gone.
    RuleRemoved(String),
    /// The rows of a rule have other keys, other attributes or another type.
    RuleChanged(String),
    /// An access pattern is new: the set's name, `::` and its own.
    PatternAdded(String),
    /// An access pattern is gone.
    PatternRemoved(String),
    /// The arguments, the request or the result of an access pattern changed.
    PatternChanged(String),
}

/// A difference of one entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntityChange {
    /// Its rows have another type.
    TypeName {
        /// The type before.
        from: String,
        /// The type now.
        to: String,
        /// Whether rows hold it in an attribute that both designs have.
        is_stored: bool,
    },
    /// Its fields become attributes in another way.
    Codec {
        /// The codec before.
        from: Codec,
        /// The codec now.
        to: Codec,
    },
    /// Its primary key is another.
    Key {
        /// The key before.
        from: Key,
        /// The key now.
        to: Key,
    },
    /// It writes the keys of an index for the first time.
    IndexKeysAdded {
        /// The index.
        index: String,
        /// Whether rows lack an attribute of the key: not if all are fields.
        is_derived: bool,
    },
    /// It writes other keys for an index.
    IndexKeysChanged {
        /// The keys before.
        from: EntityIndex,
        /// The keys now.
        to: EntityIndex,
    },
    /// It no longer writes the keys of an index.
    IndexKeysRemoved {
        /// The index.
        index: String,
        /// Attributes that rows still have and nothing writes any more.
        attributes: Vec<String>,
    },
    /// A unique constraint is new.
    UniqueAdded(String),
    /// A unique constraint has another name, other fields, another key, or is released in another way.
    UniqueChanged {
        /// The constraint before.
        from: Unique,
        /// The constraint now.
        to: Unique,
        /// Whether values are kept by other rows than before.
        is_moved: bool,
    },
    /// A unique constraint is gone.
    UniqueRemoved(String),
    /// A new mirror row.
    MirrorAdded(Mirror),
    /// A mirror row was removed.
    MirrorRemoved(Mirror),
    /// Another field has a role.
    Role {
        /// The role.
        role: Role,
        /// The field before.
        from: Option<String>,
        /// The field now.
        to: Option<String>,
    },
    /// Something about a field.
    Field {
        /// Its name in the newer design, or in the older one if it is gone.
        field: String,
        /// What.
        change: FieldChange,
    },
}

/// What a field of an entity can be besides a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It counts changes.
    Version,
    /// It holds the expiry.
    Ttl,
    /// It holds when the entity was created.
    Created,
    /// It holds when the entity was last changed.
    Updated,
}

/// A difference of one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldChange {
    /// It is new.
    Added {
        /// Whether rows without it can't be read.
        is_required: bool,
    },
    /// It is gone.
    Removed {
        /// What rows still have of it: not if it was in the key only.
        attribute: Option<String>,
        /// Whether the older design can't read rows without it.
        was_required: bool,
        /// New fields of the same type: it may have got the name of one of them.
        renamed_to: Vec<String>,
    },
    /// It has another name in Rust.
    Renamed {
        /// The name before.
        from: String,
    },
    /// It has another name in rows.
    Attribute {
        /// The name before.
        from: String,
        /// The name now.
        to: String,
        /// What happens to the previous name.
        old_name: OldName,
        /// Whether the older design can't read rows without it.
        was_required: bool,
    },
    /// A name from before is read as well.
    AliasAdded(String),
    /// A name from before is no longer read.
    AliasRemoved(String),
    /// It has another type.
    Type {
        /// The types before, in Rust and in rows.
        from: (String, WireType),
        /// The types now, in Rust and in rows.
        to: (String, WireType),
    },
    /// Rows without it can no longer be read.
    Required,
    /// Rows without it can be read.
    Optional,
    /// The field is stored in another location.
    Location {
        /// The previous location.
        from: FieldLocation,
        /// The new location.
        to: FieldLocation,
        /// Its name in rows.
        attribute: String,
    },
    /// It is a copy of something else.
    Copy {
        /// The source before.
        from: Option<CopyOf>,
        /// The source now.
        to: Option<CopyOf>,
    },
    /// Its text in keys is another.
    KeyText {
        /// What it was, and how many bytes it always had.
        from: (Form, Option<u8>),
        /// What it is, and how many bytes it always has.
        to: (Form, Option<u8>),
        /// Whether it is part of the primary key.
        is_in_primary_key: bool,
        /// The unique constraints whose rows have it in their key.
        constraints: Vec<String>,
    },
}

/// What happens to the name that a field had in rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OldName {
    /// Rows that have it can't be read.
    Unread,
    /// Rows that have it are read, but filters and indexes see the new name only.
    Unseen,
    /// Rows that have it are read, and nothing else looks for the name; or no row ever had it.
    Read,
}

/// Where the value of a field is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldLocation {
    /// Where the codec puts fields.
    Field,
    /// Next to the `data` of an envelope.
    TopLevel,
    /// In the key only.
    Key,
    /// It is the whole value of a value row.
    Value,
}
