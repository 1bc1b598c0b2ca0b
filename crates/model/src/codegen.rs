//! The interface of code that the macros generate: every name that it uses is here, so that a
//! program needs only one dependency. It is not part of the public API and may change at any time.

pub use monotable_design::Design;
pub use monotable_design::check::{self, KeyUse};
pub use monotable_design::meta::{
    Allow, ArgumentMeta, Codec, CopyMeta, EntityIndexMeta, EntityMeta, FieldMeta, IndexKind,
    IndexMeta, KeyMeta, Location, MirrorMeta, Operation, PatternMeta, PatternSetMeta, PresenceTest,
    Projection, RuleAttributes, RuleKind, RuleMeta, Segment, Shape, ShardMeta, SortTest, TableMeta,
    Target, Template, TypeAttribute, UniqueMeta, UniqueValue, WireType,
};
pub use monotable_design::part::PartKind;
pub use monotable_design::stamp::{Stamp, with_stamps};
pub use monotable_types::Item;
pub use serde::{self, Deserialize, Deserializer, Serialize, Serializer};

pub use crate::backend::{Backend, Row};
pub use crate::condition::{Condition, Path};
pub use crate::context::Context;
pub use crate::entity::{
    Aggregate, Editable, Entity, EntityKey, Expiry, MirrorOf, Moment, Replaceable, RowSet,
    Upsertable, deserialize_key, serialize_key,
};
pub use crate::error::{Error, Result};
pub use crate::key::{KeyError, KeyPart, ParsedParts, PartText, Parts, check_identifier};
pub use crate::read::{
    All, Filter, Fold, Many, One, Route, Rows, all, decode_entity, decode_row, filter, fold, many,
    one, owner, rows,
};
pub use crate::rows::{
    CounterKey, GuardKey, IdempotencyKey, JobKey, LockKey, LogKey, RateWindowKey, RecordKey,
    Records, RuleKey, RuleOperation, records as rule_records,
};
pub use crate::settings::Settings;
pub use crate::stamps::{
    HasCreated, HasExpires, HasUpdated, HasVersion, StampSet, StampValues, created_position,
    expires_position, stamp_path, stamp_position, updated_position,
};
pub use crate::store::Store;
pub use crate::table::{Holds, HoldsRule, PatternSet, Reads, Table, listed};
pub use crate::time::{EpochSeconds, Timestamp};
pub use crate::write::{IntoUpdate, MirrorSink, Operation as RowOperation, Run, Update};

/// An operation of a transaction without its type.
pub type Erased = Box<dyn crate::write::Planned>;

use monotable_design::part::Form;

/// The type of paths of fields that serde writes in another form (`#[serde(with = "…")]`):
/// conditions can test whether such a field exists, but not compare it.
#[derive(Clone, Copy, Debug)]
pub enum Converted {}

/// Appends the text of a field that is always present.
///
/// # Errors
///
/// The value is not valid in a key.
pub fn part(value: &impl KeyPart, pad: u8, text: &mut String) -> Result<bool, KeyError> {
    value.write(pad, text)?;
    Ok(true)
}

/// Appends the text of a field that may be absent, and returns whether it is present.
///
/// # Errors
///
/// The value is not valid in a key.
pub fn optional_part(
    value: &Option<impl KeyPart>,
    pad: u8,
    text: &mut String,
) -> Result<bool, KeyError> {
    match value {
        Some(value) => part(value, pad, text),
        None => Ok(false),
    }
}

/// Returns the text of a new typed id: a UUID (version 7), so that ids sort by their age.
pub fn generate_identifier() -> String {
    uuid::Uuid::now_v7().to_string()
}

/// Returns the type in which a key part is written as an attribute.
pub const fn wire_type(kind: PartKind) -> WireType {
    match kind.form {
        Form::Text | Form::Date | Form::Instant | Form::UnsortableTime | Form::Word => WireType::S,
        Form::Unsigned { .. } | Form::Signed => WireType::N,
    }
}
