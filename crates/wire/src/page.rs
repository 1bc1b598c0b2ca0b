//! What Query and Scan share: members of their requests, and their response.

use monotable_engine::{Expression, Item, QueryOutput};
use monotable_expression::Projection;
use monotable_types::{Constraints, IndexName};

use crate::capacity::write_consumed_capacity;
use crate::error::{Failure, Result};
use crate::json::{Reader, Writer};
use crate::layer::Layer;
use crate::legacy::attributes_to_get;
use crate::placeholders::Placeholders;
use crate::value::{Attributes, Problem, write_item, write_read_item};

/// The members that Query and Scan share.
#[derive(Default)]
pub(crate) struct Page {
    pub(crate) table_name: Option<String>,
    pub(crate) index_name: Option<String>,
    pub(crate) filter_expression: Option<String>,
    pub(crate) projection_expression: Option<String>,
    pub(crate) placeholders: Placeholders,
    pub(crate) attributes_to_get: Option<Vec<String>>,
    pub(crate) conditional_operator: Option<String>,
    pub(crate) select: Option<String>,
    pub(crate) limit: Option<i32>,
    pub(crate) exclusive_start_key: Option<Attributes>,
    pub(crate) consistent_read: Option<bool>,
    pub(crate) return_consumed_capacity: Option<String>,
}

impl Page {
    /// Reads a member, and returns whether it is a shared one.
    pub(crate) fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<bool> {
        match name {
            "TableName" => self.table_name = reader.text()?,
            "IndexName" => self.index_name = reader.text()?,
            "FilterExpression" => self.filter_expression = reader.text()?,
            "ProjectionExpression" => self.projection_expression = reader.text()?,
            "AttributesToGet" => self.attributes_to_get = reader.texts()?,
            "ConditionalOperator" => self.conditional_operator = reader.text()?,
            "Select" => self.select = reader.text()?,
            "Limit" => self.limit = reader.integer()?,
            "ExclusiveStartKey" => self.exclusive_start_key = Attributes::read(reader)?,
            "ConsistentRead" => self.consistent_read = reader.truth()?,
            "ReturnConsumedCapacity" => self.return_consumed_capacity = reader.text()?,
            _ => return self.placeholders.member(name, reader),
        }
        Ok(true)
    }

    /// Returns whether the response contains only counts.
    pub(crate) fn counts_only(&self) -> bool {
        self.select.as_deref() == Some("COUNT")
    }

    /// Checks the name of the index.
    pub(crate) fn check_index_name(&self, constraints: &mut Constraints) {
        if let Some(name) = &self.index_name {
            constraints.name(IndexName::try_from(name.as_str()), "indexName");
        }
    }

    /// Checks `AttributesToGet`.
    pub(crate) fn check_attributes_to_get(&self, constraints: &mut Constraints) {
        if let Some(attributes) = &self.attributes_to_get {
            let printed = format!("[{}]", attributes.join(", "));
            constraints.length(attributes.len(), printed, "attributesToGet", 1..=255);
        }
    }

    /// Returns the projection, in whichever form it was sent.
    pub(crate) fn projection(&mut self) -> Result<Option<Expression<Projection>>> {
        let legacy = self.attributes_to_get.as_deref().map(attributes_to_get).transpose()?;
        Ok(self.projection_expression.take().map(Expression::Text).or(legacy))
    }

    /// Returns the key after which the page starts. Its errors carry AWS's prefix, except those of
    /// numbers and sets.
    pub(crate) fn start_key(&mut self, layer: Layer) -> Result<Option<Item>> {
        let Some(attributes) = self.exclusive_start_key.take() else {
            return Ok(None);
        };
        match attributes.problem {
            None => Ok(Some(attributes.item)),
            Some((_, Problem::Datatypes(text))) => {
                Err(Failure::validation(format!("The provided starting key is invalid: {text}")))
            }
            Some((_, problem)) => Err(Failure::validation(problem.text(layer))),
        }
    }

    /// Returns the limit in the engine's type. It has been checked to be positive.
    pub(crate) fn limit(&self) -> Option<u32> {
        self.limit.and_then(|limit| u32::try_from(limit).ok())
    }
}

/// Writes the members of the response.
pub(crate) fn write_page(json: &mut Writer<'_>, page: &QueryOutput, counts_only: bool) {
    if !counts_only {
        json.name("Items");
        json.begin_array();
        page.items.iter().for_each(|item| write_read_item(json, item));
        json.end_array();
    }
    json.name("Count");
    json.integer(page.count);
    json.name("ScannedCount");
    json.integer(page.scanned_count);
    if let Some(key) = &page.last_evaluated_key {
        json.name("LastEvaluatedKey");
        write_item(json, key);
    }
    write_consumed_capacity(json, page.consumed_capacity.as_ref());
}
