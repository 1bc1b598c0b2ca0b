//! Where a rule keeps its row, and whether the row is there: one that has expired is not.

use std::sync::Arc;

use monotable_design::meta::TypeAttribute;
use monotable_expression::Condition;
use monotable_types::{AttributeValue, Item};

use super::key::RowKey;
use super::layout::Layout;
use crate::backend::request::{Action, Returns, Write};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::time::EpochSeconds;
use crate::write::{self, Failure, PlannedWrite, Presence};

/// The row of a rule.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// What the rule is called in messages, such as `guard`.
    pub(super) kind: &'static str,
    pub(super) key: RowKey,
    pub(super) layout: Layout,
}

impl Place {
    pub(super) fn new(kind: &'static str, key: RowKey) -> Self {
        Self { kind, key, layout: Layout::default() }
    }

    /// The rule and its key, for messages.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.kind, self.key)
    }

    /// The key attributes.
    pub(super) fn key_item(&self, context: &Context) -> Result<Item> {
        self.key.item(context, self.kind)
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
        let name = match self.layout.type_name {
            Some(name) => name.to_owned(),
            None => self.kind.to_uppercase(),
        };
        Some((attribute.to_owned(), name.into()))
    }

    /// The attribute of the expiry.
    pub(super) fn expiry(&self, context: &Context) -> &'static str {
        self.layout.expiry_in(context.table)
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

    /// A write of the row. A failed condition tells the row that it saw.
    pub(super) fn write(
        &self,
        context: &Context,
        action: Action,
        condition: Condition,
        failure: Failure,
    ) -> PlannedWrite {
        let write = Write {
            table: Arc::clone(&context.table_name),
            action,
            condition: Some(condition),
            return_on_failure: true,
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

/// Adds an expiry to a row.
pub(super) fn insert_expiry(row: &mut Item, attribute: &str, expiry: Option<EpochSeconds>) {
    if let Some(expiry) = expiry {
        row.insert(attribute.to_owned(), expiry.as_seconds().into());
    }
}
