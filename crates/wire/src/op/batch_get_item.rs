//! BatchGetItem.

use std::collections::BTreeMap;

use monotable_engine::{
    BatchGetItem as BatchGet, BatchGetItemOutput, Consistency, Database, Expression, Item,
    KeysAndAttributes,
};
use monotable_types::{Constraints, limits};

use super::batch::{wrong_length, wrong_table_names};
use crate::capacity::{Split, write_consumed_capacities};
use crate::error::{Failure, Result};
use crate::field::Holder;
use crate::json::{Reader, Writer};
use crate::layer::Layer;
use crate::operation::Call;
use crate::parameters::{Mixing, consistency, finish, return_consumed_capacity};
use crate::projection::ReadProjection;
use crate::touch::Touch;
use crate::value::{Attributes, Problem, write_item, write_read_item};

const CLASS: &str = "KeysAndAttributes";

/// The reads of one table, as sent in the request.
#[derive(Default)]
struct TableRequest {
    keys: Option<Vec<Item>>,
    /// The positions of keys that are `null`.
    null_keys: Vec<usize>,
    /// The first invalid value of a key.
    problem: Option<Problem>,
    projection: ReadProjection,
    consistent_read: Option<bool>,
}

/// The request.
#[derive(Default)]
pub(crate) struct BatchGetItem {
    request_items: Option<BTreeMap<String, TableRequest>>,
    return_consumed_capacity: Option<String>,
}

