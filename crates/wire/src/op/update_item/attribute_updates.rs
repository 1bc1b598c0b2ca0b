//! `AttributeUpdates`, the update from before there were expressions.

use std::collections::BTreeMap;

use monotable_engine::Expression;
use monotable_expression::Update;
use monotable_expression::legacy::{AttributeAction, AttributeUpdate, attribute_updates};
use monotable_types::{AttributeValue, Constraints};

use crate::error::{Failure, Result};
use crate::field::Holder;
use crate::json::Reader;
use crate::legacy::optional_value;
use crate::parameters::choose;
use crate::value::Problem;

const CLASS: &str = "AttributeValueUpdate";
const ACTIONS: &[(&str, AttributeAction)] = &[
    ("ADD", AttributeAction::Add),
    ("PUT", AttributeAction::Put),
    ("DELETE", AttributeAction::Delete),
];

/// What to do with one attribute, as the request has it.
#[derive(Default)]
struct RawUpdate {
    value: Option<AttributeValue>,
    action: Option<String>,
    problem: Option<Problem>,
}

/// Updates by attribute.
#[derive(Default)]
pub(super) struct AttributeUpdates(BTreeMap<String, RawUpdate>);

impl AttributeUpdates {
    /// Reads the map, if there is one.
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

    /// Every action is one of three words.
    pub(super) fn check_actions(&self, constraints: &mut Constraints) {
        for (attribute, update) in &self.0 {
            let path = format!("attributeUpdates.{attribute}.member.action");
            choose(constraints, &path, update.action.as_deref(), ACTIONS);
        }
    }

    /// The tree, if every value is one and goes with its action.
    pub(super) fn checked(self) -> Result<Expression<Update>> {
        if self.0.contains_key("") {
            return Err(Failure::validation("Empty attribute name"));
        }
        let mut updates = BTreeMap::new();
        for (attribute, RawUpdate { value, action, problem }) in self.0 {
            if let Some(problem) = problem {
                return Err(Failure::validation(problem.text()));
            }
            let action = action.and_then(|word| word.parse().ok());
            updates.insert(attribute, AttributeUpdate { value, action });
        }
        Ok(Expression::Legacy(attribute_updates(&updates)?))
    }
}
