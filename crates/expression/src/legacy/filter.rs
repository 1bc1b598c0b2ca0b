//! `QueryFilter`, `ScanFilter`, `KeyConditions` and `AttributesToGet`.

use std::collections::BTreeMap;

use monotable_types::AttributeValue;

use super::{ComparisonOperator, ConditionalOperator, LegacyError};
use crate::{Condition, ExpressionError, KeyCondition, KeyTerm, KeyTest, Path, Projection};

/// A comparison of one attribute in `QueryFilter`, `ScanFilter` or `KeyConditions`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterCondition {
    /// `ComparisonOperator`
    pub comparison_operator: ComparisonOperator,
    /// `AttributeValueList`
    pub attribute_value_list: Vec<AttributeValue>,
}

/// Translates `QueryFilter` or `ScanFilter` with its `ConditionalOperator`; `None` if there are no
/// conditions.
///
/// ```
/// use std::collections::BTreeMap;
/// use monotable_expression::legacy::{ComparisonOperator, FilterCondition, filter};
/// use monotable_expression::path;
///
/// let condition = FilterCondition {
///     comparison_operator: ComparisonOperator::BeginsWith,
///     attribute_value_list: vec!["al".into()],
/// };
/// let conditions = BTreeMap::from([("name".into(), condition)]);
/// assert_eq!(filter(&conditions, None)?, Some(path("name").begins_with("al")));
/// # Ok::<(), monotable_expression::ExpressionError>(())
/// ```
pub fn filter(
    conditions: &BTreeMap<String, FilterCondition>,
    operator: Option<ConditionalOperator>,
) -> Result<Option<Condition>, ExpressionError> {
    if conditions.is_empty() && operator.is_some() {
        return Err(LegacyError::OperatorWithoutConditions.into());
    }
    let mut translated = Vec::with_capacity(conditions.len());
    for (attribute, condition) in conditions {
        let arguments = &condition.attribute_value_list;
        condition.comparison_operator.check(arguments)?;
        translated.push(condition.comparison_operator.condition(attribute, arguments));
    }
    Ok(operator.unwrap_or_default().combine(translated))
}

/// Translates `KeyConditions`. The caller checks whether the attributes are those of a key.
///
/// ```
/// use std::collections::BTreeMap;
/// use monotable_expression::key;
/// use monotable_expression::legacy::{ComparisonOperator, FilterCondition, key_conditions};
///
/// let condition = FilterCondition {
///     comparison_operator: ComparisonOperator::Eq,
///     attribute_value_list: vec!["TEAM#1".into()],
/// };
/// let conditions = BTreeMap::from([("PK".into(), condition)]);
/// assert_eq!(key_conditions(&conditions)?, key("PK").eq("TEAM#1"));
/// # Ok::<(), monotable_expression::ExpressionError>(())
/// ```
pub fn key_conditions(
    conditions: &BTreeMap<String, FilterCondition>,
) -> Result<KeyCondition, ExpressionError> {
    for condition in conditions.values() {
        condition.comparison_operator.check(&condition.attribute_value_list)?;
    }
    if !matches!(conditions.len(), 1 | 2) {
        return Err(LegacyError::KeyConditionCount.into());
    }
    let mut terms = Vec::with_capacity(conditions.len());
    for (attribute, condition) in conditions {
        terms.push(KeyTerm { attribute: attribute.clone(), test: condition.key_test()? });
    }
    Ok(KeyCondition { terms })
}

impl FilterCondition {
    fn key_test(&self) -> Result<KeyTest, LegacyError> {
        type Operator = ComparisonOperator;
        match (self.comparison_operator, self.attribute_value_list.as_slice()) {
            (Operator::Eq, [value]) => Ok(KeyTest::Eq(value.clone())),
            (Operator::Lt, [value]) => Ok(KeyTest::Lt(value.clone())),
            (Operator::Le, [value]) => Ok(KeyTest::Le(value.clone())),
            (Operator::Gt, [value]) => Ok(KeyTest::Gt(value.clone())),
            (Operator::Ge, [value]) => Ok(KeyTest::Ge(value.clone())),
            (Operator::BeginsWith, [prefix]) => Ok(KeyTest::BeginsWith(prefix.clone())),
            (Operator::Between, [low, high]) => Ok(KeyTest::Between(low.clone(), high.clone())),
            _ => Err(LegacyError::KeyConditionOperator),
        }
    }
}

