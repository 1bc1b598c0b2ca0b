//! Removes a record, unconditionally or in a known state.

use monotable_expression::{Condition, path};
use monotable_types::{AttributeValue, Item};

use super::KIND;
use super::write::is_version;
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::rows::key::RuleKey;
use crate::rows::operation::{InTransaction, RuleOperation};
use crate::rows::row::RuleRow;
use crate::rows::run::RunRule;
use crate::write::{self, Label, Plan, Planned, PlannedWrite};

/// Removes a record. Made by [`Record::delete`](super::Record::delete).
#[derive(Clone, Debug)]
pub struct DeleteRecord {
    rule: RuleRow,
    only: Option<Condition>,
}

impl DeleteRecord {
    pub(super) fn new(rule: RuleRow) -> Self {
        Self { rule, only: None }
    }
}

impl<K: RuleKey> RuleOperation<K, DeleteRecord> {
    /// Removes only this version; `None` stands for a row without a version. It fails with
    /// [`Error::VersionConflict`] for another version, and with [`Error::NotFound`] if there is no
    /// record.
    pub fn version(self, seen: Option<u64>) -> Self {
        let is_seen = is_version(&self.operation.rule, seen);
        self.map(|delete| delete.only(is_seen))
    }

    /// Removes only a row with this value, such as the token of an owner. The errors are those of
    /// [`version`](Self::version).
    pub fn value(self, value: impl Into<AttributeValue>) -> Self {
        let is_seen = path(self.operation.rule.attributes.value).eq(value.into());
        self.map(|delete| delete.only(is_seen))
    }
}

impl DeleteRecord {
    fn only(mut self, condition: Condition) -> Self {
        self.only = Some(match self.only {
            Some(only) => only.and(condition),
            None => condition,
        });
        self
    }

    fn planned(&self, context: &Context) -> Result<PlannedWrite> {
        let rule = self.rule.clone();
        let condition = self.only.clone().map(|only| self.rule.present(context).and(only));
        let expired = self.rule.expired(context);
        let action = Action::Delete(self.rule.key_item(context)?);
        let failure = move |row: Option<Box<Item>>| match row {
            Some(row) if !expired.evaluate(&*row) => rule.changed(),
            _ => Error::NotFound { entity: KIND },
        };
        Ok(self.rule.write(context, action, condition, Box::new(failure)))
    }
}

impl InTransaction for DeleteRecord {
    type Output = ();
}

impl Planned for DeleteRecord {
    fn label(&self) -> Label {
        Label::new("delete", self.rule.kind)
    }

    fn plan(&mut self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        Ok(Plan::new(vec![self.planned(context)?]))
    }
}

impl RunRule for DeleteRecord {
    /// Whether there was a record.
    type Output = bool;

    async fn run(self, context: &Context) -> Result<bool> {
        let mut planned = self.planned(context)?;
        planned.write.returns = Returns::Old;
        let response = write::single(context, vec![planned]).await?;
        let row = response.into_item()?;
        Ok(row.is_some_and(|row| self.rule.is_present(context, &row)))
    }
}
