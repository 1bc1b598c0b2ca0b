//! What a write of one item returns: the parameters that request it, and the members of the
//! response.

use monotable_engine::{
    ConsumedCapacity, Item, ItemCollectionMetrics, ReturnConsumedCapacity,
    ReturnItemCollectionMetrics, ReturnOnConditionFailure, ReturnValues,
};
use monotable_types::Constraints;

use crate::capacity::{write_collection_metrics, write_consumed_capacity};
use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::layer::Layer;
use crate::parameters::{
    choose, choose_unnamed, return_consumed_capacity, return_item_collection_metrics,
    return_on_condition_failure,
};
use crate::value::write_item;

/// The four parameters of PutItem, UpdateItem and DeleteItem. Each operation lists their errors in
/// its own order, so there is one method per parameter.
#[derive(Debug, Default)]
pub(crate) struct WriteReturns {
    values: Option<String>,
    on_condition_failure: Option<String>,
    consumed_capacity: Option<String>,
    item_collection_metrics: Option<String>,
}

impl WriteReturns {
    /// Reads a member, and returns whether it is one of the four.
    pub(crate) fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<bool> {
        match name {
            "ReturnValues" => self.values = reader.text()?,
            "ReturnValuesOnConditionCheckFailure" => self.on_condition_failure = reader.text()?,
            "ReturnConsumedCapacity" => self.consumed_capacity = reader.text()?,
            "ReturnItemCollectionMetrics" => self.item_collection_metrics = reader.text()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Parses `ReturnValues`.
    pub(crate) fn values(&self, constraints: &mut Constraints, layer: Layer) -> ReturnValues {
        const CHOICES: &[(&str, ReturnValues)] = &[
            ("ALL_NEW", ReturnValues::AllNew),
            ("UPDATED_OLD", ReturnValues::UpdatedOld),
            ("ALL_OLD", ReturnValues::AllOld),
            ("NONE", ReturnValues::None),
            ("UPDATED_NEW", ReturnValues::UpdatedNew),
        ];
        // AWS's message spells the fourth one wrongly.
        const LISTED: &str = "[ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]";
        let word = self.values.as_deref();
        match layer {
            Layer::Current => choose_unnamed(constraints, word, CHOICES, LISTED),
            Layer::Older => choose(constraints, "returnValues", word, CHOICES),
        }
        .unwrap_or_default()
    }

    /// Parses `ReturnValuesOnConditionCheckFailure`.
    pub(crate) fn on_condition_failure(
        &self,
        constraints: &mut Constraints,
    ) -> ReturnOnConditionFailure {
        let word = self.on_condition_failure.as_deref();
        return_on_condition_failure(constraints, "returnValuesOnConditionCheckFailure", word)
    }

    /// Returns the value of `ReturnConsumedCapacity`.
    pub(crate) fn returned_capacity(&mut self) -> &mut Option<String> {
        &mut self.consumed_capacity
    }

    /// Parses `ReturnConsumedCapacity`.
    pub(crate) fn consumed_capacity(
        &self,
        constraints: &mut Constraints,
    ) -> ReturnConsumedCapacity {
        return_consumed_capacity(constraints, self.consumed_capacity.as_deref())
    }

    /// Parses `ReturnItemCollectionMetrics`.
    pub(crate) fn item_collection_metrics(
        &self,
        constraints: &mut Constraints,
    ) -> ReturnItemCollectionMetrics {
        return_item_collection_metrics(constraints, self.item_collection_metrics.as_deref())
    }
}

/// Writes the members of the response.
pub(crate) fn write_returned(
    json: &mut Writer<'_>,
    attributes: Option<&Item>,
    consumed_capacity: Option<&ConsumedCapacity>,
    item_collection_metrics: Option<&ItemCollectionMetrics>,
) {
    if let Some(attributes) = attributes {
        json.name("Attributes");
        write_item(json, attributes);
    }
    write_consumed_capacity(json, consumed_capacity);
    write_collection_metrics(json, item_collection_metrics);
}
