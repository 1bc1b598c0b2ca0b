//! BatchExecuteStatement: up to 25 independent statements.

use monotable_engine::{ConsumedCapacity, Database, Error, GetItem, Item, ReturnConsumedCapacity};
use monotable_types::Constraints;

use super::statements::{self, Listed, ListedStatement};
use crate::capacity::{Split, write_consumed_capacities};
use crate::error::{Failure, Result};
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::{consistency, finish, return_consumed_capacity};
use crate::partiql::{
    Bound, ItemRead, PendingStatement, Selected, WriteOptions, add_by_table,
    exists_outside_transaction, item_read, submit, written_item,
};
use crate::touch::Touch;
use crate::value::write_item;

const KEY_MISSING: &str = "Select statements within BatchExecuteStatement must specify the primary key in the where clause.";

/// The request.
#[derive(Default)]
pub(crate) struct BatchExecuteStatement {
    statements: Option<Vec<ListedStatement>>,
    return_consumed_capacity: Option<String>,
}

impl Call for BatchExecuteStatement {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "Statements" => self.statements = Listed::InBatch.read(reader)?,
            "ReturnConsumedCapacity" => self.return_consumed_capacity = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn returned_capacity(&mut self) -> Option<&mut Option<String>> {
        Some(&mut self.return_consumed_capacity)
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        statements::touches(self.statements.as_deref())
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let return_consumed_capacity = self.check_constraints()?;
        let statements = self.statements.unwrap_or_default();
        let bound: Vec<Result<Bound>> =
            statements.iter().map(|listed| listed.statement.bind()).collect();
        check_kinds(&bound)?;
        check_duplicates(database, &bound)?;
        let mut batch = Batch { database, return_consumed_capacity, used: Vec::new() };
        // All writes are submitted before any is awaited, so that they share a sync.
        let steps: Vec<Step> = statements
            .iter()
            .zip(bound)
            .map(|(listed, statement)| batch.start(listed, statement))
            .collect();
        let mut results = Vec::with_capacity(steps.len());
        for step in steps {
            results.push(batch.finish(step).await);
        }
        json.name("Responses");
        json.begin_array();
        results.iter().for_each(|result| result.write(json));
        json.end_array();
        write_consumed_capacities(json, &batch.used, Split::Total);
        Ok(())
    }
}

impl BatchExecuteStatement {
    fn check_constraints(&self) -> Result<ReturnConsumedCapacity> {
        let mut constraints = Constraints::default();
        // A failed condition in a batch returns no item, whatever the statement requests.
        Listed::InBatch.check(&mut constraints, self.statements.as_deref());
        let return_consumed_capacity =
            return_consumed_capacity(&mut constraints, self.return_consumed_capacity.as_deref());
        finish(constraints)?;
        Ok(return_consumed_capacity)
    }
}

/// Checks that a batch only reads or only writes. Statements that cannot be run count as neither.
fn check_kinds(statements: &[Result<Bound>]) -> Result<()> {
    let mut kinds = statements.iter().flatten().map(|bound| matches!(bound, Bound::Select(_)));
    let first = kinds.next();
    if kinds.any(|kind| Some(kind) != first) {
        Err(Failure::validation(
            "Read and write requests together in the same batch is not supported.",
        ))
    } else {
        Ok(())
    }
}

/// Checks that no two statements address the same item.
fn check_duplicates(database: &Database, statements: &[Result<Bound>]) -> Result<()> {
    let mut targets: Vec<(&str, Item)> = Vec::new();
    for statement in statements.iter().flatten() {
        let key = match statement {
            Bound::Select(select) => {
                item_read(database, select, KEY_MISSING).ok().map(|read| read.key)
            }
            other => database
                .key_schema(other.table(), None)
                .ok()
                .and_then(|keys| written_item(other, &keys)),
        };
        let Some(key) = key else {
            continue;
        };
        let target = (statement.table(), key);
        if targets.contains(&target) {
            return Err(Failure::validation("Provided list of item keys contains duplicates"));
        }
        targets.push(target);
    }
    Ok(())
}

