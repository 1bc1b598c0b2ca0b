//! Expired rows are absent, whether or not they were removed yet.
//!
//! Only rows of entities with `#[ttl]` expire, here as where rows are written: what others keep under
//! the same name is their own.

use monotable_design::meta::EntityMeta;
use monotable_types::{AttributeValue, Number};

use crate::backend::Row;
use crate::codec;
use crate::context::Context;

/// Whether expired rows are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Expired {
    #[default]
    Absent,
    Included,
}

/// Whether a row of an entity is there, as far as its expiry goes. An expiry that is no number never
/// comes, as on DynamoDB.
pub(crate) fn is_present(
    context: &Context,
    entity: &EntityMeta,
    row: &Row,
    expired: Expired,
) -> bool {
    let (Expired::Absent, Some(position)) = (expired, entity.ttl) else { return true };
    match codec::attribute_of(entity, position).and_then(|attribute| row.get(attribute)) {
        Some(AttributeValue::N(expiry)) => {
            expiry > Number::from(context.now_seconds().as_seconds())
        }
        _ => true,
    }
}
