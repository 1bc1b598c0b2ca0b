//! Expired rows are absent, whether or not they were removed yet.

use monotable_types::{AttributeValue, Number};

use crate::backend::Row;
use crate::context::Context;

/// Whether expired rows are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Expired {
    #[default]
    Absent,
    Included,
}

/// Whether a row is there, as far as its expiry goes. An expiry that is no number never comes, as on
/// DynamoDB.
pub(crate) fn is_present(context: &Context, row: &Row, expired: Expired) -> bool {
    let (Expired::Absent, Some(attribute)) = (expired, context.table.ttl_attribute) else {
        return true;
    };
    match row.get(attribute) {
        Some(AttributeValue::N(expiry)) => {
            expiry > Number::from(context.now_seconds().as_seconds())
        }
        _ => true,
    }
}
