//! What a write would do: read the item, evaluate the condition, compute the item after it.

use std::sync::Arc;

use monotable_expression::{Condition, Update};
use monotable_types::{Item, limits};

use super::change::{Change, Image};
use super::cost::WriteCost;
use crate::commit::Stage;
use crate::error::{Error, Result};
use crate::layout;
use crate::op::request::ReturnOnConditionFailure;
use crate::op::streams::StreamOrigin;
use crate::stored::StoredItem;
use crate::table::Table;
use crate::validate;

/// One write or check of one item, as every writing operation makes it.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    /// The table as the request found it; the committer looks it up again.
    pub(crate) table: Arc<Table>,
    pub(crate) row_key: Vec<u8>,
    pub(crate) condition: Option<Condition>,
    pub(crate) return_on_condition_failure: ReturnOnConditionFailure,
    pub(crate) effect: Effect,
}

/// What becomes of the item.
#[derive(Clone, Debug)]
pub(crate) enum Effect {
    /// This item, and its encoded form.
    Put { item: Item, encoded: Vec<u8> },
    /// The item changed; made from its key if there is none.
    Update { key: Item, update: Update },
    /// No item.
    Delete,
    /// The item as it is.
    Check,
}

/// A write whose condition holds and whose rows are known, but not staged.
pub(crate) struct Planned {
    pub(crate) table: Arc<Table>,
    pub(crate) before: Option<StoredItem>,
    /// The item after an update; puts and deletes have no need of it.
    pub(crate) updated: Option<Item>,
    pub(crate) cost: WriteCost,
    change: Option<Change>,
}

impl Planned {
    /// Stages the rows. Can't fail.
    pub(crate) fn stage(self, stage: &mut Stage<'_>) {
        if let Some(change) = self.change {
            change.stage(&self.table, stage);
        }
    }
}

impl Write {
    /// Plans the write against the state that the batch has built so far.
    pub(crate) fn plan(self, stage: &Stage<'_>) -> Result<Planned> {
        let table =
            stage.catalog().by_id(self.table.id).cloned().ok_or_else(Error::table_not_found)?;
        let before = stage.get(&self.row_key)?.map(StoredItem::new).transpose()?;
        self.check_condition(before.as_ref())?;
        let (after, updated) = match self.effect {
            Effect::Check => {
                let cost = WriteCost::check(before.as_ref());
                return Ok(Planned { table, before, updated: None, cost, change: None });
            }
            Effect::Delete => (None, None),
            Effect::Put { item, encoded } => {
                if !Arc::ptr_eq(&self.table, &table) {
                    // An index that was added since the request was checked has its say too.
                    validate::index_keys(&table, &item)?;
                }
                (Some(Image::new(item, encoded)), None)
            }
            Effect::Update { key, update } => {
                let item = updated_item(&table, before.as_ref(), key, &update)?;
                let encoded = layout::item::encode(&item);
                (Some(Image::new(item.clone(), encoded)), Some(item))
            }
        };
        let (change, cost) = Change::plan(
            stage,
            &table,
            self.row_key,
            before.as_ref(),
            after,
            StreamOrigin::Request,
        )?;
        stage.shared.faults.charge_write(&cost, stage.now_ms)?;
        Ok(Planned { table, before, updated, cost, change: Some(change) })
    }

    fn check_condition(&self, before: Option<&StoredItem>) -> Result<()> {
        let Some(condition) = &self.condition else {
            return Ok(());
        };
        let holds = match before {
            Some(before) => condition.evaluate(before),
            None => condition.evaluate(&Item::new()),
        };
        if holds {
            return Ok(());
        }
        let item = match (self.return_on_condition_failure, before) {
            (ReturnOnConditionFailure::AllOld, Some(before)) => Some(Box::new(before.decode()?)),
            _ => None,
        };
        Err(Error::ConditionalCheckFailed { item })
    }
}

fn updated_item(
    table: &Table,
    before: Option<&StoredItem>,
    key: Item,
    update: &Update,
) -> Result<Item> {
    let mut item = match before {
        Some(before) => before.decode()?,
        None => key,
    };
    update.apply(&mut item).map_err(|error| Error::validation(error.to_string()))?;
    validate::updated_index_keys(table, &item, update)?;
    if update.paths().any(|path| {
        item.get(&path.root).is_some_and(|value| value.depth() > limits::NESTING_DEPTH_MAX)
    }) {
        return Err(Error::validation("Nesting Levels have exceeded supported limits"));
    }
    if monotable_types::item_size_bytes(&item) > limits::ITEM_BYTES_MAX {
        return Err(Error::validation("Item size to update has exceeded the maximum allowed size"));
    }
    Ok(item)
}
