//! TransactWriteItems: up to 100 writes and checks, all or nothing.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use monotable_expression::{Condition, Update};
use monotable_types::{Item, item_size_bytes, limits};

use super::capacity::{ConsumedCapacity, ItemCollectionMetrics, UsedByTable};
use super::client_token::Token;
use super::delete_item::DeleteItem;
use super::put_item::PutItem;
use super::request::{
    Consistency, Expression, ReturnConsumedCapacity, ReturnItemCollectionMetrics,
    ReturnOnConditionFailure, Substitutions, setters,
};
use super::single_write::{Checked, condition};
use super::transact_get_items::{
    canceled, check_length, check_table_name, repeated_item, too_large,
};
use super::update_item::UpdateItem;
use crate::commit::Stage;
use crate::error::{CancellationReason, Error, Result};
use crate::read::ReadCost;
use crate::stored::StoredItem;
use crate::table::{Catalog, Table};
use crate::validate;
use crate::write::{Effect, Isolation, Write, collection_metrics};

/// A condition on an item that the transaction does not write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConditionCheck {
    /// The table's name.
    pub table_name: String,
    /// The primary key, exactly.
    pub key: Item,
    /// Must hold for the existing item (or its absence).
    pub condition: Option<Expression<Condition>>,
    /// `#names` and `:values` of the condition.
    pub substitutions: Substitutions,
    /// Whether a failed condition returns the item.
    pub return_on_condition_failure: ReturnOnConditionFailure,
}

impl ConditionCheck {
    /// Creates a check of one item.
    pub fn new(
        table_name: impl Into<String>,
        key: Item,
        condition: impl Into<Expression<Condition>>,
    ) -> Self {
        Self {
            table_name: table_name.into(),
            key,
            condition: Some(condition.into()),
            ..Self::default()
        }
    }

    setters! {
        placeholders: substitutions substitutions;
        /// Sets what a failed condition returns.
        return_on_condition_failure: value return_on_condition_failure => ReturnOnConditionFailure;
    }
}

/// One action of the transaction. The return options of the single operations other than
/// `return_on_condition_failure` have no meaning here and are ignored.
#[derive(Clone, Debug, PartialEq)]
pub enum TransactWrite {
    /// Put an item.
    Put(PutItem),
    /// Update an item.
    Update(UpdateItem),
    /// Delete an item.
    Delete(DeleteItem),
    /// Only check an item.
    ConditionCheck(ConditionCheck),
}

macro_rules! from_action {
    ($($variant:ident($action:ident)),*) => {$(
        impl From<$action> for TransactWrite {
            fn from(action: $action) -> Self {
                Self::$variant(action)
            }
        }
    )*};
}

from_action!(Put(PutItem), Update(UpdateItem), Delete(DeleteItem), ConditionCheck(ConditionCheck));

/// Writes up to 100 items together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TransactWriteItems {
    /// The actions; no item may appear twice.
    pub transact_items: Vec<TransactWrite>,
    /// A repeat with the same token within 10 minutes changes nothing and succeeds.
    pub client_request_token: Option<String>,
    /// How capacity units are reported.
    pub return_consumed_capacity: ReturnConsumedCapacity,
    /// Whether item collection sizes are returned.
    pub return_item_collection_metrics: ReturnItemCollectionMetrics,
}

impl TransactWriteItems {
    /// Creates an empty transaction.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an action.
    #[must_use]
    pub fn action(mut self, action: impl Into<TransactWrite>) -> Self {
        self.transact_items.push(action.into());
        self
    }

    setters! {
        /// Sets the idempotency token.
        client_request_token: some client_request_token => String;
        /// Sets how capacity units are reported.
        return_consumed_capacity: value return_consumed_capacity => ReturnConsumedCapacity;
    }
}

