//! GetItem.

use monotable_engine::{Database, GetItem as Get};
use monotable_types::Constraints;

use crate::capacity::write_consumed_capacity;
use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::layer::Layer;
use crate::operation::Call;
use crate::parameters::{consistency, finish, return_consumed_capacity, table_name};
use crate::projection::ReadProjection;
use crate::touch::Touch;
use crate::value::{Attributes, write_read_item};

/// The request.
#[derive(Default)]
pub(crate) struct GetItem {
    table_name: Option<String>,
    key: Option<Attributes>,
    projection: ReadProjection,
    consistent_read: Option<bool>,
    return_consumed_capacity: Option<String>,
}

impl Call for GetItem {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = reader.text()?,
            "Key" => self.key = Attributes::read(reader)?,
            "ConsistentRead" => self.consistent_read = reader.truth()?,
            "ReturnConsumedCapacity" => self.return_consumed_capacity = reader.text()?,
            _ if self.projection.member(name, reader)? => {}
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn returned_capacity(&mut self) -> Option<&mut Option<String>> {
        Some(&mut self.return_consumed_capacity)
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("GetItem", self.table_name.as_deref())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let output = database.get_item(self.validate()?)?;
        if let Some(item) = &output.item {
            json.name("Item");
            write_read_item(json, item);
        }
        write_consumed_capacity(json, output.consumed_capacity.as_ref());
        Ok(())
    }
}

impl GetItem {
    fn validate(self) -> Result<Get> {
        let mut constraints = Constraints::default();
        let return_consumed_capacity =
            return_consumed_capacity(&mut constraints, self.return_consumed_capacity.as_deref());
        self.projection.check_constraints(&mut constraints, "attributesToGet");
        table_name(&mut constraints, "tableName", self.table_name.as_deref());
        if self.key.is_none() {
            constraints.null("key");
        }
        finish(constraints)?;
        self.projection.check_mixing()?;
        let key = self.key.unwrap_or_default().checked(Layer::Current)?;
        let (projection, substitutions) = self.projection.checked()?;
        Ok(Get {
            table_name: self.table_name.unwrap_or_default(),
            key,
            projection,
            substitutions,
            consistency: consistency(self.consistent_read),
            return_consumed_capacity,
        })
    }
}
