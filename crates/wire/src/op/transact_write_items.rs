//! TransactWriteItems.

mod action;

use monotable_engine::{Database, TransactWrite, TransactWriteItems as TransactWrites};
use monotable_types::{Constraints, limits};

use self::action::Element;
use super::transaction::check_length;
use crate::capacity::{Split, write_collection_metrics_by_table, write_consumed_capacities};
use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::{finish, return_consumed_capacity, return_item_collection_metrics};
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct TransactWriteItems {
    transact_items: Option<Vec<Element>>,
    client_request_token: Option<String>,
    return_consumed_capacity: Option<String>,
    return_item_collection_metrics: Option<String>,
}

impl Call for TransactWriteItems {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TransactItems" => self.transact_items = reader.list(Element::read)?,
            "ClientRequestToken" => self.client_request_token = reader.text()?,
            "ReturnConsumedCapacity" => self.return_consumed_capacity = reader.text()?,
            "ReturnItemCollectionMetrics" => self.return_item_collection_metrics = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn returned_capacity(&mut self) -> Option<&mut Option<String>> {
        Some(&mut self.return_consumed_capacity)
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        self.transact_items.iter().flatten().filter_map(Element::touch).collect()
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let output = database.submit(self.validate()?).await?;
        // A repeated token changes nothing and is charged as a read.
        let is_repeat = output.consumed_capacity.iter().any(|used| used.read_units > 0.0);
        let split = if is_repeat { Split::Read } else { Split::Write };
        write_consumed_capacities(json, &output.consumed_capacity, split);
        write_collection_metrics_by_table(json, &output.item_collection_metrics);
        Ok(())
    }
}

impl TransactWriteItems {
    fn validate(self) -> Result<TransactWrites> {
        let mut constraints = Constraints::default();
        check_length(&mut constraints, self.transact_items.as_ref().map(Vec::len));
        let elements = self.transact_items.unwrap_or_default();
        if let Some(token) = &self.client_request_token {
            let allowed = 1..=limits::CLIENT_REQUEST_TOKEN_LENGTH_MAX;
            constraints.text(token, "clientRequestToken", allowed);
        }
        let return_consumed_capacity =
            return_consumed_capacity(&mut constraints, self.return_consumed_capacity.as_deref());
        let return_item_collection_metrics = return_item_collection_metrics(
            &mut constraints,
            self.return_item_collection_metrics.as_deref(),
        );
        // The elements of a list that is too long are not checked.
        for (element, position) in elements.iter().zip(1..=limits::TRANSACT_MAX) {
            element.check_words(&mut constraints, position);
        }
        finish(constraints)?;
        elements.iter().try_for_each(Element::check_is_one_action)?;
        let mut members = Constraints::default();
        for (element, position) in elements.iter().zip(1..) {
            element.check_members(&mut members, position);
        }
        finish(members)?;
        let mut transact_items = Vec::with_capacity(elements.len());
        for action in elements.into_iter().filter_map(Element::into_action) {
            match action.checked() {
                Ok(action) => transact_items.push(action),
                Err(failure) => {
                    // Errors of earlier actions come first.
                    transact_items.iter().try_for_each(TransactWrite::check_action)?;
                    return Err(failure);
                }
            }
        }
        Ok(TransactWrites {
            transact_items,
            client_request_token: self.client_request_token,
            return_consumed_capacity,
            return_item_collection_metrics,
        })
    }
}
