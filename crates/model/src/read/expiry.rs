//! Treats expired rows as absent, whether or not they have been removed.
//!
//! Only rows of entities with `#[ttl]` expire, in reads as in writes: other entities may use an
//! attribute of the same name.

use monotable_design::meta::EntityMeta;
use monotable_types::{AttributeValue, Number};

use crate::backend::Row;
use crate::codec;
use crate::context::Context;

/// Whether expired rows are returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Expired {
    #[default]
    Absent,
    Included,
}

/// Returns whether a row of an entity has not expired. As on DynamoDB, an expiry that is not a
/// number never passes.
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
