//! TransactGetItems.

use monotable_engine::{Database, Expression, TransactGet, TransactGetItems as TransactGets};
use monotable_types::{Constraints, limits};

use super::transaction::{check_length, check_table_name};
use crate::capacity::{Split, write_consumed_capacities};
use crate::error::Result;
use crate::field::Holder;
use crate::json::{Reader, Writer};
use crate::layer::Layer;
use crate::operation::Call;
use crate::parameters::{finish, return_consumed_capacity};
use crate::placeholders::Placeholders;
use crate::touch::Touch;
use crate::value::{Attributes, write_read_item};

/// One read, as sent in the request.
#[derive(Default)]
struct Get {
    table_name: Option<String>,
    key: Option<Attributes>,
    projection_expression: Option<String>,
    placeholders: Placeholders,
}

/// The request.
#[derive(Default)]
pub(crate) struct TransactGetItems {
    transact_items: Option<Vec<Option<Get>>>,
    return_consumed_capacity: Option<String>,
}

impl Get {
    /// Reads one element of the list, which may lack its read.
    fn read_element(reader: &mut Reader<'_>) -> Result<Option<Self>> {
        let mut get = None;
        reader.structure("TransactGetItem", Holder::Collection, |reader, name| {
            match name {
                "Get" => get = Self::read(reader)?,
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(get)
    }

    fn read(reader: &mut Reader<'_>) -> Result<Option<Self>> {
        let mut get = Self::default();
        let found = reader.structure("Get", Holder::Member, |reader, name| {
            match name {
                "TableName" => get.table_name = reader.text()?,
                "Key" => get.key = Attributes::read(reader)?,
                "ProjectionExpression" => get.projection_expression = reader.text()?,
                "ExpressionAttributeNames" => drop(get.placeholders.member(name, reader)?),
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(found.then_some(get))
    }

    fn checked(self) -> Result<TransactGet> {
        let key = self.key.unwrap_or_default().checked(Layer::Older)?;
        Ok(TransactGet {
            table_name: self.table_name.unwrap_or_default(),
            key,
            projection: self.projection_expression.map(Expression::Text),
            substitutions: self.placeholders.checked(Layer::Older)?,
        })
    }
}

impl Call for TransactGetItems {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TransactItems" => self.transact_items = reader.list(Get::read_element)?,
            "ReturnConsumedCapacity" => self.return_consumed_capacity = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn returned_capacity(&mut self) -> Option<&mut Option<String>> {
        Some(&mut self.return_consumed_capacity)
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        let gets = self.transact_items.iter().flatten().flatten();
        gets.map(|get| Touch::table("GetItem", get.table_name.as_deref())).collect()
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let output = database.transact_get_items(self.validate()?)?;
        write_consumed_capacities(json, &output.consumed_capacity, Split::Read);
        json.name("Responses");
        json.begin_array();
        for response in &output.responses {
            json.begin_object();
            if let Some(item) = response {
                json.name("Item");
                write_read_item(json, item);
            }
            json.end_object();
        }
        json.end_array();
        Ok(())
    }
}

impl TransactGetItems {
    fn validate(self) -> Result<TransactGets> {
        let mut constraints = Constraints::default();
        check_length(&mut constraints, self.transact_items.as_ref().map(Vec::len));
        let gets = self.transact_items.unwrap_or_default();
        // The elements of a list that is too long are not checked.
        for (position, get) in gets.iter().enumerate().take(limits::TRANSACT_MAX) {
            let path = format_args!("transactItems.{}.member.get", position + 1);
            match get {
                None => constraints.null(&path.to_string()),
                Some(Get { key: None, .. }) => constraints.null(&format!("{path}.key")),
                Some(Get { key: Some(_), .. }) => {}
            }
        }
        let return_consumed_capacity =
            return_consumed_capacity(&mut constraints, self.return_consumed_capacity.as_deref());
        finish(constraints)?;
        let mut names = Constraints::default();
        for (position, get) in gets.iter().flatten().enumerate() {
            let path = format_args!("transactItems.{}.member.get", position + 1);
            check_table_name(&mut names, path, get.table_name.as_deref());
        }
        finish(names)?;
        let gets = gets.into_iter().flatten();
        Ok(TransactGets {
            transact_items: gets.map(Get::checked).collect::<Result<_>>()?,
            return_consumed_capacity,
        })
    }
}
