//! ExecuteTransaction: up to 100 statements that read or write, all or nothing.

use monotable_engine::{
    Database, Error, KeySchema, ReturnConsumedCapacity, ReturnOnConditionFailure, TransactGet,
    TransactGetItems, TransactWriteItems,
};
use monotable_types::{Constraints, limits};

use super::statements::{self, Listed, ListedStatement};
use crate::capacity::{Split, write_consumed_capacities};
use crate::error::{Failure, Result, StatementReason};
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::{finish, return_consumed_capacity};
use crate::partiql::{Bound, ItemRead, item_read, transact_write};
use crate::touch::Touch;

const KEY_MISSING: &str =
    "Select statements within ExecuteTransaction must specify the primary key in the where clause.";

/// The request.
#[derive(Default)]
pub(crate) struct ExecuteTransaction {
    statements: Option<Vec<ListedStatement>>,
    client_request_token: Option<String>,
    return_consumed_capacity: Option<String>,
}

impl Call for ExecuteTransaction {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TransactStatements" => self.statements = Listed::InTransaction.read(reader)?,
            "ClientRequestToken" => self.client_request_token = reader.text()?,
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
        let checked = self.check()?;
        let reads = matches!(checked.statements.first(), Some((Bound::Select(_), _)));
        if reads {
            checked.read(database, json)
        } else {
            checked.write(self.client_request_token, database, json).await
        }
    }
}

/// A request that passed all checks that need no table.
struct Checked {
    statements: Vec<(Bound, ReturnOnConditionFailure)>,
    return_consumed_capacity: ReturnConsumedCapacity,
}

impl ExecuteTransaction {
    fn check(&self) -> Result<Checked> {
        let mut constraints = Constraints::default();
        let statements = self.statements.as_deref();
        let returns = Listed::InTransaction.check(&mut constraints, statements);
        if let Some(token) = &self.client_request_token {
            let allowed = 1..=limits::CLIENT_REQUEST_TOKEN_LENGTH_MAX;
            constraints.text(token, "clientRequestToken", allowed);
        }
        let return_consumed_capacity =
            return_consumed_capacity(&mut constraints, self.return_consumed_capacity.as_deref());
        finish(constraints)?;
        let statements = statements.unwrap_or_default();
        statements.iter().try_for_each(|listed| listed.statement.check_parameters())?;
        let bound = statements.iter().enumerate().map(|(position, listed)| {
            listed.statement.bind().map_err(|failure| in_statement(position, failure))
        });
        let bound: Vec<Bound> = bound.collect::<Result<_>>()?;
        check_kinds(&bound)?;
        Ok(Checked {
            statements: bound.into_iter().zip(returns).collect(),
            return_consumed_capacity,
        })
    }
}

/// Checks that a transaction only reads or only writes.
fn check_kinds(statements: &[Bound]) -> Result<()> {
    let reads = statements.iter().filter(|bound| matches!(bound, Bound::Select(_))).count();
    if reads == 0 || reads == statements.len() {
        Ok(())
    } else {
        Err(Failure::validation(
            "ExecuteTransaction API does not support both read and write operations in the same \
             request.",
        ))
    }
}

impl Checked {
    /// Plans every statement whose table exists, then cancels the transaction if one is missing.
    fn plan<T>(
        self,
        database: &Database,
        plan: impl Fn(Bound, &KeySchema, ReturnOnConditionFailure) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut plans = Vec::with_capacity(self.statements.len());
        let mut reasons = Vec::with_capacity(self.statements.len());
        for (position, (statement, returns)) in self.statements.into_iter().enumerate() {
            let keys = match database.key_schema(statement.table(), None) {
                Ok(keys) => keys,
                Err(error @ Error::ResourceNotFound(_)) => {
                    reasons.push(StatementReason::failed("ResourceNotFound", error.to_string()));
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            reasons.push(StatementReason::none());
            if statement.returns() {
                let refusal = "RETURNING clause is not supported in ExecuteTransaction.";
                return Err(in_statement(position, Failure::validation(refusal)));
            }
            let plan = plan(statement, &keys, returns);
            plans.push(plan.map_err(|failure| in_statement(position, failure))?);
        }
        if plans.len() == reasons.len() {
            Ok(plans)
        } else {
            Err(Failure::StatementsCanceled(reasons))
        }
    }

    fn read(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let return_consumed_capacity = self.return_consumed_capacity;
        let reads: Vec<ItemRead> = self.plan(database, |statement, _, _| match statement {
            Bound::Select(select) if select.index.is_none() => {
                item_read(database, &select, KEY_MISSING)
            }
            _ => {
                Err(Failure::validation("Reads on indices are not supported within transactions."))
            }
        })?;
        let gets = reads.iter().map(|read| TransactGet {
            table_name: read.table.clone(),
            key: read.key.clone(),
            ..TransactGet::default()
        });
        let output = database.transact_get_items(TransactGetItems {
            transact_items: gets.collect(),
            return_consumed_capacity,
        })?;
        json.name("Responses");
        json.begin_array();
        for (item, read) in output.responses.into_iter().zip(&reads) {
            json.begin_object();
            if let Some(item) = item {
                json.name("Item");
                read.selection.of(item).write(json);
            }
            json.end_object();
        }
        json.end_array();
        write_consumed_capacities(json, &output.consumed_capacity, Split::Read);
        Ok(())
    }

    async fn write(
        self,
        client_request_token: Option<String>,
        database: &Database,
        json: &mut Writer<'_>,
    ) -> Result<()> {
        let return_consumed_capacity = self.return_consumed_capacity;
        let inserts: Vec<bool> =
            self.statements.iter().map(|(bound, _)| matches!(bound, Bound::Insert(_))).collect();
        let transact_items = self.plan(database, |statement, keys, returns| match statement {
            Bound::Exists(select) if select.index.is_some() => {
                Err(Failure::validation("Operations on indices are not supported in transactions"))
            }
            statement => transact_write(statement, keys, returns),
        })?;
        let output = database
            .submit(TransactWriteItems {
                transact_items,
                client_request_token,
                return_consumed_capacity,
                ..TransactWriteItems::default()
            })
            .await
            .map_err(|error| canceled(error, &inserts))?;
        json.name("Responses");
        json.begin_array();
        json.end_array();
        // A repeated token changes nothing and is charged as a read.
        let is_repeat = output.consumed_capacity.iter().any(|used| used.read_units > 0.0);
        let split = if is_repeat { Split::Read } else { Split::Write };
        write_consumed_capacities(json, &output.consumed_capacity, split);
        Ok(())
    }
}

/// Adds the position of the statement to its error.
fn in_statement(position: usize, failure: Failure) -> Failure {
    match failure {
        Failure::Engine(Error::Validation(text)) => Failure::validation(format!(
            "Validation failed in TransactStatements[{position}]: {text}"
        )),
        other => other,
    }
}

/// Converts a canceled transaction to PartiQL's errors: an `INSERT` whose key exists is a
/// duplicate.
fn canceled(error: Error, inserts: &[bool]) -> Failure {
    let Error::TransactionCanceled { reasons } = error else {
        return error.into();
    };
    let reasons =
        reasons.iter().zip(inserts).map(|(reason, is_insert)| match (reason.code(), is_insert) {
            ("ConditionalCheckFailed", true) => StatementReason::failed(
                "DuplicateItem",
                "Duplicate primary key exists in table".to_owned(),
            ),
            (code, _) => StatementReason {
                code,
                message: reason.message(),
                item: reason.item().cloned().map(Box::new),
            },
        });
    Failure::StatementsCanceled(reasons.collect())
}