impl TableRequest {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let mut request = Self::default();
        reader.structure(CLASS, Holder::Collection, |reader, name| {
            match name {
                "Keys" => request.read_keys(reader)?,
                "ConsistentRead" => request.consistent_read = reader.truth()?,
                _ if request.projection.member(name, reader)? => {}
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(request)
    }

    fn read_keys(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let mut position = 0;
        self.keys = reader.list(|reader| {
            position += 1;
            reader.refuse_scalar()?;
            let Some(key) = Attributes::read(reader)? else {
                self.null_keys.push(position);
                return Ok(Item::new());
            };
            if let (Some((_, problem)), None) = (key.problem, &self.problem) {
                self.problem = Some(problem);
            }
            Ok(key.item)
        })?;
        Ok(())
    }

    fn checked(self) -> Result<KeysAndAttributes> {
        let (projection, substitutions) = self.projection.checked()?;
        if let Some(problem) = self.problem {
            return Err(Failure::validation(problem.text(Layer::Current)));
        }
        Ok(KeysAndAttributes {
            keys: self.keys.unwrap_or_default(),
            projection,
            substitutions,
            consistency: consistency(self.consistent_read),
        })
    }
}

impl Call for BatchGetItem {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "RequestItems" => {
                let mut items = BTreeMap::new();
                let found = reader.map(CLASS, |reader, table| {
                    items.insert(table.into_owned(), TableRequest::read(reader)?);
                    Ok(())
                })?;
                self.request_items = found.then_some(items);
            }
            "ReturnConsumedCapacity" => self.return_consumed_capacity = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn returned_capacity(&mut self) -> Option<&mut Option<String>> {
        Some(&mut self.return_consumed_capacity)
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        let tables = self.request_items.iter().flat_map(BTreeMap::keys);
        tables.map(|table| Touch::table("BatchGetItem", Some(table))).collect()
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let output = database.batch_get_item(self.validate()?)?;
        write_output(json, &output);
        Ok(())
    }
}

impl BatchGetItem {
    fn validate(self) -> Result<BatchGet> {
        let mut constraints = Constraints::default();
        if self.request_items.is_none() {
            constraints.null("requestItems");
        }
        let requests = self.request_items.unwrap_or_default();
        let keys = requests.values().flat_map(|request| request.keys.iter().flatten());
        if let Some(wrong) = wrong_table_names(requests.keys(), keys, || print(&requests)) {
            constraints.broken(wrong);
        }
        for (table, request) in &requests {
            let path = format!("requestItems.{table}.member");
            if request.keys.is_none() {
                constraints.null(&format!("{path}.keys"));
            }
            for position in &request.null_keys {
                constraints.null(&format!("{path}.keys.{position}.member"));
            }
            let attributes = format!("{path}.attributesToGet");
            request.projection.check_constraints(&mut constraints, &attributes);
        }
        let return_consumed_capacity =
            return_consumed_capacity(&mut constraints, self.return_consumed_capacity.as_deref());
        finish(constraints)?;
        check_requests(&requests)?;
        let mut request_items = BTreeMap::new();
        for (table, request) in requests {
            request_items.insert(table, request.checked()?);
        }
        Ok(BatchGet { request_items, return_consumed_capacity })
    }
}

/// Prints the request as it was sent, for a message.
fn print(requests: &BTreeMap<String, TableRequest>) -> String {
    let mut out = Vec::new();
    let mut json = Writer::new(&mut out);
    json.begin_object();
    for (table, request) in requests {
        json.object_member(table, |json| {
            json.array_member("Keys", request.keys.iter().flatten(), write_item);
            request.projection.write_members(json);
            if let Some(consistent) = request.consistent_read {
                json.boolean_member("ConsistentRead", consistent);
            }
        });
    }
    json.end_object();
    String::from_utf8_lossy(&out).into_owned()
}

/// Checks the number of keys, and refuses legacy parameters together with expressions in the
/// requests of one table or of two.
fn check_requests(requests: &BTreeMap<String, TableRequest>) -> Result<()> {
    for (table, request) in requests {
        let keys = request.keys.as_ref().map_or(0, Vec::len);
        if let Some(rule) = wrong_length(keys, limits::BATCH_GET_MAX) {
            return Err(Failure::validation(format!(
                "1 validation error detected: Value at 'RequestItems.{table}.member.Keys' failed \
                 to satisfy constraint: {rule}"
            )));
        }
    }
    let projections = || requests.values().map(|request| &request.projection);
    let attributes = projections().any(|projection| projection.attributes_to_get.is_some());
    let expression = projections().any(|projection| projection.expression.is_some());
    Mixing {
        legacy: &[("AttributesToGet", attributes)],
        expressions: &[("ProjectionExpression", expression)],
    }
    .check()?;
    projections().try_for_each(ReadProjection::check_mixing)
}

fn write_output(json: &mut Writer<'_>, output: &BatchGetItemOutput) {
    json.name("Responses");
    json.begin_object();
    for (table, items) in &output.responses {
        json.name(table);
        json.begin_array();
        items.iter().for_each(|item| write_read_item(json, item));
        json.end_array();
    }
    json.end_object();
    json.name("UnprocessedKeys");
    json.begin_object();
    for (table, rest) in &output.unprocessed_keys {
        json.name(table);
        write_unprocessed(json, rest);
    }
    json.end_object();
    write_consumed_capacities(json, &output.consumed_capacity, Split::Total);
}

/// Writes the keys that the client must request again, in the form in which it sent them.
fn write_unprocessed(json: &mut Writer<'_>, rest: &KeysAndAttributes) {
    json.begin_object();
    json.name("Keys");
    json.begin_array();
    rest.keys.iter().for_each(|key| write_item(json, key));
    json.end_array();
    match &rest.projection {
        None => {}
        Some(Expression::Text(text)) => {
            json.name("ProjectionExpression");
            json.string(text);
        }
        Some(Expression::Tree(attributes) | Expression::Legacy(attributes)) => {
            json.name("AttributesToGet");
            json.begin_array();
            attributes.paths.iter().for_each(|path| json.string(&path.root));
            json.end_array();
        }
    }
    if let Some(names) = &rest.substitutions.names {
        json.name("ExpressionAttributeNames");
        json.begin_object();
        for (placeholder, name) in names {
            json.name(placeholder);
            json.string(name);
        }
        json.end_object();
    }
    if rest.consistency == Consistency::Strong {
        json.name("ConsistentRead");
        json.boolean(true);
    }
    json.end_object();
}