impl TransactWriteItems {
    /// Checks the request against the newest catalog; the result runs on the committer.
    pub(crate) fn prepare(
        self,
        catalog: &Catalog,
    ) -> Result<impl FnOnce(&mut Stage<'_>) -> Result<TransactWriteItemsOutput> + Send + use<>>
    {
        check_length("transactItems", self.transact_items.len(), limits::TRANSACT_MAX)?;
        let token = self.client_request_token.as_deref().map(Token::check).transpose()?;
        let token = token.map(|token| token.of_request(&self.transact_items));
        for (position, action) in self.transact_items.iter().enumerate() {
            action.check_members(position + 1)?;
        }
        let checked: Vec<Checked> =
            self.transact_items.iter().map(TransactWrite::check).collect::<Result<_>>()?;
        for (action, checked) in self.transact_items.iter().zip(&checked) {
            let table = catalog.table(action.table_name())?;
            action.check_keys_are_not_empty(table, checked)?;
        }
        let actions = self.transact_items.iter().zip(&checked);
        let bytes: usize = actions.map(|(action, checked)| action.request_bytes(checked)).sum();
        if bytes > limits::TRANSACT_BYTES_MAX {
            return Err(too_large());
        }
        // A mismatch with the table is a reason to cancel, found together with the others.
        let mut writes = Vec::with_capacity(checked.len());
        for (action, checked) in self.transact_items.into_iter().zip(checked) {
            let table = catalog.table(action.table_name())?;
            writes.push(action.bind(table, checked));
        }
        let row_keys: Vec<&[u8]> =
            writes.iter().flatten().map(|write| write.row_key.as_slice()).collect();
        if row_keys.iter().collect::<HashSet<_>>().len() < row_keys.len() {
            return Err(repeated_item());
        }
        let capacity = self.return_consumed_capacity;
        let metrics = self.return_item_collection_metrics;
        Ok(move |stage: &mut Stage<'_>| {
            if let Some(token) = &token
                && token.was_used(stage)?
            {
                return replayed(stage, &writes, capacity);
            }
            let output = run(stage, writes, capacity, metrics)?;
            if let Some(token) = &token {
                token.remember(stage)?;
            }
            Ok(output)
        })
    }
}

impl TransactWrite {
    fn table_name(&self) -> &str {
        match self {
            Self::Put(put) => &put.table_name,
            Self::Update(update) => &update.table_name,
            Self::Delete(delete) => &delete.table_name,
            Self::ConditionCheck(check) => &check.table_name,
        }
    }

    /// Checks the members that an action can't be without: the table's name, and an expression.
    fn check_members(&self, position: usize) -> Result<()> {
        let (action, missing) = match self {
            Self::Put(_) => ("put", None),
            Self::Update(update) => {
                ("update", update.update.is_none().then_some("updateExpression"))
            }
            Self::Delete(_) => ("delete", None),
            Self::ConditionCheck(check) => {
                ("conditionCheck", check.condition.is_none().then_some("conditionExpression"))
            }
        };
        let path = format!("transactItems.{position}.member.{action}");
        check_table_name(self.table_name(), &path)?;
        match missing {
            Some(member) => Err(Error::validation(format!(
                "1 validation error detected: Value null at '{path}.{member}' failed to satisfy \
                 constraint: Member must not be null"
            ))),
            None => Ok(()),
        }
    }

    /// Checks everything of the action that AWS checks before it looks up the table.
    ///
    /// Running the transaction does the same, action by action. This is for callers that have a
    /// later action in another form, which can be invalid by itself.
    pub fn check_action(&self) -> Result<()> {
        self.check().map(drop)
    }

    fn check(&self) -> Result<Checked> {
        let isolation = Isolation::Transaction;
        match self {
            Self::Put(put) => put.check(isolation),
            Self::Update(update) => update.check(isolation),
            Self::Delete(delete) => delete.check(isolation),
            Self::ConditionCheck(check) => {
                validate::attributes(&check.key)?;
                let condition = condition(&check.condition, &check.substitutions, isolation)?;
                Ok(Checked { size_bytes: 0, condition, update: None })
            }
        }
    }

    /// Returns the size of the item's attributes in the request. The stored item does not count.
    fn request_bytes(&self, checked: &Checked) -> usize {
        match self {
            Self::Put(_) => checked.size_bytes,
            Self::Update(update) => {
                let written = checked.update.as_ref().map_or(0, Update::value_bytes);
                item_size_bytes(&update.key) + written
            }
            Self::Delete(delete) => item_size_bytes(&delete.key),
            Self::ConditionCheck(check) => item_size_bytes(&check.key),
        }
    }

