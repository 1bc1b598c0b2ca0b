//! ExecuteStatement.

use monotable_engine::Database;
use monotable_types::Constraints;

use crate::capacity::write_consumed_capacity;
use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::{
    consistency, finish, return_consumed_capacity, return_on_condition_failure,
};
use crate::partiql::{
    Bound, BoundSelect, PageRequest, PageStart, StatementRequest, WriteOptions,
    exists_outside_transaction, mismatched, read_page, submit,
};
use crate::touch::Touch;
use crate::value::write_item;

const NEXT_TOKEN_LENGTH_MAX: usize = 32_768;

/// The request.
#[derive(Default)]
pub(crate) struct ExecuteStatement {
    statement: StatementRequest,
    consistent_read: Option<bool>,
    next_token: Option<String>,
    limit: Option<i32>,
    return_consumed_capacity: Option<String>,
    return_on_condition_failure: Option<String>,
}

impl Call for ExecuteStatement {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "ConsistentRead" => self.consistent_read = reader.truth()?,
            "NextToken" => self.next_token = reader.text()?,
            "Limit" => self.limit = reader.integer()?,
            "ReturnConsumedCapacity" => self.return_consumed_capacity = reader.text()?,
            "ReturnValuesOnConditionCheckFailure" => {
                self.return_on_condition_failure = reader.text()?;
            }
            _ if self.statement.member(name, reader)? => {}
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn returned_capacity(&mut self) -> Option<&mut Option<String>> {
        Some(&mut self.return_consumed_capacity)
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        self.statement.touch().into_iter().collect()
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let options = self.check_constraints()?;
        match self.statement.bind()? {
            Bound::Select(select) => self.select(database, &select, options, json),
            Bound::Exists(_) => Err(exists_outside_transaction()),
            _ if self.next_token.is_some() => Err(mismatched()),
            statement => {
                let written = submit(database, statement, options)?.written().await?;
                json.name("Items");
                json.begin_array();
                written.item.iter().for_each(|item| write_item(json, item));
                json.end_array();
                write_consumed_capacity(json, written.consumed_capacity.as_ref());
                Ok(())
            }
        }
    }
}

impl ExecuteStatement {
    fn check_constraints(&self) -> Result<WriteOptions> {
        let mut constraints = Constraints::default();
        self.statement.check_constraints(&mut constraints, "");
        if let Some(token) = &self.next_token {
            constraints.text(token, "nextToken", 1..=NEXT_TOKEN_LENGTH_MAX);
        }
        let return_consumed_capacity =
            return_consumed_capacity(&mut constraints, self.return_consumed_capacity.as_deref());
        if let Some(limit) = self.limit {
            let rule = "have value greater than or equal to 1";
            constraints.check(limit >= 1, limit, "limit", rule);
        }
        let return_on_condition_failure = return_on_condition_failure(
            &mut constraints,
            "returnValuesOnConditionCheckFailure",
            self.return_on_condition_failure.as_deref(),
        );
        finish(constraints)?;
        Ok(WriteOptions { return_on_condition_failure, return_consumed_capacity })
    }

    fn select(
        &self,
        database: &Database,
        select: &BoundSelect,
        options: WriteOptions,
        json: &mut Writer<'_>,
    ) -> Result<()> {
        let fingerprint = self.statement.fingerprint();
        let token = self.next_token.as_deref();
        let start = token.map(|token| PageStart::of_token(token, fingerprint)).transpose()?;
        let page = read_page(
            database,
            select,
            PageRequest {
                start: start.unwrap_or_default(),
                limit: self.limit.and_then(|limit| u32::try_from(limit).ok()),
                consistency: consistency(self.consistent_read),
                return_consumed_capacity: options.return_consumed_capacity,
            },
        )?;
        json.name("Items");
        json.begin_array();
        page.items.iter().for_each(|item| item.write(json));
        json.end_array();
        if let Some(next) = &page.next {
            json.name("NextToken");
            json.string(&next.token(fingerprint));
            if let Some(key) = &next.key {
                json.name("LastEvaluatedKey");
                write_item(json, key);
            }
        }
        write_consumed_capacity(json, page.consumed_capacity.as_ref());
        Ok(())
    }
}
