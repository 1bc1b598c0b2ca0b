//! Prints the expressions of one request as texts, with the placeholders that they refer to.

use std::collections::HashMap;

use monotable_expression::{Condition, KeyCondition, Printer, Update};

use super::value::{SdkItem, to_sdk};

/// Prints the expressions of one request.
#[derive(Default)]
pub(super) struct Expressions(Printer);

/// `ExpressionAttributeNames` and `ExpressionAttributeValues`; `None` if they are empty.
pub(super) type Placeholders = (Option<HashMap<String, String>>, Option<SdkItem>);

impl Expressions {
    pub(super) fn condition(&mut self, condition: Option<&Condition>) -> Option<String> {
        condition.map(|condition| self.0.condition(condition))
    }

    pub(super) fn key_condition(&mut self, condition: &KeyCondition) -> String {
        self.0.key_condition(condition)
    }

    /// Prints an update; returns `None` for one without changes, for which DynamoDB has no text.
    pub(super) fn update(&mut self, update: &Update) -> Option<String> {
        Some(self.0.update(update)).filter(|text| !text.is_empty())
    }

    pub(super) fn placeholders(self) -> Placeholders {
        let (names, values) = self.0.finish();
        let names: HashMap<_, _> = names.into_iter().collect();
        let values: SdkItem =
            values.into_iter().map(|(name, value)| (name, to_sdk(value))).collect();
        (
            Some(names).filter(|names| !names.is_empty()),
            Some(values).filter(|values| !values.is_empty()),
        )
    }
}
