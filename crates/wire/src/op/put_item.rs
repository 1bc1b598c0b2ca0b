//! PutItem.

use monotable_engine::{Database, PutItem as Put};
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

    fn returned_capacity(&mut self) -> Option<&mut Option<String>> {
        Some(self.returns.returned_capacity())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("PutItem", self.table_name.as_deref())]
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

impl PutItem {
    fn validate(mut self) -> Result<Put> {
        let layer = self.layer();
        let mut constraints = Constraints::default();
        let return_consumed_capacity = self.returns.consumed_capacity(&mut constraints);
        table_name_of_write(&mut constraints, self.table_name.as_deref(), layer)?;
        if self.item.is_none() {
            constraints.null("item");
        }
        let operator = self.condition.operator(&mut constraints, layer);
        let return_values = self.returns.values(&mut constraints, layer);
        let return_item_collection_metrics = self.returns.item_collection_metrics(&mut constraints);
        let return_on_condition_failure = self.returns.on_condition_failure(&mut constraints);
        finish(constraints)?;
        layer.reported(self.condition.check_mixing(layer))?;
        let too_deep = take_too_deep(self.item.as_mut(), &mut self.condition);
        let put = Put {
            table_name: self.table_name.unwrap_or_default(),
            item: layer.reported(self.item.unwrap_or_default().checked(layer))?,
            return_values,
            return_on_condition_failure,
            return_consumed_capacity,
            return_item_collection_metrics,
            ..Put::default()
        };
        match self.condition.checked(operator, layer) {
            Ok((condition, substitutions)) => {
                reported_last(too_deep, Put { condition, substitutions, ..put })
            }
            Err(failure) => {
                // Errors of the item come first.
                put.check_item()?;
                layer.reported(Err(failure))
            }
        }
    }

    fn layer(&self) -> Layer {
        let is_too_deep = self.item.as_ref().is_some_and(Attributes::is_too_deep);
        Layer::of_request(self.item.is_some(), is_too_deep || self.condition.is_too_deep())
    }
}
