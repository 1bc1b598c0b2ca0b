//! Where a rule keeps its row, and whether the row is there: one that has expired is not.

use std::sync::Arc;

use monotable_design::meta::{
    KeyMeta, RuleAttributes, RuleKind, RuleMeta, TableMeta, TypeAttribute,
};
use monotable_expression::Condition;
use monotable_types::{AttributeValue, Item};

use super::key::{RowKey, RuleKey};
use crate::backend::request::{Action, Returns, Write};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::key::{KeyError, Parts};
use crate::time::EpochSeconds;
use crate::write::{self, Failure, PlannedWrite, Presence};

/// The attribute of the expiry in a table that declares none.
const EXPIRY: &str = "ttl";

/// The row of a rule.
#[derive(Clone, Debug)]
pub(super) struct RuleRow {
    /// What the rule is called in messages, such as `guard`.
    pub(super) kind: &'static str,
    pub(super) key: RowKey,
    pub(super) attributes: &'static RuleAttributes,
    /// Why there is no such key: a value can't stand in it.
    invalid: Option<KeyError>,
}

impl RuleRow {
    /// The row of a key.
    pub(super) fn of<K: RuleKey>(kind: RuleKind, key: &K) -> Self {
        Self::rendered(kind.word(), K::META, &K::META.row.key, key)
    }

    /// The row under the key that templates and values make. An error is reported when the row is read or
    /// written.
    pub(super) fn rendered(
        kind: &'static str,
        rule: &'static RuleMeta,
        key: &KeyMeta,
        parts: &dyn Parts,
    ) -> Self {
        let attributes = &rule.attributes;
        match RowKey::render(rule, key, parts) {
            Ok(key) => Self { kind, key, attributes, invalid: None },
            Err(error) => {
                Self { kind, key: RowKey::templates(key), attributes, invalid: Some(error) }
            }
        }
    }

    /// The row under a key that was read.
    pub(super) fn at(kind: &'static str, rule: &'static RuleMeta, key: RowKey) -> Self {
        Self { kind, key, attributes: &rule.attributes, invalid: None }
    }

    /// The rule and its key, for messages.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.kind, self.key)
    }

    /// The key attributes.
    pub(super) fn key_item(&self, context: &Context) -> Result<Item> {
        match &self.invalid {
            Some(error) => Err(Error::Key { entity: self.kind, error: error.clone() }),
            None => Ok(context.key_item(self.key.partition.clone(), self.key.sort.clone())),
        }
    }

    /// The key attributes and the type, which are in every row.
    pub(super) fn row(&self, context: &Context) -> Result<Item> {
        let mut row = self.key_item(context)?;
        row.extend(self.type_attribute(context));
        Ok(row)
    }

    /// The attribute that tells the type of a row, if the table has one.
    pub(super) fn type_attribute(&self, context: &Context) -> Option<(String, AttributeValue)> {
        let TypeAttribute::Named(attribute) = context.table.type_attribute else { return None };
        let name = match self.attributes.type_name {
            Some(name) => name.to_owned(),
            None => self.kind.to_uppercase(),
        };
        Some((attribute.to_owned(), name.into()))
    }

    /// The attribute of the expiry.
    pub(super) fn expiry(&self, context: &Context) -> &'static str {
        expiry_in(context.table, self.attributes)
    }

    /// There is no row, or it has expired.
    pub(super) fn absent(&self, context: &Context) -> Condition {
        self.presence(context).absent()
    }

    /// There is a row, and it has not expired.
    pub(super) fn present(&self, context: &Context) -> Condition {
        self.presence(context).present()
    }

    /// There is a row that has expired.
    pub(super) fn expired(&self, context: &Context) -> Condition {
        write::expired(self.expiry(context), context.now_seconds().as_seconds())
    }

    /// Whether a row that was seen has not expired.
    pub(super) fn is_present(&self, context: &Context, row: &Item) -> bool {
        !self.presence(context).is_expired(row)
    }

    fn presence(&self, context: &Context) -> Presence {
        Presence::by(context, self.expiry(context))
    }

    /// The row as it is now, if it is there.
    pub(super) async fn read(&self, context: &Context) -> Result<Option<Item>> {
        let row = write::read(context, self.key_item(context)?).await?;
        Ok(row.filter(|row| self.is_present(context, row)))
    }

    /// A write of the row. A failed condition returns the row that it saw.
    pub(super) fn write(
        &self,
        context: &Context,
        action: Action,
        condition: impl Into<Option<Condition>>,
        failure: Failure,
    ) -> PlannedWrite {
        let condition = condition.into();
        let write = Write {
            table: Arc::clone(&context.table_name),
            action,
            return_on_failure: condition.is_some(),
            condition,
            returns: Returns::Nothing,
            tells_units: false,
        };
        PlannedWrite::new(write, failure)
    }

    /// The whole number in an attribute.
    pub(super) fn number(&self, row: &Item, attribute: &str) -> Result<i64> {
        let number = row.get(attribute).and_then(|value| value.as_n());
        number.and_then(|number| number.to_i64()).ok_or_else(|| {
            self.unfit(format!("`{attribute}` of `{}` is no whole number", self.key))
        })
    }

    /// The whole number in an attribute that is never negative.
    pub(super) fn count(&self, row: &Item, attribute: &str) -> Result<u64> {
        let number = row.get(attribute).and_then(|value| value.as_n());
        number
            .and_then(|number| number.to_u64())
            .ok_or_else(|| self.unfit(format!("`{attribute}` of `{}` is no count", self.key)))
    }

    /// The text in an attribute.
    pub(super) fn text(&self, row: &Item, attribute: &str) -> Result<String> {
        match row.get(attribute).and_then(AttributeValue::as_s) {
            Some(text) => Ok(text.to_owned()),
            None => Err(self.unfit(format!("`{attribute}` of `{}` is no text", self.key))),
        }
    }

    /// The error of a row that somebody else has written.
    pub(super) fn unfit(&self, message: String) -> Error {
        Error::Decode { entity: self.kind, message }
    }

    /// The error of a row that was changed since it was seen.
    pub(super) fn changed(&self) -> Error {
        Error::VersionConflict { entity: self.kind, key: self.key.to_string() }
    }
}

/// The attribute in which the rows of a rule have their expiry.
pub(super) fn expiry_in(table: &TableMeta, attributes: &RuleAttributes) -> &'static str {
    attributes.expiry.or(table.ttl_attribute).unwrap_or(EXPIRY)
}

/// Adds an expiry to a row.
pub(super) fn insert_expiry(row: &mut Item, attribute: &str, expiry: Option<EpochSeconds>) {
    if let Some(expiry) = expiry {
        row.insert(attribute.to_owned(), expiry.as_seconds().into());
    }
}
