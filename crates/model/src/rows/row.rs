//! The location of a rule's row, and whether the row is present: an expired row is absent.

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

/// The attribute of expiry in a table that declares none.
const EXPIRY: &str = "ttl";

/// The row of a rule.
#[derive(Clone, Debug)]
pub(super) struct RuleRow {
    /// The name of the rule in messages, such as `guard`.
    pub(super) kind: &'static str,
    pub(super) key: RowKey,
    pub(super) attributes: &'static RuleAttributes,
    /// The reason why the key is invalid: a value is not valid in a key.
    invalid: Option<KeyError>,
}

impl RuleRow {
    /// Returns the row of a key.
    pub(super) fn of<K: RuleKey>(kind: RuleKind, key: &K) -> Self {
        Self::rendered(kind.word(), K::META, &K::META.row.key, key)
    }

    /// Returns the row under the key rendered from templates and values. An error is reported when
    /// the row is read or written.
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

    /// Returns the row under a key that was read.
    pub(super) fn at(kind: &'static str, rule: &'static RuleMeta, key: RowKey) -> Self {
        Self { kind, key, attributes: &rule.attributes, invalid: None }
    }

    /// Returns the rule and its key, for messages.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.kind, self.key)
    }

    /// Returns the key attributes.
    pub(super) fn key_item(&self, context: &Context) -> Result<Item> {
        match &self.invalid {
            Some(error) => Err(Error::Key { entity: self.kind, error: error.clone() }),
            None => Ok(context.key_item(self.key.partition.clone(), self.key.sort.clone())),
        }
    }

    /// Returns the key attributes and the type attribute, which are in every row.
    pub(super) fn row(&self, context: &Context) -> Result<Item> {
        let mut row = self.key_item(context)?;
        row.extend(self.type_attribute(context));
        Ok(row)
    }

    /// Returns the type attribute and its value, if the table has one.
    pub(super) fn type_attribute(&self, context: &Context) -> Option<(String, AttributeValue)> {
        let TypeAttribute::Named(attribute) = context.table.type_attribute else { return None };
        let name = match self.attributes.type_name {
            Some(name) => name.to_owned(),
            None => self.kind.to_uppercase(),
        };
        Some((attribute.to_owned(), name.into()))
    }

    /// Returns the attribute of the expiry.
    pub(super) fn expiry(&self, context: &Context) -> &'static str {
        expiry_in(context.table, self.attributes)
    }

    /// Tests that there is no row, or that it has expired.
    pub(super) fn absent(&self, context: &Context) -> Condition {
        self.presence(context).absent()
    }

    /// Tests that there is a row and that it has not expired.
    pub(super) fn present(&self, context: &Context) -> Condition {
        self.presence(context).present()
    }

    /// Tests that there is a row and that it has expired.
    pub(super) fn expired(&self, context: &Context) -> Condition {
        write::expired(self.expiry(context), context.now_seconds().as_seconds())
    }

    /// Returns whether a row that was read has not expired.
    pub(super) fn is_present(&self, context: &Context, row: &Item) -> bool {
        !self.presence(context).is_expired(row)
    }

    fn presence(&self, context: &Context) -> Presence {
        Presence::by(context, self.expiry(context))
    }

    /// Reads the row; returns `None` if it is absent.
    pub(super) async fn read(&self, context: &Context) -> Result<Option<Item>> {
        let row = write::read(context, self.key_item(context)?).await?;
        Ok(row.filter(|row| self.is_present(context, row)))
    }

    /// Returns a write of the row. A failed condition returns the row that it was evaluated on.
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
            returns_units: false,
        };
        PlannedWrite::new(write, failure)
    }

    /// Returns the integer in an attribute.
    pub(super) fn number(&self, row: &Item, attribute: &str) -> Result<i64> {
        let number = row.get(attribute).and_then(|value| value.as_n());
        number
            .and_then(|number| number.to_i64())
            .ok_or_else(|| self.unfit(format!("`{attribute}` of `{}` is not an integer", self.key)))
    }

    /// Returns the integer in an attribute that is never negative.
    pub(super) fn count(&self, row: &Item, attribute: &str) -> Result<u64> {
        let number = row.get(attribute).and_then(|value| value.as_n());
        number
            .and_then(|number| number.to_u64())
            .ok_or_else(|| self.unfit(format!("`{attribute}` of `{}` is not a count", self.key)))
    }

    /// Returns the text in an attribute.
    pub(super) fn text(&self, row: &Item, attribute: &str) -> Result<String> {
        match row.get(attribute).and_then(AttributeValue::as_s) {
            Some(text) => Ok(text.to_owned()),
            None => Err(self.unfit(format!("`{attribute}` of `{}` is not a text", self.key))),
        }
    }

    /// Returns the error of a row that another program has written.
    pub(super) fn unfit(&self, message: String) -> Error {
        Error::Decode { entity: self.kind, message }
    }

    /// Returns the error of a row that was changed since it was read.
    pub(super) fn changed(&self) -> Error {
        Error::VersionConflict { entity: self.kind, key: self.key.to_string() }
    }
}

/// Returns the attribute in which the rows of a rule store their expiry.
pub(super) fn expiry_in(table: &TableMeta, attributes: &RuleAttributes) -> &'static str {
    attributes.expiry.or(table.ttl_attribute).unwrap_or(EXPIRY)
}

/// Adds an expiry to a row.
pub(super) fn insert_expiry(row: &mut Item, attribute: &str, expiry: Option<EpochSeconds>) {
    if let Some(expiry) = expiry {
        row.insert(attribute.to_owned(), expiry.as_seconds().into());
    }
}
