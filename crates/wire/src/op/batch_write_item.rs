//! BatchWriteItem.

mod print;

use std::collections::BTreeMap;
use std::fmt::Arguments;

use monotable_engine::{
    BatchWriteItem as BatchWrite, BatchWriteItemOutput, Database, Item, WriteRequest,
};
use monotable_types::{Constraints, limits};

use super::batch::{wrong_length, wrong_table_names};
use crate::capacity::{Split, write_collection_metrics_by_table, write_consumed_capacities};
use crate::error::{Failure, Result};
use crate::field::Holder;
use crate::json::{Reader, Writer};
use crate::layer::Layer;
use crate::operation::Call;
use crate::parameters::{finish, return_consumed_capacity, return_item_collection_metrics};
use crate::touch::Touch;
use crate::value::{Attributes, Problem, write_item};

const LIST_CLASS: &str = "java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>";

/// The request. Writes are read straight into the engine's form; their errors are collected
/// separately, because AWS reports them later.
#[derive(Default)]
pub(crate) struct BatchWriteItem {
    request_items: Option<BTreeMap<String, Vec<WriteRequest>>>,
    faults: Faults,
    return_consumed_capacity: Option<String>,
    return_item_collection_metrics: Option<String>,
}

/// The errors of the writes.
#[derive(Default)]
struct Faults {
    /// Puts without an item and deletes without a key.
    null_paths: Vec<String>,
    /// Whether a write is neither a put nor a delete, or both.
    not_one_action: bool,
    /// The first invalid value.
    problem: Option<Problem>,
}

impl Faults {
    /// Reads the write at `path`. An invalid write yields a placeholder, and its error is noted.
    fn read_write(&mut self, reader: &mut Reader<'_>, path: Arguments<'_>) -> Result<WriteRequest> {
        let mut actions = 0;
        let mut write = WriteRequest::Delete(Item::new());
        reader.structure("WriteRequest", Holder::Collection, |reader, name| {
            let found = match name {
                "PutRequest" => {
                    let path = format_args!("{path}.putRequest.item");
                    self.read_action(reader, name, "Item", path)?.map(WriteRequest::Put)
                }
                "DeleteRequest" => {
                    let path = format_args!("{path}.deleteRequest.key");
                    self.read_action(reader, name, "Key", path)?.map(WriteRequest::Delete)
                }
                _ => {
                    reader.ignore()?;
                    None
                }
            };
            if let Some(found) = found {
                actions += 1;
                write = found;
            }
            Ok(())
        })?;
        self.not_one_action |= actions != 1;
        Ok(write)
    }

    /// Reads a put or a delete, unless it is `null`; `member` contains its attributes.
    fn read_action(
        &mut self,
        reader: &mut Reader<'_>,
        class: &str,
        member: &str,
        path: Arguments<'_>,
    ) -> Result<Option<Item>> {
        let mut attributes = None;
        let found = reader.structure(class, Holder::Member, |reader, name| {
            if name == member {
                attributes = Attributes::read(reader)?;
                return Ok(());
            }
            reader.ignore()
        })?;
        if !found {
            return Ok(None);
        }
        let Some(Attributes { item, problem }) = attributes else {
            self.null_paths.push(path.to_string());
            return Ok(Some(Item::new()));
        };
        if let (Some((_, problem)), None) = (problem, &self.problem) {
            self.problem = Some(problem);
        }
        Ok(Some(item))
    }
}

