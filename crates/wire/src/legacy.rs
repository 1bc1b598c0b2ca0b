//! The legacy parameters, older than expressions: `Expected`, filters, key conditions,
//! `AttributesToGet`. They become the same trees.

use std::collections::BTreeMap;

use monotable_engine::Expression;
use monotable_expression::legacy::{self, ConditionalOperator, ExpectedAttribute, FilterCondition};
use monotable_expression::{Condition, KeyCondition, Projection};
use monotable_types::{AttributeValue, Constraints};

use crate::error::{Failure, Result};
use crate::field::Holder;
use crate::json::Reader;
use crate::layer::Layer;
use crate::parameters::{choose, choose_unnamed};
use crate::value::{Problem, make_empty, read_value};

/// One attribute of `Expected`, `QueryFilter`, `ScanFilter` or `KeyConditions`.
#[derive(Clone, Debug, Default)]
struct RawCondition {
    value: Option<AttributeValue>,
    exists: Option<bool>,
    comparison_operator: Option<String>,
    attribute_value_list: Option<Vec<AttributeValue>>,
    problem: Option<Problem>,
}

impl RawCondition {
    fn read(reader: &mut Reader<'_>, class: &str) -> Result<Self> {
        let mut raw = Self::default();
        reader.structure(class, Holder::Collection, |reader, name| {
            match name {
                "Value" => raw.value = optional_value(reader, &mut raw.problem)?,
                "Exists" => raw.exists = reader.truth()?,
                "ComparisonOperator" => raw.comparison_operator = reader.text()?,
                "AttributeValueList" => {
                    let problem = &mut raw.problem;
                    raw.attribute_value_list = reader.list(|reader| {
                        let (value, found) = read_value(reader, Holder::Collection)?;
                        *problem = problem.take().or(found);
                        Ok(value)
                    })?;
                }
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(raw)
    }

    fn check(&self, layer: Layer) -> Result<()> {
        match &self.problem {
            Some(problem) => Err(Failure::validation(problem.text(layer))),
            None => Ok(()),
        }
    }

    fn is_too_deep(&self) -> bool {
        self.problem.as_ref().is_some_and(Problem::is_too_deep)
    }
}

/// Reads the value of a named member, if it is there.
pub(crate) fn optional_value(
    reader: &mut Reader<'_>,
    problem: &mut Option<Problem>,
) -> Result<Option<AttributeValue>> {
    if reader.kind()? == crate::json::Kind::Null {
        reader.null()?;
        return Ok(None);
    }
    let (value, found) = read_value(reader, Holder::Member)?;
    *problem = problem.take().or(found);
    Ok(Some(value))
}

/// Conditions by attribute, as sent in the request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions(BTreeMap<String, RawCondition>);

impl Conditions {
    /// Reads a map of conditions of AWS's `class`, if it is there.
    pub(crate) fn read(reader: &mut Reader<'_>, class: &str) -> Result<Option<Self>> {
        let mut conditions = BTreeMap::new();
        let found = reader.map(class, |reader, attribute| {
            conditions.insert(attribute.into_owned(), RawCondition::read(reader, class)?);
            Ok(())
        })?;
        Ok(found.then_some(Self(conditions)))
    }

    /// Checks that each condition of a filter or a key has an operator.
    pub(crate) fn need_operators(&self, constraints: &mut Constraints, path: &str) {
        for (attribute, raw) in &self.0 {
            if raw.comparison_operator.is_none() {
                constraints.null(&format!("{path}.{attribute}.member.comparisonOperator"));
            }
        }
    }

    fn check_values(&self, layer: Layer) -> Result<()> {
        if self.0.contains_key("") {
            return Err(Failure::validation("Empty attribute name"));
        }
        self.0.values().try_for_each(|raw| raw.check(layer))
    }

    /// Returns whether a value is nested so deeply that the older layer checks the request.
    pub(crate) fn is_too_deep(&self) -> bool {
        self.0.values().any(RawCondition::is_too_deep)
    }

    /// Removes values that are nested too deeply, and returns whether there were any.
    pub(crate) fn take_too_deep(&mut self) -> bool {
        let mut found = false;
        for raw in self.0.values_mut().filter(|raw| raw.is_too_deep()) {
            raw.problem = None;
            let listed = raw.attribute_value_list.iter_mut().flatten();
            raw.value.iter_mut().chain(listed).for_each(make_empty);
            found = true;
        }
        found
    }

    /// Refuses a `ConditionalOperator` for a single condition.
    fn joined_by(&self, operator: Option<ConditionalOperator>) -> Result<()> {
        if operator.is_some() && self.0.len() == 1 {
            Err(Failure::validation(
                "ConditionalOperator can only be used when Filter or Expected has two or more \
                 elements",
            ))
        } else {
            Ok(())
        }
    }

    /// Returns the condition that `Expected` stands for.
    pub(crate) fn expected(
        self,
        operator: Option<ConditionalOperator>,
        layer: Layer,
    ) -> Result<Option<Expression<Condition>>> {
        self.check_values(layer)?;
        self.joined_by(operator)?;
        let mut attributes = BTreeMap::new();
        for (attribute, raw) in self.0 {
            let expected = ExpectedAttribute {
                comparison_operator: raw
                    .comparison_operator
                    .as_deref()
                    .map(operator_of)
                    .transpose()?,
                value: raw.value,
                exists: raw.exists,
                attribute_value_list: raw.attribute_value_list,
            };
            attributes.insert(attribute, expected);
        }
        Ok(legacy::expected(&attributes, operator)?.map(Expression::Legacy))
    }

    fn comparisons(self) -> Result<BTreeMap<String, FilterCondition>> {
        let mut comparisons = BTreeMap::new();
        for (attribute, raw) in self.0 {
            let comparison = FilterCondition {
                comparison_operator: operator_of(raw.comparison_operator.as_deref().unwrap_or(""))?,
                attribute_value_list: raw.attribute_value_list.unwrap_or_default(),
            };
            comparisons.insert(attribute, comparison);
        }
        Ok(comparisons)
    }

    /// Returns the condition that `QueryFilter` or `ScanFilter` stands for.
    pub(crate) fn filter(
        self,
        operator: Option<ConditionalOperator>,
        layer: Layer,
    ) -> Result<Option<Expression<Condition>>> {
        self.check_values(layer)?;
        self.joined_by(operator)?;
        Ok(legacy::filter(&self.comparisons()?, operator)?.map(Expression::Legacy))
    }

    /// Returns the key condition that `KeyConditions` stands for.
    pub(crate) fn key_condition(self, layer: Layer) -> Result<Expression<KeyCondition>> {
        self.check_values(layer)?;
        Ok(Expression::Legacy(legacy::key_conditions(&self.comparisons()?)?))
    }
}

fn operator_of<T: std::str::FromStr>(word: &str) -> Result<T> {
    word.parse().map_err(|_| {
        Failure::validation(
            "One or more parameter values were invalid: Invalid comparison operator",
        )
    })
}

/// Parses `ConditionalOperator`.
pub(crate) fn conditional_operator(
    constraints: &mut Constraints,
    word: Option<&str>,
    layer: Layer,
) -> Option<ConditionalOperator> {
    const CHOICES: &[(&str, ConditionalOperator)] =
        &[("OR", ConditionalOperator::Or), ("AND", ConditionalOperator::And)];
    match layer {
        // AWS's message contains `ALL` instead of `AND`.
        Layer::Current => choose_unnamed(constraints, word, CHOICES, "[ALL, OR]"),
        Layer::Older => choose(constraints, "conditionalOperator", word, CHOICES),
    }
}

/// Refuses a `ConditionalOperator` without conditions. The older layer checks their values before
/// it counts them.
pub(crate) fn operator_needs_conditions(
    operator: Option<ConditionalOperator>,
    conditions: Option<&Conditions>,
    layer: Layer,
) -> Result<()> {
    match (operator, conditions) {
        (Some(_), None) => Err(Failure::validation(
            "ConditionalOperator cannot be used without Filter or Expected",
        )),
        (operator, Some(conditions)) if layer == Layer::Current => conditions.joined_by(operator),
        _ => Ok(()),
    }
}

/// Returns the projection that `AttributesToGet` stands for.
pub(crate) fn attributes_to_get(attributes: &[String]) -> Result<Expression<Projection>> {
    if attributes.iter().any(String::is_empty) {
        return Err(Failure::validation("Empty attribute name"));
    }
    Ok(Expression::Legacy(legacy::attributes_to_get(attributes)?))
}
