//! Query.

use monotable_engine::{Database, Direction, Expression, Query as EngineQuery};
use monotable_types::Constraints;

use crate::error::{Failure, Result};
use crate::json::{Reader, Writer};
use crate::layer::Layer;
use crate::legacy::{Conditions, conditional_operator, operator_needs_conditions};
use crate::operation::Call;
use crate::page::{Page, write_page};
use crate::parameters::{
    Mixing, consistency, finish, return_consumed_capacity, select, table_name,
};
use crate::touch::Touch;
use crate::value::Attributes;

/// The request.
#[derive(Default)]
pub(crate) struct Query {
    page: Page,
    key_condition_expression: Option<String>,
    key_conditions: Option<Conditions>,
    query_filter: Option<Conditions>,
    scan_index_forward: Option<bool>,
}

impl Call for Query {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "KeyConditionExpression" => self.key_condition_expression = reader.text()?,
            "KeyConditions" => self.key_conditions = Conditions::read(reader, "Condition")?,
            "QueryFilter" => self.query_filter = Conditions::read(reader, "Condition")?,
            "ScanIndexForward" => self.scan_index_forward = reader.truth()?,
            _ if self.page.member(name, reader)? => {}
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn returned_capacity(&mut self) -> Option<&mut Option<String>> {
        Some(&mut self.page.return_consumed_capacity)
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        let touch = Touch::table("Query", self.page.table_name.as_deref());
        vec![touch.on_index(self.page.index_name.as_deref())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let counts_only = self.page.counts_only();
        let output = database.query(self.validate()?)?;
        write_page(json, &output, counts_only);
        Ok(())
    }
}

impl Query {
    fn validate(mut self) -> Result<EngineQuery> {
        let page = &self.page;
        let layer = self.layer();
        if layer == Layer::Current {
            self.check_operator()?;
        }
        let mut constraints = Constraints::default();
        let select = select(&mut constraints, page.select.as_deref());
        page.check_index_name(&mut constraints);
        let return_consumed_capacity =
            return_consumed_capacity(&mut constraints, page.return_consumed_capacity.as_deref());
        if let Some(filter) = &self.query_filter {
            filter.need_operators(&mut constraints, "queryFilter");
        }
        table_name(&mut constraints, "tableName", page.table_name.as_deref());
        let word = page.conditional_operator.as_deref();
        let operator = conditional_operator(&mut constraints, word, layer);
        page.check_attributes_to_get(&mut constraints);
        if let Some(conditions) = &self.key_conditions {
            conditions.need_operators(&mut constraints, "keyConditions");
        }
        finish(constraints)?;
        // Reported alone and without the value, unlike every other number.
        if page.limit.is_some_and(|limit| limit < 1) {
            return Err(Failure::validation(
                "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member \
                 must have value greater than or equal to 1",
            ));
        }
        self.check_mixing()?;
        operator_needs_conditions(operator, self.query_filter.as_ref(), layer)?;
        let filter =
            self.query_filter.take().map(|filter| filter.filter(operator, layer)).transpose()?;
        let projection = self.page.projection()?;
        let exclusive_start_key = self.page.start_key(layer)?;
        let key_conditions =
            self.key_conditions.take().map(|keys| keys.key_condition(layer)).transpose()?;
        let page = self.page;
        let limit = page.limit();
        Ok(EngineQuery {
            index_name: page.index_name,
            key_condition: self.key_condition_expression.map(Expression::Text).or(key_conditions),
            filter: page.filter_expression.map(Expression::Text).or(filter.flatten()),
            projection,
            substitutions: page.placeholders.checked(layer)?,
            select,
            direction: match self.scan_index_forward {
                Some(false) => Direction::Backward,
                Some(true) | None => Direction::Forward,
            },
            limit,
            exclusive_start_key,
            consistency: consistency(page.consistent_read),
            return_consumed_capacity,
            table_name: page.table_name.unwrap_or_default(),
        })
    }

    fn layer(&self) -> Layer {
        let conditions = || self.query_filter.iter().chain(&self.key_conditions);
        let mut missing = Constraints::default();
        conditions().for_each(|conditions| conditions.need_operators(&mut missing, ""));
        let page = &self.page;
        let is_complete = page.table_name.is_some() && missing.is_empty();
        let is_too_deep = conditions().any(Conditions::is_too_deep)
            || page.placeholders.is_too_deep()
            || page.exclusive_start_key.as_ref().is_some_and(Attributes::is_too_deep);
        Layer::of_request(is_complete, is_too_deep)
    }

    /// Checks `ConditionalOperator`, whose error is reported before all others, alone and without
    /// details.
    fn check_operator(&self) -> Result<()> {
        let mut broken = Constraints::default();
        let word = self.page.conditional_operator.as_deref();
        conditional_operator(&mut broken, word, Layer::Current);
        match broken.first() {
            Some(text) => Err(Failure::validation(text)),
            None => Ok(()),
        }
    }

    fn check_mixing(&self) -> Result<()> {
        let page = &self.page;
        let key_condition = self.key_condition_expression.is_some();
        let expressions = [
            ("ProjectionExpression", page.projection_expression.is_some()),
            ("FilterExpression", page.filter_expression.is_some()),
            ("KeyConditionExpression", key_condition),
        ];
        Mixing {
            legacy: &[
                ("AttributesToGet", page.attributes_to_get.is_some()),
                ("QueryFilter", self.query_filter.is_some()),
                ("ConditionalOperator", page.conditional_operator.is_some()),
                // Only together with a key condition expression do the legacy key conditions count
                // as mixed.
                ("KeyConditions", self.key_conditions.is_some() && key_condition),
            ],
            expressions: &expressions,
        }
        .check()?;
        let absent = Some("FilterExpression and KeyConditionExpression are null");
        page.placeholders.need_expressions(&expressions, absent)
    }
}
