//! Conditions on whether a row is present. An expired row is absent, and so is one of another type
//! under a key that entities share.

use monotable_design::meta::EntityMeta;
use monotable_expression::{Condition, attribute_exists, attribute_not_exists, path};
use monotable_types::{AttributeValue, Item};

use super::plan::{Failure, PlannedWrite};
use super::row;
use crate::context::Context;
use crate::error::Error;

/// The attributes that decide whether a row is present.
#[derive(Clone, Copy)]
pub(crate) struct Presence {
    partition_key: &'static str,
    /// The attribute and the name of the type, if rows of another type can have the same key.
    row_type: Option<(&'static str, &'static str)>,
    ttl: Option<&'static str>,
    now_seconds: i64,
}

impl Presence {
    /// Returns the presence of an entity's rows and of their derived rows.
    pub(super) fn of(context: &Context, entity: &'static EntityMeta) -> Self {
        let row_type = context.shared_key_type(entity);
        // A row of another type may expire even if those of this type never do.
        let ttl = expiry_attribute(entity).or(row_type.and(context.table.ttl_attribute));
        Self {
            partition_key: context.table.partition_key,
            row_type,
            ttl,
            now_seconds: ttl.map_or(0, |_| context.now_seconds().as_seconds()),
        }
    }

    /// Returns the presence of rows with their expiry in this attribute.
    pub(crate) fn by(context: &Context, ttl: &'static str) -> Self {
        Self {
            partition_key: context.table.partition_key,
            row_type: None,
            ttl: Some(ttl),
            now_seconds: context.now_seconds().as_seconds(),
        }
    }

    /// Tests that there is no row, or that it has expired.
    pub(crate) fn absent(self) -> Condition {
        let absent = attribute_not_exists(self.partition_key);
        match self.expired() {
            Some(expired) => absent.or(expired),
            None => absent,
        }
    }

    /// Tests that there is a row of the type, and that it has not expired.
    pub(crate) fn present(self) -> Condition {
        let present = attribute_exists(self.partition_key);
        match self.not_other() {
            Some(not_other) => present.and(not_other),
            None => present,
        }
    }

    /// Tests that there is no row, or one of the type that has not expired; `None` if that always
    /// holds.
    pub(super) fn not_other(self) -> Option<Condition> {
        let not_expired = self.expired().map(|expired| !expired);
        self.own_type().into_iter().chain(not_expired).reduce(Condition::and)
    }

    /// Tests that there is no row, or one of the type; `None` if the key determines the type. As in
    /// reads, a row without a type has the type of its key.
    pub(super) fn own_type(self) -> Option<Condition> {
        let (attribute, name) = self.row_type?;
        Some(attribute_not_exists(attribute).or(path(attribute).eq(name)))
    }

    /// Returns the type of a row that was read, if it is another one.
    fn other_type(self, row: Option<&Item>) -> Option<String> {
        let row = row.filter(|row| !self.own_type().is_none_or(|own| own.evaluate(row)))?;
        let found = row.get(self.row_type?.0).and_then(AttributeValue::as_s);
        Some(found.unwrap_or("unknown").to_owned())
    }

    /// Tests that there is no row, one of the type, or one that has expired; `None` if that always
    /// holds.
    pub(super) fn replaceable(self) -> Option<Condition> {
        let own_type = self.own_type()?;
        Some(match self.expired() {
            Some(expired) => own_type.or(expired),
            None => own_type,
        })
    }

    /// Returns whether a row under such a key may have expired.
    pub(super) fn may_expire(self) -> bool {
        self.ttl.is_some()
    }

    fn expired(self) -> Option<Condition> {
        self.ttl.map(|ttl| expired(ttl, self.now_seconds))
    }

    /// Returns whether a row that was read is present, and of the type.
    pub(super) fn holds(self, row: Option<&Item>) -> bool {
        row.is_some_and(|row| !self.is_expired(row)) && self.other_type(row).is_none()
    }

    /// Returns whether a row that was read has expired.
    pub(crate) fn is_expired(self, row: &Item) -> bool {
        self.expired().is_some_and(|expired| expired.evaluate(row))
    }
}

/// Tests that there is an expired row. An expiry that is not a number never passes.
pub(crate) fn expired(ttl: &'static str, now_seconds: i64) -> Condition {
    path(ttl).le(now_seconds)
}

/// Returns the attribute of expiry in the rows of an entity.
pub(super) fn expiry_attribute(entity: &'static EntityMeta) -> Option<&'static str> {
    entity.ttl.and_then(|position| row::attribute_of(entity, position))
}

/// Returns the failure of a write that requires an absent row.
pub(super) fn exists(context: &Context, entity: &'static EntityMeta) -> Failure {
    not_replaced(context, entity, Box::new(|_| Error::Exists { entity: entity.name }))
}

/// Returns the failure of a write that would replace a row of another type; `failure` is that of any other row.
pub(super) fn not_replaced(
    context: &Context,
    entity: &'static EntityMeta,
    failure: Failure,
) -> Failure {
    let presence = Presence::of(context, entity);
    if presence.row_type.is_none() {
        return failure;
    }
    Box::new(move |row| match presence.other_type(row.as_deref()) {
        Some(found) => Error::OtherType { entity: entity.name, found },
        None => failure(row),
    })
}

/// Returns the failure of a row that does not meet the caller's condition.
pub(super) fn unmet(entity: &'static EntityMeta) -> Failure {
    Box::new(|row| Error::ConditionFailed { entity: entity.name, row })
}

/// Makes the absence of a row that was read before a version conflict, if its absence is not an
/// error by itself, so that the operation is planned again.
pub(super) fn conflict_if_gone(entity: &'static EntityMeta, own: &mut PlannedWrite) {
    let unread: Failure = Box::new(|_| Error::NotFound { entity: entity.name });
    let failure = std::mem::replace(&mut own.failure, unread);
    own.failure = Box::new(move |row| match failure(row) {
        Error::NotFound { .. } => {
            Error::VersionConflict { entity: entity.name, key: String::new() }
        }
        error => error,
    });
}

/// Returns the failure of a write that requires a present, unchanged row for which `condition`
/// holds.
pub(super) fn changed(
    context: &Context,
    entity: &'static EntityMeta,
    condition: Option<Condition>,
) -> Failure {
    let presence = Presence::of(context, entity);
    let table = context.table;
    Box::new(move |row| {
        let is_there = presence.holds(row.as_deref());
        let holds =
            |condition: &Condition| row.as_deref().is_some_and(|row| condition.evaluate(row));
        match condition {
            _ if !is_there => Error::NotFound { entity: entity.name },
            Some(condition) if !holds(&condition) => {
                Error::ConditionFailed { entity: entity.name, row }
            }
            _ => {
                let key = row.map(|row| row::key_text(table, &row)).unwrap_or_default();
                Error::VersionConflict { entity: entity.name, key }
            }
        }
    })
}
