//! Conditions on whether a row is there, where a row that has expired is not.

use monotable_design::meta::EntityMeta;
use monotable_expression::{Condition, attribute_exists, attribute_not_exists, path};
use monotable_types::Item;

use super::plan::{Failure, PlannedWrite};
use super::row;
use crate::context::Context;
use crate::error::Error;

/// What decides whether a row is there.
#[derive(Clone, Copy)]
pub(crate) struct Presence {
    partition_key: &'static str,
    ttl: Option<&'static str>,
    now_seconds: i64,
}

impl Presence {
    /// For the rows of an entity, and for those that exist because of it.
    pub(super) fn of(context: &Context, entity: &'static EntityMeta) -> Self {
        let ttl = expiry_attribute(entity);
        Self {
            partition_key: context.table.partition_key,
            ttl,
            now_seconds: ttl.map_or(0, |_| context.now_seconds().as_seconds()),
        }
    }

    /// For rows with their expiry in this attribute.
    pub(crate) fn by(context: &Context, ttl: &'static str) -> Self {
        Self {
            partition_key: context.table.partition_key,
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

    /// There is a row, and it has not expired.
    pub(crate) fn present(self) -> Condition {
        let present = attribute_exists(self.partition_key);
        match self.not_expired() {
            Some(not_expired) => present.and(not_expired),
            None => present,
        }
    }

    /// There is no row, or one that has not expired; `None` where rows don't expire.
    pub(super) fn not_expired(self) -> Option<Condition> {
        self.expired().map(|expired| !expired)
    }

    fn expired(self) -> Option<Condition> {
        self.ttl.map(|ttl| expired(ttl, self.now_seconds))
    }

    /// Whether a row that was seen is there.
    pub(super) fn holds(self, row: Option<&Item>) -> bool {
        row.is_some_and(|row| !self.is_expired(row))
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
pub(super) fn exists(entity: &'static str) -> Failure {
    Box::new(move |_| Error::Exists { entity })
}

/// The failure of a row that was seen and may be gone meanwhile, where that is no reason to fail: somebody
/// else was faster.
pub(super) fn outrun(entity: &'static EntityMeta, own: &mut PlannedWrite) {
    let failure = std::mem::replace(&mut own.failure, exists(entity.name));
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
