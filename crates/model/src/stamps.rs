//! Stamps: attributes that the layer maintains in a row next to the fields of its entity, declared
//! once in `table!`.
//!
//! The codec writes and reads them by the attribute names of the declaration; serde does not see
//! them.

use monotable_design::meta::FieldMeta;
use monotable_design::stamp::{Stamp, position};

use crate::condition::Path;
use crate::entity::{Entity, Moment};
use crate::time::{EpochSeconds, Timestamp};

/// The values of all stamps. Those that a row lacks have their default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StampValues {
    /// The number of changes, 0 for a row without a version.
    pub version: u64,
    /// The time of creation.
    pub created: Timestamp,
    /// The time of the last change.
    pub updated: Timestamp,
    /// The expiry.
    pub expires: Option<EpochSeconds>,
}

impl StampValues {
    /// Returns the stamps after a creation or a change at this time.
    #[must_use]
    pub fn at(self, now: Timestamp, moment: Moment) -> Self {
        match moment {
            Moment::Created => Self { created: now, updated: now, ..self },
            Moment::Changed => Self { updated: now, ..self },
        }
    }
}

/// The type of a field with `#[stamps]`. `table!` declares it: `stamps Stamps(version = ver, created =
/// createdAt, updated = updatedAt);`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of stamps",
    note = "declare it in the `table!`: `stamps {Self}(version = ver, created = createdAt, updated = updatedAt);`"
)]
pub trait StampSet: Clone + Copy + Default + Send + Sync + 'static {
    /// The attributes, one for each stamp.
    const FIELDS: &'static [FieldMeta];

    /// Returns the values, with defaults for stamps that the type lacks.
    fn values(&self) -> StampValues;

    /// Sets the stamps that the type has.
    fn set_values(&mut self, values: StampValues);
}

/// Stamps with a version.
#[diagnostic::on_unimplemented(
    message = "the stamps `{Self}` have no version",
    note = "[W03] two edits at once would lose one of the changes; name the attribute in the `table!`: `stamps {Self}(version = ver, …);`"
)]
pub trait HasVersion: StampSet {}

/// Stamps with the time of creation.
#[diagnostic::on_unimplemented(
    message = "the stamps `{Self}` have no time of creation",
    note = "name the attribute in the `table!`: `stamps {Self}(created = createdAt, …);`"
)]
pub trait HasCreated: StampSet {}

/// Stamps with the time of the last change.
#[diagnostic::on_unimplemented(
    message = "the stamps `{Self}` have no time of the last change",
    note = "name the attribute in the `table!`: `stamps {Self}(updated = updatedAt, …);`"
)]
pub trait HasUpdated: StampSet {}

/// Stamps with an expiry.
#[diagnostic::on_unimplemented(
    message = "the stamps `{Self}` have no expiry",
    note = "name the attribute in the `table!`: `stamps {Self}(expires = ttl, …);`"
)]
pub trait HasExpires: StampSet {}

/// Returns the position of a stamp in an entity with this many fields of its own.
pub const fn stamp_position(stamps: &[FieldMeta], own: usize, stamp: Stamp) -> Option<u16> {
    match position(stamps, stamp) {
        Some(position) => Some(own as u16 + position),
        None => None,
    }
}

/// Returns the position of the time of creation, for a key template.
pub const fn created_position<S: HasCreated>(own: u16) -> u16 {
    present(S::FIELDS, own, Stamp::Created)
}

/// Returns the position of the time of the last change, for a key template.
pub const fn updated_position<S: HasUpdated>(own: u16) -> u16 {
    present(S::FIELDS, own, Stamp::Updated)
}

/// Returns the position of the expiry, for a key template and for an update.
pub const fn expires_position<S: HasExpires>(own: u16) -> u16 {
    present(S::FIELDS, own, Stamp::Expires)
}

/// Returns the position of a stamp that a trait guarantees.
const fn present(stamps: &[FieldMeta], own: u16, stamp: Stamp) -> u16 {
    match stamp_position(stamps, own as usize, stamp) {
        Some(position) => position,
        None => u16::MAX,
    }
}

/// Returns the path of a stamp of an entity, for conditions.
pub fn stamp_path<E: Entity, T>(stamp: Stamp) -> Path<E, T> {
    let position = position(E::META.fields, stamp).map(usize::from);
    let field = position.and_then(|position| E::META.fields.get(position));
    Path::new(field.map_or("", |field| field.attribute))
}
