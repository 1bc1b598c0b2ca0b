//! UpdateItem.

mod attribute_updates;

use monotable_engine::{Database, Expression, UpdateItem as Update};
use monotable_types::Constraints;

use self::attribute_updates::AttributeUpdates;
use crate::condition::WriteCondition;
use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::legacy::conditional_operator;
use crate::operation::Call;
use crate::parameters::{Mixing, finish, table_name};
use crate::returns::{WriteReturns, write_returned};
use crate::touch::Touch;
use crate::value::Attributes;

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

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("UpdateItem", self.table_name.as_deref())]
    }

    async fn answer(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
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
    fn validate(self) -> Result<Update> {
        let mut name = Constraints::default();
        table_name(&mut name, "tableName", self.table_name.as_deref());
        let mut constraints = Constraints::default();
        let return_consumed_capacity = self.returns.consumed_capacity(&mut constraints);
        let return_item_collection_metrics = self.returns.item_collection_metrics(&mut constraints);
        let return_values = self.returns.values(&mut constraints);
        if self.key.is_none() {
            constraints.null("key");
        }
        let operator =
            conditional_operator(&mut constraints, self.condition.conditional_operator.as_deref());
        if let Some(updates) = &self.attribute_updates {
            updates.check_actions(&mut constraints);
        }
        let return_on_condition_failure = self.returns.on_condition_failure(&mut constraints);
        // AWS reports a wrong table name alone.
        finish(name)?;
        finish(constraints)?;
        self.check_mixing()?;
        let key = self.key.unwrap_or_default().checked()?;
        let updates = self.attribute_updates.map(AttributeUpdates::checked).transpose()?;
        let (condition, substitutions) = self.condition.checked(operator)?;
        Ok(Update {
            table_name: self.table_name.unwrap_or_default(),
            key,
            update: self.update_expression.map(Expression::Text).or(updates),
            condition,
            substitutions,
            return_values,
            return_on_condition_failure,
            return_consumed_capacity,
            return_item_collection_metrics,
        })
    }

    fn check_mixing(&self) -> Result<()> {
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
        condition
            .placeholders
            .need_expressions(&expressions, "UpdateExpression and ConditionExpression are null")
    }
}