/// Translates `AttributesToGet`.
///
/// ```
/// use monotable_expression::legacy::attributes_to_get;
///
/// let projection = attributes_to_get(&["PK".into(), "a.b".into()])?;
/// assert!(projection.paths[1].is_attribute(), "a dot is part of the name");
/// # Ok::<(), monotable_expression::ExpressionError>(())
/// ```
pub fn attributes_to_get(attributes: &[String]) -> Result<Projection, ExpressionError> {
    let mut paths: Vec<Path> = Vec::with_capacity(attributes.len());
    for attribute in attributes {
        if paths.iter().any(|path| path.root == *attribute) {
            let attribute = attribute.clone();
            return Err(LegacyError::AttributeRepeated { attribute }.into());
        }
        paths.push(Path::attribute(attribute));
    }
    Ok(Projection { paths })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Printer;
    use expect_test::{Expect, expect};
    use monotable_types::{Item, item, list, map, set};

    fn condition<const N: usize>(
        operator: &str,
        arguments: [AttributeValue; N],
    ) -> BTreeMap<String, FilterCondition> {
        let condition = FilterCondition {
            comparison_operator: operator.parse().unwrap(),
            attribute_value_list: arguments.into(),
        };
        BTreeMap::from([("a".into(), condition)])
    }

    fn check<const N: usize>(operator: &str, arguments: [AttributeValue; N], expected: Expect) {
        let text = match filter(&condition(operator, arguments), None) {
            Ok(condition) => Printer::new().condition(&condition.unwrap()),
            Err(error) => error.to_string(),
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn every_operator_has_its_tree() {
        check("EQ", [true.into()], expect!["#n0 = :v0"]);
        check("NE", [map! {}], expect!["#n0 <> :v0"]);
        check("LE", ["a".into()], expect!["#n0 <= :v0"]);
        check("LT", [1.into()], expect!["#n0 < :v0"]);
        check("GE", [1.into()], expect!["#n0 >= :v0"]);
        check("GT", [1.into()], expect!["#n0 > :v0"]);
        check("NULL", [], expect!["attribute_not_exists(#n0)"]);
        check("NOT_NULL", [], expect!["attribute_exists(#n0)"]);
        check("CONTAINS", ["x".into()], expect!["contains(#n0, :v0)"]);
        check(
            "NOT_CONTAINS",
            [true.into()],
            expect!["attribute_exists(#n0) AND NOT (contains(#n0, :v0))"],
        );
        check("BEGINS_WITH", ["x".into()], expect!["begins_with(#n0, :v0)"]);
        check("IN", [1.into(), 2.into()], expect!["#n0 IN (:v0, :v1)"]);
        check("BETWEEN", [1.into(), 2.into()], expect!["#n0 BETWEEN :v0 AND :v1"]);
    }

    #[test]
    fn arguments_are_counted_then_typed_then_ordered() {
        check(
            "EQ",
            [],
            expect![
                "One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator"
            ],
        );
        check(
            "NULL",
            [1.into()],
            expect![
                "One or more parameter values were invalid: Invalid number of argument(s) for the NULL ComparisonOperator"
            ],
        );
        check(
            "BETWEEN",
            [list![]],
            expect![
                "One or more parameter values were invalid: Invalid number of argument(s) for the BETWEEN ComparisonOperator"
            ],
        );
        check(
            "IN",
            ["b".into(), 1.into()],
            expect![
                "One or more parameter values were invalid: AttributeValues inside AttributeValueList must be of same type"
            ],
        );
        check(
            "IN",
            [list![]],
            expect![
                "One or more parameter values were invalid: ComparisonOperator IN is not valid for L AttributeValue type"
            ],
        );
        check(
            "CONTAINS",
            [set![1].into()],
            expect![
                "One or more parameter values were invalid: ComparisonOperator CONTAINS is not valid for NS AttributeValue type"
            ],
        );
        check(
            "BEGINS_WITH",
            [1.into()],
            expect![
                "One or more parameter values were invalid: ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"
            ],
        );
        check(
            "BETWEEN",
            ["b".into(), "a".into()],
            expect![
                "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"
            ],
        );
    }

    #[test]
    fn of_a_missing_attribute_ne_holds_and_not_contains_does_not() {
        let holds = |operator, item: &Item| {
            let filter = filter(&condition(operator, ["x".into()]), None).unwrap().unwrap();
            filter.evaluate(item)
        };
        assert!(holds("NE", &item! {}));
        assert!(!holds("NOT_CONTAINS", &item! {}));
        assert!(holds("NOT_CONTAINS", &item! { "a" => 1 }), "a number contains nothing");
    }

    #[test]
    fn key_conditions_take_one_or_two_attributes_and_operators_that_seek() {
        let refusal =
            |conditions: &BTreeMap<_, _>| key_conditions(conditions).unwrap_err().to_string();
        expect!["Conditions can be of length 1 or 2 only"].assert_eq(&refusal(&BTreeMap::new()));
        expect!["Attempted conditional constraint is not an indexable operation"]
            .assert_eq(&refusal(&condition("NE", [1.into()])));
        let between = key_conditions(&condition("BETWEEN", [1.into(), 2.into()])).unwrap();
        assert_eq!(between, crate::key("a").between(1, 2));
    }

    #[test]
    fn attributes_to_get_are_named_once() {
        let error = attributes_to_get(&["b".into(), "a".into(), "a".into()]).unwrap_err();
        expect!["One or more parameter values were invalid: Duplicate value in attribute name: a"]
            .assert_eq(&error.to_string());
    }
}