    /// Checks for empty key values, which are refused outright; other invalid keys cancel the
    /// transaction.
    fn check_keys_are_not_empty(&self, table: &Table, checked: &Checked) -> Result<()> {
        let key = match self {
            Self::Put(put) => &put.item,
            Self::Update(update) => &update.key,
            Self::Delete(delete) => &delete.key,
            Self::ConditionCheck(check) => &check.key,
        };
        validate::key_is_not_empty(&table.keys, key)?;
        match self {
            Self::Put(put) => validate::index_key_is_not_empty(table, &put.item),
            Self::Update(_) => checked
                .update
                .as_ref()
                .map_or(Ok(()), |update| validate::update_sets_no_empty_index_key(table, update)),
            Self::Delete(_) | Self::ConditionCheck(_) => Ok(()),
        }
    }

    fn bind(self, table: &Arc<Table>, checked: Checked) -> Result<Write> {
        match self {
            Self::Put(put) => put.bind(table, checked),
            Self::Update(update) => update.bind(table, checked),
            Self::Delete(delete) => delete.bind(table, checked),
            Self::ConditionCheck(check) => Ok(Write {
                table: Arc::clone(table),
                row_key: validate::key(table, &check.key)?,
                condition: checked.condition,
                return_on_condition_failure: check.return_on_condition_failure,
                effect: Effect::Check,
            }),
        }
    }
}

/// Plans every action; stages all of them, or none and returns the reasons.
fn run(
    stage: &mut Stage<'_>,
    writes: Vec<Result<Write>>,
    capacity: ReturnConsumedCapacity,
    metrics: ReturnItemCollectionMetrics,
) -> Result<TransactWriteItemsOutput> {
    if stage.shared.faults.conflicts() {
        return Err(canceled(writes.len(), Error::TransactionConflict));
    }
    let mut planned = Vec::with_capacity(writes.len());
    let mut reasons = Vec::with_capacity(writes.len());
    for write in writes {
        match write.and_then(|write| write.plan(stage, Isolation::Transaction)) {
            Ok(plan) => {
                planned.push(plan);
                reasons.push(CancellationReason::None);
            }
            Err(error) if error.cancels_transaction() => {
                reasons.push(CancellationReason::Failed { error: Box::new(error) });
            }
            Err(error) => return Err(error),
        }
    }
    if planned.len() < reasons.len() {
        return Err(Error::TransactionCanceled { reasons });
    }
    let mut output = TransactWriteItemsOutput::default();
    let mut used = UsedByTable::default();
    for plan in &planned {
        plan.cost.add_to(used.of(&plan.table), &plan.table, Isolation::Transaction);
        if metrics == ReturnItemCollectionMetrics::Size
            && let Some(size) = collection_metrics(stage, &plan.table, &plan.row_key)?
        {
            output.item_collection_metrics.entry(plan.table.name.clone()).or_default().push(size);
        }
    }
    output.consumed_capacity = used.limited_to(capacity);
    for plan in planned {
        stage.shared.meters.count_write(&plan, Isolation::Transaction, stage.now_ms);
        plan.stage(stage);
    }
    Ok(output)
}

/// Returns the response to a repeated token: nothing happens, and the items are charged as reads.
fn replayed(
    stage: &Stage<'_>,
    writes: &[Result<Write>],
    capacity: ReturnConsumedCapacity,
) -> Result<TransactWriteItemsOutput> {
    let mut used = UsedByTable::default();
    for write in writes.iter().flatten() {
        let stored = stage.get(&write.row_key)?.map(StoredItem::new).transpose()?;
        let bytes = stored.as_ref().map_or(0, StoredItem::size_bytes);
        let table_units = 2.0 * ReadCost::units(bytes, Consistency::Strong);
        let cost = ReadCost { table_units, index_units: 0.0 };
        let meters = &stage.shared.meters;
        meters.count_read_of_partition(&write.table, None, cost, &write.row_key);
        cost.add_to(used.of(&write.table), None);
    }
    let consumed_capacity = used.limited_to(capacity);
    Ok(TransactWriteItemsOutput { consumed_capacity, ..TransactWriteItemsOutput::default() })
}

/// The response to a [`TransactWriteItems`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TransactWriteItemsOutput {
    /// Capacity units per table, if requested.
    pub consumed_capacity: Vec<ConsumedCapacity>,
    /// Item collection sizes by table, if requested.
    pub item_collection_metrics: BTreeMap<String, Vec<ItemCollectionMetrics>>,
}
