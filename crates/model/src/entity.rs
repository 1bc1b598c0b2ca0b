//! The traits that `#[derive(Entity)]` implements: an entity, its key, and sets of entities in one
//! result.

use monotable_design::meta::EntityMeta;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::backend::Row;
use crate::condition::Condition;
use crate::context::key_texts;
use crate::error::Result;
use crate::key::{KeyError, ParsedParts, Parts};
use crate::read::parse_key;
use crate::stamps::StampValues;
use crate::time::{EpochSeconds, Timestamp};
use crate::write::{self, MirrorSink};

/// A type of row. Derive it with `#[derive(Entity)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an entity",
    note = "declare its key: `#[derive(Entity)] #[key(pk = \"TEAM#{{team_id}}\", sk = \"METADATA\")]`"
)]
pub trait Entity:
    Parts + RowSet + Clone + Send + Sync + Serialize + DeserializeOwned + 'static
{
    /// The declaration as data.
    const META: &'static EntityMeta;

    /// The fields of the primary key.
    type Key: EntityKey<Entity = Self>;

    /// Returns the primary key.
    fn key(&self) -> Self::Key;

    /// Returns the values of the field with `#[stamps]`, if there is one.
    fn stamps(&self) -> Option<StampValues> {
        None
    }

    /// Sets the field with `#[stamps]`, if there is one.
    fn set_stamps(&mut self, stamps: StampValues) {
        let _ = stamps;
    }

    /// Returns the version of an entity that has one: the number of changes, 0 for a row without a
    /// version.
    fn version(&self) -> Option<u64> {
        Self::META.version.and(self.stamps()).map(|stamps| stamps.version)
    }

    /// Sets the version, if the entity has one.
    fn set_version(&mut self, version: u64) {
        if let Some(stamps) = self.stamps() {
            self.set_stamps(StampValues { version, ..stamps });
        }
    }

    /// Sets the times of creation and of the last change, if the entity has them.
    fn stamp(&mut self, now: Timestamp, moment: Moment) {
        if let Some(stamps) = self.stamps() {
            self.set_stamps(stamps.at(now, moment));
        }
    }

    /// Returns the time of expiry, if the entity has one.
    fn expires_at(&self) -> Option<EpochSeconds> {
        self.stamps()?.expires
    }

    /// Returns the condition that the stored row has not changed since this entity was read: that
    /// it has the same version or, without a version, the same value in every attribute.
    ///
    /// ```ignore
    /// tx.add(check(&team.key(), team.unchanged()));
    /// ```
    fn unchanged(&self) -> Condition<Self> {
        Condition::of(write::unchanged(self))
    }

    /// Adds the rows that `#[mirror]` writes together with this one to `sink`.
    ///
    /// # Errors
    ///
    /// A value is not valid in a key, or cannot be encoded.
    fn mirrors(&self, sink: &mut MirrorSink<'_>) -> Result<()> {
        let _ = sink;
        Ok(())
    }
}

/// The reason for setting the times of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The entity is created.
    Created,
    /// The entity is changed.
    Changed,
}

/// The fields of an entity's primary key.
pub trait EntityKey: Parts + Clone + Send + Sync + 'static {
    /// The entity.
    type Entity: Entity<Key = Self>;

    /// Returns the key from the texts found in a row's key attributes.
    ///
    /// # Errors
    ///
    /// A text is missing or is not a valid value of its field.
    fn from_parts(parts: &ParsedParts) -> Result<Self, KeyError>;
}

/// Serializes a key as its texts in the table: `["TEAM#red", "METADATA"]`.
///
/// # Errors
///
/// A value is not valid in a key, or the serializer fails.
pub fn serialize_key<K: EntityKey, S: Serializer>(
    key: &K,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    let entity = <K::Entity as Entity>::META;
    let (partition, sort) =
        key_texts(entity, &entity.key, key).map_err(serde::ser::Error::custom)?;
    serializer.collect_seq(std::iter::once(partition).chain(sort))
}

/// Reads a key that [`serialize_key`] wrote.
///
/// # Errors
///
/// The texts are not a key of the entity.
pub fn deserialize_key<'de, K: EntityKey, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<K, D::Error> {
    let entity = <K::Entity as Entity>::META;
    let texts = Vec::<String>::deserialize(deserializer)?;
    let parts = match &texts[..] {
        [partition] => parse_key(&entity.key, partition, None),
        [partition, sort] => parse_key(&entity.key, partition, Some(sort)),
        _ => None,
    };
    parts
        .ok_or(KeyError::Unparsable)
        .and_then(|parts| K::from_parts(&parts))
        .map_err(|error| serde::de::Error::custom(format_args!("{}: {error}", entity.name)))
}

