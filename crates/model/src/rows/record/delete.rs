//! Removing a record: whatever it is, or only what was seen.

use std::sync::Arc;

use monotable_expression::{Condition, path};
use monotable_types::{AttributeValue, Item};

use super::KIND;
use super::write::is_version;
use crate::backend::request::{Action, Returns, Write};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::rows::place::Place;
use crate::rows::run::Run;
use crate::write::{self, Operation, Plan, PlannedWrite};

/// Removes a record. Made by [`Record::delete`](super::Record::delete).
#[derive(Clone, Debug)]
pub struct DeleteRecord {
    place: Place,
    only: Option<Condition>,
}

impl DeleteRecord {
    pub(super) fn new(place: Place) -> Self {
        Self { place, only: None }
    }

    /// Removes only this version; `None` is the row of a program that wrote no versions. It is
    /// [`Error::VersionConflict`] if there is another, and [`Error::NotFound`] if there is none.
    #[must_use]
    pub fn version(self, seen: Option<u64>) -> Self {
        let is_seen = is_version(&self.place, seen);
        self.only(is_seen)
    }

    /// Removes only a row whose value is this one, such as the token of an owner. The errors are those of
    /// [`version`](Self::version).
    #[must_use]
    pub fn value(self, value: impl Into<AttributeValue>) -> Self {
        let is_seen = path(self.place.layout.value).eq(value.into());
        self.only(is_seen)
    }

    fn only(mut self, condition: Condition) -> Self {
        self.only = Some(match self.only {
            Some(only) => only.and(condition),
            None => condition,
        });
        self
    }

    fn planned(&self, context: &Context) -> Result<PlannedWrite> {
        let place = self.place.clone();
        let condition = self.only.clone().map(|only| self.place.present(context).and(only));
        let expired = self.place.expired(context);
        let write = Write {
            table: Arc::clone(&context.table_name),
            action: Action::Delete(self.place.key_item(context)?),
            return_on_failure: condition.is_some(),
            condition,
            returns: Returns::Nothing,
            tells_units: false,
        };
        let failure = move |row: Option<Box<Item>>| match row {
            Some(row) if !expired.evaluate(&*row) => place.changed(),
            _ => Error::NotFound { entity: KIND },
        };
        Ok(PlannedWrite::new(write, Box::new(failure)))
    }
}

impl Operation for DeleteRecord {
    fn label(&self) -> String {
        format!("delete {}", self.place.name())
    }

    fn plan(&self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        Ok(Plan::new(vec![self.planned(context)?]))
    }
}

impl Run for DeleteRecord {
    /// Whether there was a record.
    type Output = bool;

    async fn run(self, context: &Context) -> Result<bool> {
        let mut planned = self.planned(context)?;
        planned.write.returns = Returns::Old;
        let answer = write::single(context, vec![planned]).await?;
        let row = answer.into_item()?;
        Ok(row.is_some_and(|row| self.place.is_present(context, &row)))
    }
}
