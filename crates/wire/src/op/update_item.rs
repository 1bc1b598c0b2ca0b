//! UpdateItem.

mod attribute_updates;

use monotable_engine::{Database, Expression, UpdateItem as Update};
use monotable_types::Constraints;

use self::attribute_updates::AttributeUpdates;
use super::single_write::{reported_last, take_too_deep};
use crate::condition::WriteCondition;
use crate::error::{Failure, Result};
use crate::json::{Reader, Writer};
use crate::layer::Layer;
use crate::operation::Call;
use crate::parameters::{Mixing, finish, table_name_of_write};
use crate::returns::{WriteReturns, write_returned};
use crate::touch::Touch;
use crate::value::{Attributes, NESTED_TOO_DEEP};

/// The request.
#[derive(Default)]
pub(crate) struct UpdateItem {
    table_name: Option<String>,
    key: Option<Attributes>,
    update_expression: Option<String>,
    attribute_updates: Option<AttributeUpdates>,
    condition: WriteCondition,
    returns: WriteReturns,
}

impl Call for UpdateItem {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = reader.text()?,
            "Key" => self.key = Attributes::read(reader)?,
            "UpdateExpression" => self.update_expression = reader.text()?,
            "AttributeUpdates" => self.attribute_updates = AttributeUpdates::read(reader)?,
            _ if self.condition.member(name, reader)? || self.returns.member(name, reader)? => {}
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn returned_capacity(&mut self) -> Option<&mut Option<String>> {
        Some(self.returns.returned_capacity())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("UpdateItem", self.table_name.as_deref())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let output = database.submit(self.validate()?).await?;
        write_returned(
            json,
            output.attributes.as_ref(),
            output.consumed_capacity.as_ref(),
            output.item_collection_metrics.as_ref(),
        );
        Ok(())
    }
}

impl UpdateItem {
    fn validate(mut self) -> Result<Update> {
        let layer = self.layer();
        self.check_words(layer)?;
        let mut constraints = Constraints::default();
        let return_consumed_capacity = self.returns.consumed_capacity(&mut constraints);
        let return_item_collection_metrics = self.returns.item_collection_metrics(&mut constraints);
        table_name_of_write(&mut constraints, self.table_name.as_deref(), layer)?;
        let return_values = self.returns.values(&mut constraints, layer);
        let operator = self.condition.operator(&mut constraints, layer);
        if self.key.is_none() {
            constraints.null("key");
        }
        if let Some(updates) = &self.attribute_updates {
            updates.check_actions(&mut constraints);
        }
        let return_on_condition_failure = self.returns.on_condition_failure(&mut constraints);
        finish(constraints)?;
        layer.reported(self.check_mixing(layer))?;
        let updates_too_deep =
            self.attribute_updates.as_mut().is_some_and(AttributeUpdates::take_too_deep);
        let too_deep = take_too_deep(self.key.as_mut(), &mut self.condition)
            .or_else(|| updates_too_deep.then(|| Failure::validation(NESTED_TOO_DEEP)));
        let key = layer.reported(self.key.unwrap_or_default().checked(layer))?;
        let updates = self.attribute_updates.map(|updates| updates.checked(layer)).transpose();
        let updates = layer.reported(updates)?;
        let (condition, substitutions) = layer.reported(self.condition.checked(operator, layer))?;
        let update = Update {
            table_name: self.table_name.unwrap_or_default(),
            key,
            update: self.update_expression.map(Expression::Text).or(updates),
            condition,
            substitutions,
            return_values,
            return_on_condition_failure,
            return_consumed_capacity,
            return_item_collection_metrics,
        };
        reported_last(too_deep, update)
    }

    fn layer(&self) -> Layer {
        let is_too_deep = self.key.as_ref().is_some_and(Attributes::is_too_deep)
            || self.attribute_updates.as_ref().is_some_and(AttributeUpdates::is_too_deep);
        Layer::of_request(self.key.is_some(), is_too_deep || self.condition.is_too_deep())
    }

    /// Checks the values that the current layer reports one by one before it lists other errors.
    fn check_words(&self, layer: Layer) -> Result<()> {
        if layer == Layer::Older || self.table_name.as_deref().is_none_or(str::is_empty) {
            return Ok(());
        }
        let mut values = Constraints::default();
        self.returns.values(&mut values, layer);
        finish(values)?;
        let mut operator = Constraints::default();
        self.condition.operator(&mut operator, layer);
        finish(operator)
    }

    fn check_mixing(&self, layer: Layer) -> Result<()> {
        let condition = &self.condition;
        let expressions = [
            ("UpdateExpression", self.update_expression.is_some()),
            ("ConditionExpression", condition.expression.is_some()),
        ];
        Mixing {
            legacy: &[
                ("AttributeUpdates", self.attribute_updates.is_some()),
                ("Expected", condition.expected.is_some()),
                ("ConditionalOperator", condition.conditional_operator.is_some()),
            ],
            expressions: &expressions,
        }
        .check()?;
        let absent = layer.absent("UpdateExpression and ConditionExpression are null");
        condition.placeholders.need_expressions(&expressions, absent)
    }
}
