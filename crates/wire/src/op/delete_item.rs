//! DeleteItem.

use monotable_engine::{Database, DeleteItem as Delete};
use monotable_types::Constraints;

use super::single_write::{reported_last, take_too_deep};
use crate::condition::WriteCondition;
use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::layer::Layer;
use crate::operation::Call;
use crate::parameters::{finish, table_name_of_write};
use crate::returns::{WriteReturns, write_returned};
use crate::touch::Touch;
use crate::value::Attributes;

/// The request.
#[derive(Default)]
pub(crate) struct DeleteItem {
    table_name: Option<String>,
    key: Option<Attributes>,
    condition: WriteCondition,
    returns: WriteReturns,
}

impl Call for DeleteItem {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = reader.text()?,
            "Key" => self.key = Attributes::read(reader)?,
            _ if self.condition.member(name, reader)? || self.returns.member(name, reader)? => {}
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn returned_capacity(&mut self) -> Option<&mut Option<String>> {
        Some(self.returns.returned_capacity())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("DeleteItem", self.table_name.as_deref())]
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

impl DeleteItem {
    fn validate(mut self) -> Result<Delete> {
        let layer = self.layer();
        let mut constraints = Constraints::default();
        let return_consumed_capacity = self.returns.consumed_capacity(&mut constraints);
        table_name_of_write(&mut constraints, self.table_name.as_deref(), layer)?;
        let return_values = self.returns.values(&mut constraints, layer);
        let return_item_collection_metrics = self.returns.item_collection_metrics(&mut constraints);
        if self.key.is_none() {
            constraints.null("key");
        }
        let operator = self.condition.operator(&mut constraints, layer);
        let return_on_condition_failure = self.returns.on_condition_failure(&mut constraints);
        finish(constraints)?;
        layer.reported(self.condition.check_mixing(layer))?;
        let too_deep = take_too_deep(self.key.as_mut(), &mut self.condition);
        let key = layer.reported(self.key.unwrap_or_default().checked(layer))?;
        let (condition, substitutions) = layer.reported(self.condition.checked(operator, layer))?;
        let delete = Delete {
            table_name: self.table_name.unwrap_or_default(),
            key,
            condition,
            substitutions,
            return_values,
            return_on_condition_failure,
            return_consumed_capacity,
            return_item_collection_metrics,
        };
        reported_last(too_deep, delete)
    }

    fn layer(&self) -> Layer {
        let is_too_deep = self.key.as_ref().is_some_and(Attributes::is_too_deep);
        Layer::of_request(self.key.is_some(), is_too_deep || self.condition.is_too_deep())
    }
}