/// One entity, or several in one result: an entity is a set of itself, and patterns that return
/// several entities get an enum of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a row of a table",
    note = "a pattern returns an entity, several as in `Rows<(Team, Player)>`, or a struct with `#[derive(Aggregate)]` as `Fold<…>`"
)]
pub trait RowSet: Sized + Send + 'static {
    /// The entities in the set.
    const ENTITIES: &'static [&'static EntityMeta];

    /// Decodes a row that was recognised as `ENTITIES[position]`, whose key has these parts.
    ///
    /// # Errors
    ///
    /// The attributes of the row do not fit the entity.
    fn decode(position: usize, row: Row, key: &ParsedParts) -> Result<Self>;
}

/// A value folded from the rows of one query. Derive it with `#[derive(Aggregate)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not folded from rows",
    note = "`Fold<…>` takes a struct with `#[derive(Aggregate)]`; for rows as they are return `Rows<…>` or `All<…>`"
)]
pub trait Aggregate: Sized + Send + 'static {
    /// The type of the rows.
    type Row: RowSet;

    /// Folds the rows of a query, in their order, into the value; returns `None` if there are no
    /// rows or a required one is missing.
    ///
    /// # Errors
    ///
    /// There are more rows of an entity than the value can contain.
    fn fold(rows: Vec<Self::Row>) -> Result<Option<Self>>;
}

/// The other entity that `#[mirror(Other)]` writes together with an entity.
pub trait MirrorOf<E: Entity>: Entity {
    /// Returns the mirror row of `entity`, or `None` for no row.
    fn mirror_of(entity: &E) -> Option<Self>;
}

/// Entities that [`put`](crate::Store::put) may overwrite: declared with `allow(W01, because = "…")`.
#[diagnostic::on_unimplemented(
    message = "[W01] `put` replaces any existing row, and `{Self}` does not declare that this is intended",
    note = "use `create` for a new row and `edit` for a changed one, or declare `#[entity(allow(W01, because = \"…\"))]`"
)]
pub trait Replaceable: Entity {}

/// Entities that an [`update`](crate::Store::update) may create: declared with `allow(W02, because
/// = "…")`.
#[diagnostic::on_unimplemented(
    message = "[W02] an update of `{Self}` that creates a missing row leaves a phantom with only some fields",
    note = "leave `or_create` out, or declare `#[entity(allow(W02, because = \"…\"))]`"
)]
pub trait Upsertable: Entity {}

/// Entities that [`edit`](crate::Store::edit) may change: those with a version, or declared with
/// `allow(W03, because = "…")`.
#[diagnostic::on_unimplemented(
    message = "[W03] `{Self}` has no version, so that two edits at once would lose one of the changes",
    note = "add a field `#[stamps] #[serde(skip)] stamps: Stamps` and `stamps Stamps(version = ver);` to the `table!`, or declare `#[entity(allow(W03, because = \"…\"))]`"
)]
pub trait Editable: Entity {}

/// Conditions that [`create`](crate::Store::create) accepts: none. A condition on a new row only
/// sees that row.
#[diagnostic::on_unimplemented(
    message = "[U01] a condition on `create` sees only the row with the same key, so it can't keep a value unique",
    note = "declare `#[unique(field)]` on the entity"
)]
pub trait OnCreate {}

/// Types of a `#[ttl]` field.
#[diagnostic::on_unimplemented(
    message = "[L01] `{Self}` can't hold an expiry: DynamoDB reads epoch seconds as a number and ignores everything else",
    note = "make the field an `EpochSeconds` or `Option<EpochSeconds>`"
)]
pub trait Expiry {
    /// Returns the expiry, if there is one.
    fn expiry(&self) -> Option<EpochSeconds>;
}

impl Expiry for EpochSeconds {
    fn expiry(&self) -> Option<EpochSeconds> {
        Some(*self)
    }
}

impl Expiry for Option<EpochSeconds> {
    fn expiry(&self) -> Option<EpochSeconds> {
        *self
    }
}