/// The state that the statements of a batch share.
struct Batch<'a> {
    database: &'a Database,
    return_consumed_capacity: ReturnConsumedCapacity,
    used: Vec<ConsumedCapacity>,
}

/// A statement that has been started.
enum Step {
    Done(StatementResult),
    Pending(String, PendingStatement),
}

/// One element of the response. It contains the table only if the statement reached it.
struct StatementResult {
    table: Option<String>,
    outcome: Result<Option<Returned>>,
}

/// The item that a statement returns.
enum Returned {
    Selected(Selected),
    Written(Item),
}

impl Batch<'_> {
    fn start(&mut self, listed: &ListedStatement, statement: Result<Bound>) -> Step {
        let refused = |failure| Step::Done(StatementResult { table: None, outcome: Err(failure) });
        let statement = match statement {
            Ok(Bound::Exists(_)) => return refused(exists_outside_transaction()),
            Ok(statement) => statement,
            Err(failure) => return refused(failure),
        };
        let table = statement.table().to_owned();
        let failed = |failure: Failure| {
            let table = matches!(failure, Failure::Engine(Error::ResourceNotFound(_)))
                .then(|| table.clone());
            Step::Done(StatementResult { table, outcome: Err(failure) })
        };
        if let Bound::Select(select) = &statement {
            return match item_read(self.database, select, KEY_MISSING) {
                Ok(read) => Step::Done(StatementResult {
                    table: Some(table),
                    outcome: self.get(listed, read),
                }),
                Err(failure) => failed(failure),
            };
        }
        let options = WriteOptions {
            return_consumed_capacity: self.return_consumed_capacity,
            ..WriteOptions::default()
        };
        match submit(self.database, statement, options) {
            Ok(pending) => Step::Pending(table, pending),
            Err(failure) => failed(failure),
        }
    }

    fn get(&mut self, listed: &ListedStatement, read: ItemRead) -> Result<Option<Returned>> {
        let output = self.database.get_item(GetItem {
            consistency: consistency(listed.consistent_read),
            return_consumed_capacity: self.return_consumed_capacity,
            ..GetItem::new(read.table, read.key)
        })?;
        add_by_table(&mut self.used, output.consumed_capacity);
        Ok(output.item.map(|item| Returned::Selected(read.selection.of(item))))
    }

    async fn finish(&mut self, step: Step) -> StatementResult {
        match step {
            Step::Done(result) => result,
            Step::Pending(table, pending) => {
                let outcome = pending.written().await.map(|written| {
                    add_by_table(&mut self.used, written.consumed_capacity);
                    written.item.map(Returned::Written)
                });
                StatementResult { table: Some(table), outcome }
            }
        }
    }
}

impl StatementResult {
    fn write(&self, json: &mut Writer<'_>) {
        json.begin_object();
        match &self.outcome {
            Ok(None) => {}
            Ok(Some(item)) => {
                json.name("Item");
                match item {
                    Returned::Selected(item) => item.write(json),
                    Returned::Written(item) => write_item(json, item),
                }
            }
            Err(failure) => {
                let (code, message) = short(failure);
                json.name("Error");
                json.begin_object();
                json.name("Code");
                json.string(code);
                json.name("Message");
                json.string(&message);
                json.end_object();
            }
        }
        if let Some(table) = &self.table {
            json.name("TableName");
            json.string(table);
        }
        json.end_object();
    }
}

/// Returns the failure of one statement, under the shorter code that batches use.
fn short(failure: &Failure) -> (&'static str, String) {
    let code = match failure {
        Failure::Engine(Error::ConditionalCheckFailed { .. }) => "ConditionalCheckFailed",
        Failure::Engine(Error::ResourceNotFound(_)) => "ResourceNotFound",
        Failure::Engine(Error::TransactionConflict) => "TransactionConflict",
        Failure::Engine(Error::ProvisionedThroughputExceeded | Error::IndexThroughputExceeded) => {
            "ProvisionedThroughputExceeded"
        }
        Failure::DuplicateItem => "DuplicateItem",
        failure if failure.status() == 500 => "InternalServerError",
        _ => "ValidationError",
    };
    (code, failure.message().unwrap_or_default())
}
