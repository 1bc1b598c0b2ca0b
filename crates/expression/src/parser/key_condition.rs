//! `KeyConditionExpression`: the grammar of conditions, restricted to what an index can evaluate.

use super::condition::parse_condition;
use crate::{
    Comparator, Condition, ExpressionError, ExpressionKind, KeyCondition, KeyConditionError,
    KeyTerm, KeyTest, Operand, Placeholders, Reason,
};
use monotable_types::AttributeValue;

/// Parses a `KeyConditionExpression`. The caller checks whether the attributes are those of
/// a key.
///
/// ```
/// use std::collections::BTreeMap;
/// use monotable_expression::{Placeholders, key, parse_key_condition};
///
/// let values = BTreeMap::from([(":p".into(), "TEAM#1".into()), (":s".into(), "P#".into())]);
/// let mut placeholders = Placeholders::new(None, Some(&values));
/// let text = "PK = :p AND begins_with(SK, :s)";
/// assert_eq!(
///     parse_key_condition(text, &mut placeholders)?,
///     key("PK").eq("TEAM#1").and(key("SK").begins_with("P#")),
/// );
/// # Ok::<(), monotable_expression::ExpressionError>(())
/// ```
pub fn parse_key_condition(
    text: &str,
    placeholders: &mut Placeholders<'_>,
) -> Result<KeyCondition, ExpressionError> {
    let condition = parse_condition(text, ExpressionKind::KeyCondition, placeholders)?;
    let mut terms = Vec::new();
    add_terms(condition, &mut terms)?;
    Ok(KeyCondition { terms })
}

fn add_terms(condition: Condition, terms: &mut Vec<KeyTerm>) -> Result<(), ExpressionError> {
    let operator = |operator| Err(KeyConditionError::Operator { operator }.into());
    match condition {
        Condition::And(conditions) => {
            conditions.into_iter().try_for_each(|each| add_terms(each, terms))
        }
        Condition::Or(_) => operator("OR"),
        Condition::Not(_) => operator("NOT"),
        Condition::In { .. } => operator("IN"),
        Condition::AttributeExists(_) => operator("attribute_exists"),
        Condition::AttributeNotExists(_) => operator("attribute_not_exists"),
        Condition::AttributeType(..) => operator("attribute_type"),
        Condition::Contains(..) => operator("contains"),
        Condition::Compare { comparator: Comparator::Ne, .. } => operator("<>"),
        Condition::Compare { left, comparator, right } => {
            add_comparison(left, comparator, right, terms)
        }
        Condition::Between { operand, low, high } => {
            let (attribute, [low, high]) = first_operand("BETWEEN", operand, [low, high])?;
            add_term(attribute, KeyTest::Between(low, high), terms)
        }
        Condition::BeginsWith(operand, prefix) => {
            let (attribute, [prefix]) = first_operand("begins_with", operand, [prefix])?;
            add_term(attribute, KeyTest::BeginsWith(prefix), terms)
        }
    }
}

fn add_comparison(
    left: Operand,
    comparator: Comparator,
    right: Operand,
    terms: &mut Vec<KeyTerm>,
) -> Result<(), ExpressionError> {
    let (attribute, comparator, value) = match left {
        Operand::Path(_) => {
            let attribute = attribute(left)?;
            (attribute, comparator, constant(right)?)
        }
        Operand::Size(_) => return Err(invalid(Reason::KeyNestedOperation)),
        Operand::Value(value) => match right {
            Operand::Value(_) => return Err(KeyConditionError::NoAttribute.into()),
            right => (attribute(right)?, comparator.flipped(), value),
        },
    };
    let test = match comparator {
        Comparator::Eq => KeyTest::Eq(value),
        Comparator::Lt => KeyTest::Lt(value),
        Comparator::Le => KeyTest::Le(value),
        Comparator::Gt => KeyTest::Gt(value),
        Comparator::Ge => KeyTest::Ge(value),
        Comparator::Ne => return Err(KeyConditionError::Operator { operator: "<>" }.into()),
    };
    add_term(attribute, test, terms)
}

/// Returns the attribute and the values of an operator whose first operand must be the attribute.
fn first_operand<const N: usize>(
    operator: &'static str,
    operand: Operand,
    values: [Operand; N],
) -> Result<(String, [AttributeValue; N]), ExpressionError> {
    let attribute = match operand {
        Operand::Path(_) => attribute(operand)?,
        _ => return Err(KeyConditionError::FirstOperand { operator }.into()),
    };
    let mut constants = [const { AttributeValue::Null }; N];
    for (place, value) in constants.iter_mut().zip(values) {
        *place = constant(value)?;
    }
    Ok((attribute, constants))
}

fn attribute(operand: Operand) -> Result<String, ExpressionError> {
    match operand {
        Operand::Path(path) if path.is_attribute() => Ok(path.root),
        Operand::Path(_) => Err(invalid(Reason::KeyNestedAttribute)),
        Operand::Size(_) => Err(invalid(Reason::KeyNestedOperation)),
        Operand::Value(_) => Err(KeyConditionError::NoAttribute.into()),
    }
}

fn constant(operand: Operand) -> Result<AttributeValue, ExpressionError> {
    match operand {
        Operand::Value(value) => Ok(value),
        Operand::Path(_) => Err(KeyConditionError::MultipleAttributes.into()),
        Operand::Size(_) => Err(invalid(Reason::KeyNestedOperation)),
    }
}

fn add_term(
    attribute: String,
    test: KeyTest,
    terms: &mut Vec<KeyTerm>,
) -> Result<(), ExpressionError> {
    if terms.iter().any(|term| term.attribute == attribute) {
        return Err(invalid(Reason::KeyConditionRepeated));
    }
    terms.push(KeyTerm { attribute, test });
    Ok(())
}

fn invalid(reason: Reason) -> ExpressionError {
    let kind = ExpressionKind::KeyCondition;
    ExpressionError::Invalid { kind, reason }
}

#[cfg(test)]
mod tests;