impl Call for BatchWriteItem {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "RequestItems" => {
                let faults = &mut self.faults;
                let mut items = BTreeMap::new();
                let found = reader.map(LIST_CLASS, |reader, table| {
                    let mut position = 0;
                    reader.refuse_scalar()?;
                    let writes = reader.list(|reader| {
                        position += 1;
                        let path = format_args!("requestItems.{table}.member.{position}.member");
                        faults.read_write(reader, path)
                    })?;
                    items.insert(table.into_owned(), writes.unwrap_or_default());
                    Ok(())
                })?;
                self.request_items = found.then_some(items);
            }
            "ReturnConsumedCapacity" => self.return_consumed_capacity = reader.text()?,
            "ReturnItemCollectionMetrics" => self.return_item_collection_metrics = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn returned_capacity(&mut self) -> Option<&mut Option<String>> {
        Some(&mut self.return_consumed_capacity)
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        let tables = self.request_items.iter().flat_map(BTreeMap::keys);
        tables.map(|table| Touch::table("BatchWriteItem", Some(table))).collect()
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let output = database.submit(self.validate()?).await?;
        write_unprocessed(json, &output);
        write_collection_metrics_by_table(json, &output.item_collection_metrics);
        write_consumed_capacities(json, &output.consumed_capacity, Split::Total);
        Ok(())
    }
}

impl BatchWriteItem {
    fn validate(self) -> Result<BatchWrite> {
        let mut constraints = Constraints::default();
        if self.request_items.is_none() {
            constraints.null("requestItems");
        }
        self.faults.null_paths.iter().for_each(|path| constraints.null(path));
        let return_consumed_capacity =
            return_consumed_capacity(&mut constraints, self.return_consumed_capacity.as_deref());
        let return_item_collection_metrics = return_item_collection_metrics(
            &mut constraints,
            self.return_item_collection_metrics.as_deref(),
        );
        finish(constraints)?;
        let request_items = self.request_items.unwrap_or_default();
        check_table_names(&request_items)?;
        check_lengths(&request_items)?;
        if self.faults.not_one_action {
            return Err(Failure::validation(
                "Supplied AttributeValue has more than one datatypes set, must contain exactly one \
                 of the supported datatypes",
            ));
        }
        if let Some(problem) = self.faults.problem {
            return Err(Failure::validation(problem.text(Layer::Older)));
        }
        Ok(BatchWrite { request_items, return_consumed_capacity, return_item_collection_metrics })
    }
}

fn check_table_names(request_items: &BTreeMap<String, Vec<WriteRequest>>) -> Result<()> {
    let items = request_items.values().flatten().map(|write| match write {
        WriteRequest::Put(item) | WriteRequest::Delete(item) => item,
    });
    let mut names = Constraints::default();
    let print = || print::requests(request_items);
    if let Some(wrong) = wrong_table_names(request_items.keys(), items, print) {
        names.broken(wrong);
    }
    finish(names)
}

/// Checks that each table has 1 to 25 writes. AWS names both bounds, whichever is broken.
fn check_lengths(request_items: &BTreeMap<String, Vec<WriteRequest>>) -> Result<()> {
    for (table, writes) in request_items {
        if wrong_length(writes.len(), limits::BATCH_WRITE_MAX).is_some() {
            let shown = if writes.is_empty() { "" } else { "..." };
            return Err(Failure::validation(format!(
                "1 validation error detected: Value '{{{table}=[{shown}]}}' at 'requestItems' \
                 failed to satisfy constraint: Map value must satisfy constraint: [Member must \
                 have length less than or equal to 25, Member must have length greater than or \
                 equal to 1]"
            )));
        }
    }
    Ok(())
}

/// Writes the requests that the client must send again, in the form in which it sent them.
fn write_unprocessed(json: &mut Writer<'_>, output: &BatchWriteItemOutput) {
    json.name("UnprocessedItems");
    json.begin_object();
    for (table, writes) in &output.unprocessed_items {
        json.name(table);
        json.begin_array();
        for write in writes {
            let (action, member, attributes) = match write {
                WriteRequest::Put(item) => ("PutRequest", "Item", item),
                WriteRequest::Delete(key) => ("DeleteRequest", "Key", key),
            };
            json.begin_object();
            json.name(action);
            json.begin_object();
            json.name(member);
            write_item(json, attributes);
            json.end_object();
            json.end_object();
        }
        json.end_array();
    }
    json.end_object();
}
