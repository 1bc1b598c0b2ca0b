//! What `#[derive(Entity)]` implements: an entity, its key, and sets of entities in one result.

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

/// A type of row. Derive it: `#[derive(Entity)]`.
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

    /// The primary key.
    fn key(&self) -> Self::Key;

    /// Returns the values of the field with `#[stamps]`, if there is one.
    fn stamps(&self) -> Option<StampValues> {
        None
    }

    /// Sets the field with `#[stamps]`, if there is one.
    fn set_stamps(&mut self, stamps: StampValues) {
        let _ = stamps;
    }

    /// The number of changes, 0 for a row that does not have one, for entities with a version.
    fn version(&self) -> Option<u64> {
        Self::META.version.and(self.stamps()).map(|stamps| stamps.version)
    }

    /// Sets the version, if there is one.
    fn set_version(&mut self, version: u64) {
        if let Some(stamps) = self.stamps() {
            self.set_stamps(StampValues { version, ..stamps });
        }
    }

    /// Sets the times of creation and of the last change, as far as the entity has them.
    fn stamp(&mut self, now: Timestamp, moment: Moment) {
        if let Some(stamps) = self.stamps() {
            self.set_stamps(stamps.at(now, moment));
        }
    }

    /// When the row expires, for entities with an expiry.
    fn expires_at(&self) -> Option<EpochSeconds> {
        self.stamps()?.expires
    }

    /// Returns the condition that the stored row is the one that this entity was read from: that it has
    /// the same version, or, of an entity without a version, the same value in every attribute.
    ///
    /// ```ignore
    /// tx.add(check(&team.key(), team.unchanged()));
    /// ```
    fn unchanged(&self) -> Condition<Self> {
        Condition::of(write::unchanged(self))
    }

    /// Tells the rows that `#[mirror]` writes beside this one.
    ///
    /// # Errors
    /// If a value can't stand in a key, or can't be encoded.
    fn mirrors(&self, sink: &mut MirrorSink<'_>) -> Result<()> {
        let _ = sink;
        Ok(())
    }
}

/// Why an entity is stamped with the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// It is created.
    Created,
    /// It is changed.
    Changed,
}

/// The fields of an entity's primary key.
pub trait EntityKey: Parts + Clone + Send + Sync + 'static {
    /// The entity.
    type Entity: Entity<Key = Self>;

    /// The key from the texts found in a row's key attributes.
    ///
    /// # Errors
    /// If a text is missing or is no value of its field.
    fn from_parts(parts: &ParsedParts) -> Result<Self, KeyError>;
}

/// Writes a key as its texts, which are what the table has: `["TEAM#red", "METADATA"]`.
///
/// # Errors
/// If a value can't stand in a key, or the format refuses.
pub fn serialize_key<K: EntityKey, S: Serializer>(
    key: &K,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    let entity = <K::Entity as Entity>::META;
    let (partition, sort) =
        key_texts(entity, &entity.key, key).map_err(serde::ser::Error::custom)?;
    serializer.collect_seq(std::iter::once(partition).chain(sort))
}

/// Reads what [`serialize_key`] wrote.
///
/// # Errors
/// If the texts are no key of the entity.
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
/// several get an enum of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no row of a table",
    note = "a pattern returns an entity, several as in `Rows<(Team, Player)>`, or a struct with `#[derive(Aggregate)]` as `Fold<…>`"
)]
pub trait RowSet: Sized + Send + 'static {
    /// The entities in it.
    const ENTITIES: &'static [&'static EntityMeta];

    /// Makes the value of a row that was recognised as `ENTITIES[position]`, whose key has these
    /// parts.
    ///
    /// # Errors
    /// If the row's attributes don't fit the entity.
    fn decode(position: usize, row: Row, key: &ParsedParts) -> Result<Self>;
}

/// A value folded from the rows of one query. Derive it: `#[derive(Aggregate)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not folded from rows",
    note = "`Fold<…>` takes a struct with `#[derive(Aggregate)]`; for rows as they are return `Rows<…>` or `All<…>`"
)]
pub trait Aggregate: Sized + Send + 'static {
    /// What the rows are.
    type Row: RowSet;

    /// The value of a query's rows, in their order; `None` when the rows do not make one, because
    /// there is none, or the one that must be there is missing.
    ///
    /// # Errors
    /// If there are more rows of an entity than the value has room for.
    fn fold(rows: Vec<Self::Row>) -> Result<Option<Self>>;
}

/// The other entity that `#[mirror(Other)]` writes beside an entity.
pub trait MirrorOf<E: Entity>: Entity {
    /// The row to keep beside `entity`; `None` for no row.
    fn mirror_of(entity: &E) -> Option<Self>;
}

/// Entities that [`put`](crate::Store::put) may overwrite: declared with `allow(W01, because = "…")`.
#[diagnostic::on_unimplemented(
    message = "[W01] `put` overwrites whatever is there, and `{Self}` does not say that this is meant",
    note = "use `create` for a new row and `edit` for a changed one, or declare `#[entity(allow(W01, because = \"…\"))]`"
)]
pub trait Replaceable: Entity {}

/// Entities that an [`update`](crate::Store::update) may create: declared with
/// `allow(W02, because = "…")`.
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

/// Conditions that [`create`](crate::Store::create) takes: none. A condition of a new row sees only
/// that row.
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
    /// The expiry, if there is one.
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
