//! `AttributeUpdates`, the legacy form of an update.

use std::collections::BTreeMap;

use monotable_engine::Expression;
use monotable_expression::Update;
use monotable_expression::legacy::{AttributeAction, AttributeUpdate, attribute_updates};
use monotable_types::{AttributeValue, Constraints};

use crate::error::{Failure, Result};
use crate::field::Holder;
use crate::json::Reader;
use crate::layer::Layer;
use crate::legacy::optional_value;
use crate::parameters::choose;
use crate::value::{Problem, make_empty};

const CLASS: &str = "AttributeValueUpdate";
const ACTIONS: &[(&str, AttributeAction)] = &[
    ("ADD", AttributeAction::Add),
    ("PUT", AttributeAction::Put),
    ("DELETE", AttributeAction::Delete),
];

/// The update of one attribute, as sent in the request.
#[derive(Default)]
struct RawUpdate {
    value: Option<AttributeValue>,
    action: Option<String>,
    problem: Option<Problem>,
}

impl RawUpdate {
    fn is_too_deep(&self) -> bool {
        self.problem.as_ref().is_some_and(Problem::is_too_deep)
    }
}

/// Updates by attribute.
#[derive(Default)]
pub(super) struct AttributeUpdates(BTreeMap<String, RawUpdate>);

impl AttributeUpdates {
    /// Reads the map, if it is there.
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Option<Self>> {
        let mut updates = BTreeMap::new();
        let found = reader.map(CLASS, |reader, attribute| {
            let mut update = RawUpdate::default();
            reader.structure(CLASS, Holder::Collection, |reader, name| {
                match name {
                    "Value" => update.value = optional_value(reader, &mut update.problem)?,
                    "Action" => update.action = reader.text()?,
                    _ => reader.ignore()?,
                }
                Ok(())
            })?;
            updates.insert(attribute.into_owned(), update);
            Ok(())
        })?;
        Ok(found.then_some(Self(updates)))
    }

    /// Checks that each action is one of the three that exist.
    pub(super) fn check_actions(&self, constraints: &mut Constraints) {
        for (attribute, update) in &self.0 {
            let path = format!("attributeUpdates.{attribute}.member.action");
            choose(constraints, &path, update.action.as_deref(), ACTIONS);
        }
    }

    /// Returns whether a value is nested so deeply that the older layer checks the request.
    pub(super) fn is_too_deep(&self) -> bool {
        self.0.values().any(RawUpdate::is_too_deep)
    }

    /// Removes values that are nested too deeply, and returns whether there were any.
    pub(super) fn take_too_deep(&mut self) -> bool {
        let mut found = false;
        for update in self.0.values_mut().filter(|update| update.is_too_deep()) {
            update.problem = None;
            update.value.iter_mut().for_each(make_empty);
            found = true;
        }
        found
    }

    /// Returns the update, if each value is valid and fits its action.
    pub(super) fn checked(self, layer: Layer) -> Result<Expression<Update>> {
        if self.0.contains_key("") {
            return Err(Failure::validation("Empty attribute name"));
        }
        let mut updates = BTreeMap::new();
        for (attribute, RawUpdate { value, action, problem }) in self.0 {
            if let Some(problem) = problem {
                return Err(Failure::validation(problem.text(layer)));
            }
            let action = action.and_then(|word| word.parse().ok());
            updates.insert(attribute, AttributeUpdate { value, action });
        }
        Ok(Expression::Legacy(attribute_updates(&updates)?))
    }
}
