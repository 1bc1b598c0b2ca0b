//! The parameters from before there were expressions: `Expected`, filters, key conditions,
//! `AttributesToGet`. They become the same trees.

use std::collections::BTreeMap;

use monotable_engine::Expression;
use monotable_expression::legacy::{self, ConditionalOperator, ExpectedAttribute, FilterCondition};
use monotable_expression::{Condition, KeyCondition, Projection};
use monotable_types::{AttributeValue, Constraints};

use crate::error::{Failure, Result};
use crate::field::Holder;
use crate::json::Reader;
use crate::parameters::choose;
use crate::value::{Problem, read_value};

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

    fn check(&self) -> Result<()> {
        match &self.problem {
            Some(problem) => Err(Failure::validation(problem.text())),
            None => Ok(()),
        }
    }
}

/// A value that may be left out, as a named member.
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

/// Conditions by attribute, as the request has them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions(BTreeMap<String, RawCondition>);

impl Conditions {
    /// Reads a map of conditions of AWS's `class`, if there is one.
    pub(crate) fn read(reader: &mut Reader<'_>, class: &str) -> Result<Option<Self>> {
        let mut conditions = BTreeMap::new();
        let found = reader.map(class, |reader, attribute| {
            conditions.insert(attribute.into_owned(), RawCondition::read(reader, class)?);
            Ok(())
        })?;
        Ok(found.then_some(Self(conditions)))
    }

    /// Conditions of a filter or key must say how they compare.
    pub(crate) fn need_operators(&self, constraints: &mut Constraints, path: &str) {
        for (attribute, raw) in &self.0 {
            if raw.comparison_operator.is_none() {
                constraints.null(&format!("{path}.{attribute}.member.comparisonOperator"));
            }
        }
    }

    fn named(&self) -> Result<()> {
        match self.0.contains_key("") {
            true => Err(Failure::validation("Empty attribute name")),
            false => Ok(()),
        }
    }

    /// The tree of `Expected`.
    pub(crate) fn expected(
        self,
        operator: Option<ConditionalOperator>,
    ) -> Result<Option<Expression<Condition>>> {
        self.named()?;
        let mut attributes = BTreeMap::new();
        for (attribute, raw) in self.0 {
            raw.check()?;
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
        self.named()?;
        let mut comparisons = BTreeMap::new();
        for (attribute, raw) in self.0 {
            raw.check()?;
            let comparison = FilterCondition {
                comparison_operator: operator_of(raw.comparison_operator.as_deref().unwrap_or(""))?,
                attribute_value_list: raw.attribute_value_list.unwrap_or_default(),
            };
            comparisons.insert(attribute, comparison);
        }
        Ok(comparisons)
    }

    /// The tree of `QueryFilter` or `ScanFilter`.
    pub(crate) fn filter(
        self,
        operator: Option<ConditionalOperator>,
    ) -> Result<Option<Expression<Condition>>> {
        Ok(legacy::filter(&self.comparisons()?, operator)?.map(Expression::Legacy))
    }

    /// The tree of `KeyConditions`.
    pub(crate) fn key_condition(self) -> Result<Expression<KeyCondition>> {
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

/// `ConditionalOperator`
pub(crate) fn conditional_operator(
    constraints: &mut Constraints,
    word: Option<&str>,
) -> Option<ConditionalOperator> {
    const CHOICES: &[(&str, ConditionalOperator)] =
        &[("OR", ConditionalOperator::Or), ("AND", ConditionalOperator::And)];
    choose(constraints, "conditionalOperator", word, CHOICES)
}

/// A `ConditionalOperator` needs conditions to join.
pub(crate) fn operator_needs_conditions(
    operator: Option<ConditionalOperator>,
    conditions: Option<&Conditions>,
) -> Result<()> {
    match (operator, conditions) {
        (Some(_), None) => Err(Failure::validation(
            "ConditionalOperator cannot be used without Filter or Expected",
        )),
        _ => Ok(()),
    }
}

/// The tree of `AttributesToGet`.
pub(crate) fn attributes_to_get(attributes: &[String]) -> Result<Expression<Projection>> {
    if attributes.iter().any(String::is_empty) {
        return Err(Failure::validation("Empty attribute name"));
    }
    Ok(Expression::Legacy(legacy::attributes_to_get(attributes)?))
}
