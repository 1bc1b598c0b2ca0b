//! Conditions on whether a row is there, where a row that has expired is not, and neither is one of another
//! type under a key that entities share.

use monotable_design::meta::EntityMeta;
use monotable_expression::{Condition, attribute_exists, attribute_not_exists, path};
use monotable_types::{AttributeValue, Item};

use super::plan::{Failure, PlannedWrite};
use super::row;
use crate::context::Context;
use crate::error::Error;

/// What decides whether a row is there.
#[derive(Clone, Copy)]
pub(crate) struct Presence {
    partition_key: &'static str,
    /// The attribute and the name of the type, where rows of another type can be under the same key.
    row_type: Option<(&'static str, &'static str)>,
    ttl: Option<&'static str>,
    now_seconds: i64,
}

impl Presence {
    /// For the rows of an entity, and for those that exist because of it.
    pub(super) fn of(context: &Context, entity: &'static EntityMeta) -> Self {
        let row_type = context.shared_key_type(entity);
        // A row of another type may expire, though those of this one never do.
        let ttl = expiry_attribute(entity).or_else(|| row_type.and(context.table.ttl_attribute));
        Self {
            partition_key: context.table.partition_key,
            row_type,
            ttl,
            now_seconds: ttl.map_or(0, |_| context.now_seconds().as_seconds()),
        }
    }

    /// For rows with their expiry in this attribute.
    pub(crate) fn by(context: &Context, ttl: &'static str) -> Self {
        Self {
            partition_key: context.table.partition_key,
            row_type: None,
            ttl: Some(ttl),
            now_seconds: context.now_seconds().as_seconds(),
        }
    }

    /// There is no row, or it has expired.
    pub(crate) fn absent(self) -> Condition {
        let absent = attribute_not_exists(self.partition_key);
        match self.expired() {
            Some(expired) => absent.or(expired),
            None => absent,
        }
    }

    /// There is a row of the type, and it has not expired.
    pub(crate) fn present(self) -> Condition {
        let present = attribute_exists(self.partition_key);
        match self.not_other() {
            Some(not_other) => present.and(not_other),
            None => present,
        }
    }

    /// There is no row, or one of the type that has not expired; `None` where that is always so.
    pub(super) fn not_other(self) -> Option<Condition> {
        let not_expired = self.expired().map(|expired| !expired);
        self.own_type().into_iter().chain(not_expired).reduce(Condition::and)
    }

    /// There is no row, or one of the type; `None` where the key tells the type. As for reads, a row without
    /// a type is what its key says.
    pub(super) fn own_type(self) -> Option<Condition> {
        let (attribute, name) = self.row_type?;
        Some(attribute_not_exists(attribute).or(path(attribute).eq(name)))
    }

    /// The type of a row that was seen, if it is another one.
    fn other_type(self, row: Option<&Item>) -> Option<String> {
        let row = row.filter(|row| !self.own_type().is_none_or(|own| own.evaluate(row)))?;
        let found = row.get(self.row_type?.0).and_then(AttributeValue::as_s);
        Some(found.unwrap_or("unknown").to_owned())
    }

    /// There is no row, or one of the type, or one that has expired; `None` where that is always so.
    pub(super) fn replaceable(self) -> Option<Condition> {
        let own_type = self.own_type()?;
        Some(match self.expired() {
            Some(expired) => own_type.or(expired),
            None => own_type,
        })
    }

    /// Whether a row under such a key may have expired.
    pub(super) fn may_expire(self) -> bool {
        self.ttl.is_some()
    }

    fn expired(self) -> Option<Condition> {
        self.ttl.map(|ttl| expired(ttl, self.now_seconds))
    }

    /// Whether a row that was seen is there, and of the type.
    pub(super) fn holds(self, row: Option<&Item>) -> bool {
        row.is_some_and(|row| !self.is_expired(row)) && self.other_type(row).is_none()
    }

    /// Whether a row that was seen has expired.
    pub(crate) fn is_expired(self, row: &Item) -> bool {
        self.expired().is_some_and(|expired| expired.evaluate(row))
    }
}

/// There is a row that has expired. An expiry that is no number never comes.
pub(crate) fn expired(ttl: &'static str, now_seconds: i64) -> Condition {
    path(ttl).le(now_seconds)
}

/// The attribute in which rows of an entity hold their expiry.
pub(super) fn expiry_attribute(entity: &'static EntityMeta) -> Option<&'static str> {
    entity.ttl.and_then(|position| row::attribute_of(entity, position))
}

/// The failure of a row that had to be absent.
pub(super) fn exists(context: &Context, entity: &'static EntityMeta) -> Failure {
    not_replaced(context, entity, Box::new(|_| Error::Exists { entity: entity.name }))
}

/// The failure of a write that would replace a row of another type; `failure` is that of any other row.
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

/// The failure of a row that does not meet the caller's condition.
pub(super) fn unmet(entity: &'static EntityMeta) -> Failure {
    Box::new(|row| Error::ConditionFailed { entity: entity.name, row })
}

/// Makes a row that is gone a version conflict, where it was seen before and its absence is no reason to
/// fail: the operation is planned again.
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

/// The failure of a row that had to be there, unchanged, and such that `condition` holds.
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
