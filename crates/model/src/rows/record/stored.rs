//! A record as it is stored.

use monotable_types::{AttributeValue, Item};
use serde::de::DeserializeOwned;

use super::RecordRow;
use crate::codec::{COMPRESSED, CONTENT_TYPE, META};
use crate::context::Context;
use crate::error::Result;
use crate::rows::row::RuleRow;
use crate::rows::value;
use crate::time::EpochSeconds;

/// A value with the other information in its row.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored<T> {
    /// The value.
    pub value: T,
    /// The version; `None` in a row without one.
    pub version: Option<u64>,
    /// The time of expiry.
    pub expires: Option<EpochSeconds>,
    /// The content type, if the row has one.
    pub content_type: Option<String>,
    /// The remaining entries of the row's `meta`, without the mark of compression.
    pub meta: Item,
}

impl<T: DeserializeOwned> RecordRow<T> {
    /// Decodes the row of a record.
    pub(super) fn decode(&self, context: &Context, mut row: Item) -> Result<Stored<T>> {
        let rule = &self.rule;
        let expires = row.get(rule.expiry(context)).and_then(|value| value.as_n()?.to_i64());
        let content_type = row.get(CONTENT_TYPE).and_then(AttributeValue::as_s);
        Ok(Stored {
            version: version(rule, &row)?,
            expires: expires.map(EpochSeconds::new),
            content_type: content_type.map(str::to_owned),
            meta: meta(&row),
            value: match self.former_value(&mut row) {
                Some(value) => value::of_attribute(rule, value)?,
                None => value::decode(context.table, rule, row)?,
            },
        })
    }

    /// Returns the value from the attribute that older programs used, if the row is one of theirs.
    fn former_value(&self, row: &mut Item) -> Option<AttributeValue> {
        let former = self
            .rule
            .attributes
            .former_value
            .filter(|_| !row.contains_key(self.rule.attributes.value))?;
        row.remove(former)
    }
}

/// Returns the version in a row, if it has one.
pub(super) fn version(rule: &RuleRow, row: &Item) -> Result<Option<u64>> {
    let attribute = rule.attributes.version;
    row.contains_key(attribute).then(|| rule.count(row, attribute)).transpose()
}

/// Returns the `meta` of a row without the mark of compression.
pub(super) fn meta(row: &Item) -> Item {
    let mut meta = row.get(META).and_then(AttributeValue::as_m).cloned().unwrap_or_default();
    meta.remove(COMPRESSED);
    meta
}
