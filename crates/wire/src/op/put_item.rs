//! PutItem.

use monotable_engine::{Database, PutItem as Put};
use monotable_types::Constraints;

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
pub(crate) struct PutItem {
    table_name: Option<String>,
    item: Option<Attributes>,
    condition: WriteCondition,
    returns: WriteReturns,
}

impl Call for PutItem {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = reader.text()?,
            "Item" => self.item = Attributes::read(reader)?,
            _ if self.condition.member(name, reader)? || self.returns.member(name, reader)? => {}
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("PutItem", self.table_name.as_deref())]
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

impl PutItem {
    fn validate(self) -> Result<Put> {
        let mut name = Constraints::default();
        table_name(&mut name, "tableName", self.table_name.as_deref());
        let mut constraints = Constraints::default();
        let return_consumed_capacity = self.returns.consumed_capacity(&mut constraints);
        if self.item.is_none() {
            constraints.null("item");
        }
        let operator =
            conditional_operator(&mut constraints, self.condition.conditional_operator.as_deref());
        let return_values = self.returns.values(&mut constraints);
        let return_item_collection_metrics = self.returns.item_collection_metrics(&mut constraints);
        let return_on_condition_failure = self.returns.on_condition_failure(&mut constraints);
        // AWS reports a wrong table name alone.
        finish(name)?;
        finish(constraints)?;
        let condition = &self.condition;
        let expressions = [("ConditionExpression", condition.expression.is_some())];
        Mixing {
            legacy: &[
                ("Expected", condition.expected.is_some()),
                ("ConditionalOperator", operator.is_some()),
            ],
            expressions: &expressions,
        }
        .check()?;
        condition.placeholders.need_expressions(&expressions, "ConditionExpression is null")?;
        let put = Put {
            table_name: self.table_name.unwrap_or_default(),
            item: self.item.unwrap_or_default().checked()?,
            return_values,
            return_on_condition_failure,
            return_consumed_capacity,
            return_item_collection_metrics,
            ..Put::default()
        };
        match self.condition.checked(operator) {
            Ok((condition, substitutions)) => Ok(Put { condition, substitutions, ..put }),
            Err(failure) => {
                // What is wrong with the item comes first.
                put.check_item()?;
                Err(failure)
            }
        }
    }
}
