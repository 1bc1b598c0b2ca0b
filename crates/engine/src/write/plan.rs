//! Planning a write: reads the item, evaluates the condition, and computes the item after it.

use std::sync::Arc;

use bytes::Bytes;
use monotable_expression::{Condition, Update, UpdateError};
use monotable_types::{Item, item_size_bytes, limits};

use super::change::{After, Change, ChangeRequest};
use super::cost::{Isolation, WriteCost};
use crate::commit::Stage;
use crate::error::{Error, Result};
use crate::op::request::ReturnOnConditionFailure;
use crate::op::streams::StreamOrigin;
use crate::stored::StoredItem;
use crate::table::Table;
use crate::validate;

/// One write or check of one item, as every writing operation makes it.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    /// The table that the request found; the committer looks it up again.
    pub(crate) table: Arc<Table>,
    pub(crate) row_key: Vec<u8>,
    pub(crate) condition: Option<Condition>,
    pub(crate) return_on_condition_failure: ReturnOnConditionFailure,
    pub(crate) effect: Effect,
}

/// What happens to the item.
#[derive(Clone, Debug)]
pub(crate) enum Effect {
    /// This item, and its stored form.
    Put { item: Item, stored: StoredItem },
    /// The changed item. A missing one is created from its key, unless the update only removes.
    Update {
        key: Item,
        update: Update,
        /// Whether errors have the messages for `AttributeUpdates`.
        is_legacy: bool,
    },
    /// Removes the item.
    Delete,
    /// Keeps the item.
    Check,
}

/// A write whose condition is true and whose rows are known, but not staged.
pub(crate) struct Planned {
    pub(crate) table: Arc<Table>,
    pub(crate) row_key: Bytes,
    pub(crate) before: Option<StoredItem>,
    pub(crate) after: Option<StoredItem>,
    pub(crate) cost: WriteCost,
    change: Change,
}

impl Planned {
    /// Stages the rows, which can't fail.
    pub(crate) fn stage(self, stage: &mut Stage<'_>) {
        self.change.stage(&self.table, stage);
    }
}

impl Write {
    /// Plans the write against the current state of the batch.
    pub(crate) fn plan(self, stage: &Stage<'_>, isolation: Isolation) -> Result<Planned> {
        let table =
            stage.catalog().by_id(self.table.id).cloned().ok_or_else(Error::table_not_found)?;
        let before = stage.get(&self.row_key)?.map(StoredItem::new).transpose()?;
        let charge =
            |cost: &WriteCost| stage.shared.faults.charge_write(cost, isolation, stage.now_ms);
        if let Err(failure) = self.check_condition(&table, before.as_ref()) {
            charge(&WriteCost::check(&self.row_key, before.as_ref()))?;
            return Err(failure);
        }
        let row_key = Bytes::from(self.row_key);
        let mut keys_may_change = true;
        let (after, item) = match self.effect {
            Effect::Check => {
                let cost = WriteCost::check(&row_key, before.as_ref());
                charge(&cost)?;
                let change = Change::default();
                return Ok(Planned { table, row_key, after: before.clone(), before, cost, change });
            }
            Effect::Delete => (None, None),
            Effect::Put { item, stored } => {
                if !Arc::ptr_eq(&self.table, &table) {
                    // An index that was added since the request was checked is checked too.
                    validate::index_keys(&table, &item)?;
                }
                (Some(stored), Some(item))
            }
            Effect::Update { update, .. } if before.is_none() && update.only_removes() => {
                (None, None)
            }
            Effect::Update { key, update, is_legacy } => {
                keys_may_change = update.paths().any(|path| table.is_indexed(&path.root));
                let worded = |error: UpdateError| match is_legacy {
                    true => error.into_legacy(),
                    false => error,
                };
                (Some(updated_item(&table, before.as_ref(), key, &update, worded)?), None)
            }
        };
        let request = ChangeRequest {
            row_key: row_key.clone(),
            before: before.as_ref(),
            after: after.as_ref().map(|stored| After { stored, item: item.as_ref() }),
            origin: StreamOrigin::Request,
            keys_may_change,
        };
        let (change, cost) = Change::plan(stage, &table, request)?;
        charge(&cost)?;
        Ok(Planned { table, row_key, before, after, cost, change })
    }

    fn check_condition(&self, table: &Table, before: Option<&StoredItem>) -> Result<()> {
        let Some(condition) = &self.condition else {
            return Ok(());
        };
        if condition.evaluate(&before) {
            return Ok(());
        }
        table.usage.add_condition_failure();
        let item = match (self.return_on_condition_failure, before) {
            (ReturnOnConditionFailure::AllOld, Some(before)) => Some(Box::new(before.decode()?)),
            _ => None,
        };
        Err(Error::ConditionalCheckFailed { item })
    }
}

/// Returns the item after an update. Only the attributes that the update reads or writes are
/// decoded; the others are copied in their stored form.
fn updated_item(
    table: &Table,
    before: Option<&StoredItem>,
    key: Item,
    update: &Update,
    worded: impl FnOnce(UpdateError) -> UpdateError,
) -> Result<StoredItem> {
    let touched = TouchedAttributes::new(table, update);
    let (mut part, rest_bytes) = match before {
        Some(before) => {
            let part = before.encoded()?.decode_where(|name| touched.contains(name))?;
            let rest_bytes = before.size_bytes() - item_size_bytes(&part);
            (part, rest_bytes)
        }
        None => (key, 0),
    };
    update.apply(&mut part).map_err(|error| Error::validation(worded(error).to_string()))?;
    validate::updated_index_keys(table, &part, update)?;
    let is_too_deep =
        |name: &str| part.get(name).is_some_and(|value| value.depth() > limits::NESTING_DEPTH_MAX);
    if update.paths().any(|path| is_too_deep(&path.root)) {
        return Err(Error::validation("Nesting Levels have exceeded supported limits"));
    }
    let size_bytes = rest_bytes + item_size_bytes(&part);
    validate::updated_size(size_bytes)?;
    Ok(match before {
        Some(before) => before.splice(|name| touched.contains(name), &part, size_bytes)?,
        None => StoredItem::encode(&part, size_bytes),
    })
}

/// The attributes that an update needs to see: those in its expression, and the whole key of every
/// index of which it changes a part.
struct TouchedAttributes<'a>(Vec<&'a str>);

impl<'a> TouchedAttributes<'a> {
    fn new(table: &'a Table, update: &'a Update) -> Self {
        let mut names = Vec::with_capacity(4);
        update.for_each_path(&mut |path| names.push(path.root.as_str()));
        for index in &table.indexes {
            if index.keys.attributes().any(|key| names.contains(&key.name.as_str())) {
                names.extend(index.keys.attributes().map(|key| key.name.as_str()));
            }
        }
        Self(names)
    }

    fn contains(&self, name: &str) -> bool {
        self.0.contains(&name)
    }
}
