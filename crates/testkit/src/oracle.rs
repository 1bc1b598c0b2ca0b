//! An executable model of DynamoDB made of maps, written from AWS's documentation. It is slow and
//! simple on purpose, and must never be derived from, or call, the engine that it checks: of the
//! engine it uses only the request types.
//!
//! It accepts well-formed requests. The errors of others are known to their generators: see
//! [`crate::generate::malformed`].

mod capacity;
mod change;
mod expression;
mod read;
mod table;
mod update;
mod write;

use std::collections::BTreeMap;

use monotable_engine::{
    ConsumedCapacity, IndexUpdate, StreamOrigin, StreamUpdate, TransactWrite, UpdateTable,
    UpdateTimeToLive,
};
use monotable_types::AttributeValue as V;

pub use self::capacity::size_bytes;
pub use self::table::{Index, Part, Table};
use crate::operation::{Answer, Failure, Operation, Outcome, Spelling};

/// The model: tables of items, the transaction tokens seen, and the time.
#[derive(Debug, Default)]
pub struct Oracle {
    /// The tables by name.
    pub tables: BTreeMap<String, Table>,
    tokens: BTreeMap<String, (Vec<TransactWrite>, u64)>,
    /// The time.
    pub now_ms: u64,
}

impl Oracle {
    /// Creates a model without tables, at this time.
    pub fn new(now_ms: u64) -> Self {
        Self { now_ms, ..Self::default() }
    }

    /// Returns DynamoDB's response to an operation in this form; the model changes as DynamoDB
    /// would.
    pub fn apply(&mut self, operation: &Operation, spelling: Spelling) -> Outcome {
        match operation {
            Operation::PutItem(put) => self.put_item(put),
            Operation::UpdateItem(update) => self.update_item(update, spelling),
            Operation::DeleteItem(delete) => self.delete_item(delete),
            Operation::BatchWriteItem(batch) => self.batch_write_item(batch),
            Operation::TransactWriteItems(request) => self.transact_write_items(request),
            Operation::GetItem(get) => self.get_item(get),
            Operation::Query(query) => self.query(query),
            Operation::Scan(scan) => self.scan(scan),
            Operation::BatchGetItem(batch) => self.batch_get_item(batch),
            Operation::TransactGetItems(request) => self.transact_get_items(request),
            Operation::CreateTable(create) if self.tables.contains_key(&create.table_name) => {
                let message = format!("Table already exists: {}", create.table_name);
                Err(Failure::new("ResourceInUseException", message))
            }
            Operation::CreateTable(create) => {
                self.tables.insert(create.table_name.clone(), Table::new(create));
                Ok(Answer::default())
            }
            Operation::UpdateTable(update) => self.update_table(update),
            Operation::UpdateTimeToLive(setting) => self.update_time_to_live(setting),
            Operation::DeleteTable(delete) => {
                self.managed(&delete.table_name)?;
                self.tables.remove(&delete.table_name);
                Ok(Answer::default())
            }
            Operation::AdvanceClock { seconds } => {
                self.now_ms += seconds * 1000;
                Ok(Answer::default())
            }
            Operation::SweepExpired => Ok(self.sweep_expired()),
            Operation::Reopen => Ok(Answer::default()),
        }
    }

    /// Returns the table of a data operation.
    fn table(&self, name: &str) -> Result<&Table, Failure> {
        let missing = || Failure::new("ResourceNotFoundException", "Requested resource not found");
        self.tables.get(name).ok_or_else(missing)
    }

    /// Returns the table of an operation on tables.
    fn managed(&mut self, name: &str) -> Result<&mut Table, Failure> {
        let message = format!("Requested resource not found: Table: {name} not found");
        self.tables.get_mut(name).ok_or(Failure::new("ResourceNotFoundException", message))
    }

    fn update_table(&mut self, update: &UpdateTable) -> Outcome {
        let name = &update.table_name;
        let table = self.managed(name)?;
        for given in &update.attribute_definitions {
            let (attribute, new) = (&given.name, given.scalar_type);
            if let Some(old) = table.types.get(attribute).filter(|old| **old != new) {
                return Err(Failure::validation(format!(
                    "One or more parameter values were invalid: AttributeDefinitions cannot change \
                     the type of an existing key attribute. Attribute: {attribute}, Existing type: \
                     {old}, Requested type: {new}"
                )));
            }
        }
        match (update.stream, table.stream) {
            (Some(StreamUpdate::Enable(_)), Some(_)) => {
                let message = format!("Table already has an enabled stream: TableName: {name}");
                return Err(Failure::validation(message));
            }
            (Some(StreamUpdate::Disable), None) => {
                let message = format!("Table has no stream to disable: TableName: {name}");
                return Err(Failure::validation(message));
            }
            (Some(StreamUpdate::Enable(view)), None) => {
                table.stream = Some(view);
                table.records.clear();
            }
            (Some(StreamUpdate::Disable), Some(_)) => table.stream = None,
            (None, _) => {}
        }
        for change in &update.index_updates {
            let IndexUpdate::Create(new) = change else {
                let IndexUpdate::Delete { index_name: gone } = change else { continue };
                if !table.indexes.iter().any(|index| index.name == *gone) {
                    let message =
                        format!("Requested resource not found: Index {gone} for table {name}");
                    return Err(Failure::new("ResourceNotFoundException", message));
                }
                table.indexes.retain(|index| index.name != *gone);
                table.define(&[]);
                continue;
            };
            if table.indexes.iter().any(|index| index.name == new.index_name) {
                let message = "Attempting to create an index which already exists";
                return Err(Failure::validation(message));
            }
            table.indexes.push(Index::new(new, true));
            table.define(&update.attribute_definitions);
        }
        Ok(Answer::default())
    }

    fn update_time_to_live(&mut self, setting: &UpdateTimeToLive) -> Outcome {
        let table = self.managed(&setting.table_name)?;
        let complaint = match (&table.ttl, setting.enabled) {
            (Some(current), _) if *current != setting.attribute_name => format!(
                "TimeToLive is active on a different AttributeName: current AttributeName is {current}"
            ),
            (Some(_), true) => "TimeToLive is already enabled".to_owned(),
            (None, false) => "TimeToLive is already disabled".to_owned(),
            (_, enabled) => {
                table.ttl = enabled.then(|| setting.attribute_name.clone());
                return Ok(Answer::default());
            }
        };
        Err(Failure::validation(complaint))
    }

    /// Removes expired items: a number of epoch seconds in the past, but not by over five years.
    fn sweep_expired(&mut self) -> Answer {
        let now = self.now_ms / 1000;
        let past =
            V::from(now - 5 * 365 * 24 * 60 * 60).as_n().copied()..V::from(now).as_n().copied();
        let mut expired = Vec::new();
        for (name, table) in &self.tables {
            for (key, item) in &table.items {
                let at = table.ttl.as_ref().and_then(|attribute| item.get(attribute)?.as_n());
                if at.is_some() && past.contains(&at.copied()) {
                    expired.push((name.clone(), key.clone()));
                }
            }
        }
        let swept = expired.len();
        for (name, key) in expired {
            let free = &mut ConsumedCapacity::default();
            self.commit(&name, key, None, StreamOrigin::TimeToLive, 1.0, free);
        }
        Answer { swept, ..Answer::default() }
    }
}
