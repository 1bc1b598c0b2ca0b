//! PutItem.

use monotable_engine::{Database, PutItem as Put};
use monotable_types::Constraints;

use crate::capacity::{write_collection_metrics, write_consumed_capacity};
use crate::condition::WriteCondition;
use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::legacy::conditional_operator;
use crate::operation::Call;
use crate::parameters::{
    Mixing, finish, return_consumed_capacity, return_item_collection_metrics,
    return_on_condition_failure, return_values, table_name,
};
use crate::touch::Touch;
use crate::value::{Attributes, write_item};

/// The request.
#[derive(Default)]
pub(crate) struct PutItem {
    table_name: Option<String>,
    item: Option<Attributes>,
    condition: WriteCondition,
    return_values: Option<String>,
    return_on_condition_failure: Option<String>,
    return_consumed_capacity: Option<String>,
    return_item_collection_metrics: Option<String>,
}

impl Call for PutItem {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = reader.text()?,
            "Item" => self.item = Attributes::read(reader)?,
            "ReturnValues" => self.return_values = reader.text()?,
            "ReturnValuesOnConditionCheckFailure" => {
                self.return_on_condition_failure = reader.text()?;
            }
            "ReturnConsumedCapacity" => self.return_consumed_capacity = reader.text()?,
            "ReturnItemCollectionMetrics" => self.return_item_collection_metrics = reader.text()?,
            _ if self.condition.member(name, reader)? => {}
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("PutItem", self.table_name.as_deref())]
    }

    async fn answer(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let output = database.submit(self.validate()?).await?;
        if let Some(attributes) = &output.attributes {
            json.name("Attributes");
            write_item(json, attributes);
        }
        write_consumed_capacity(json, output.consumed_capacity.as_ref());
        write_collection_metrics(json, output.item_collection_metrics.as_ref());
        Ok(())
    }
}

impl PutItem {
    fn validate(self) -> Result<Put> {
        let mut name = Constraints::default();
        table_name(&mut name, "tableName", self.table_name.as_deref());
        let mut constraints = Constraints::default();
        let return_consumed_capacity =
            return_consumed_capacity(&mut constraints, self.return_consumed_capacity.as_deref());
        if self.item.is_none() {
            constraints.null("item");
        }
        let operator =
            conditional_operator(&mut constraints, self.condition.conditional_operator.as_deref());
        let return_values = return_values(&mut constraints, self.return_values.as_deref());
        let return_item_collection_metrics = return_item_collection_metrics(
            &mut constraints,
            self.return_item_collection_metrics.as_deref(),
        );
        let return_on_condition_failure = return_on_condition_failure(
            &mut constraints,
            "returnValuesOnConditionCheckFailure",
            self.return_on_condition_failure.as_deref(),
        );
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
