//! `Expected`, the predecessor of condition expressions.

use std::collections::BTreeMap;

use monotable_types::AttributeValue;

use super::{ComparisonOperator, ConditionalOperator, LegacyError};
use crate::{Condition, ExpressionError, Path};

/// The expectation for one attribute: a value, its absence, or a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpectedAttribute {
    /// `Value`
    pub value: Option<AttributeValue>,
    /// `Exists`
    pub exists: Option<bool>,
    /// `ComparisonOperator`
    pub comparison_operator: Option<ComparisonOperator>,
    /// `AttributeValueList`
    pub attribute_value_list: Option<Vec<AttributeValue>>,
}

/// Translates `Expected` with its `ConditionalOperator`; `None` if it expects nothing.
///
/// ```
/// use std::collections::BTreeMap;
/// use monotable_expression::legacy::{ExpectedAttribute, expected};
/// use monotable_expression::path;
///
/// let version = ExpectedAttribute { value: Some(3.into()), ..Default::default() };
/// let condition = expected(&BTreeMap::from([("version".into(), version)]), None)?;
/// assert_eq!(condition, Some(path("version").eq(3)));
/// # Ok::<(), monotable_expression::ExpressionError>(())
/// ```
pub fn expected(
    attributes: &BTreeMap<String, ExpectedAttribute>,
    operator: Option<ConditionalOperator>,
) -> Result<Option<Condition>, ExpressionError> {
    if attributes.is_empty() && operator.is_some() {
        return Err(LegacyError::OperatorWithoutConditions.into());
    }
    let conditions: Result<_, _> =
        attributes.iter().map(|(attribute, expected)| expected.condition(attribute)).collect();
    Ok(operator.unwrap_or_default().combine(conditions?))
}

impl ExpectedAttribute {
    fn condition(&self, attribute: &str) -> Result<Condition, LegacyError> {
        if self.attribute_value_list.is_some() && self.value.is_some() {
            let attribute = attribute.to_owned();
            return Err(LegacyError::ValueAndList { attribute });
        }
        match (self.comparison_operator, &self.attribute_value_list) {
            (Some(operator), _) => self.comparison(attribute, operator),
            (None, Some(_)) => {
                let attribute = attribute.to_owned();
                Err(LegacyError::ListWithoutOperator { attribute })
            }
            (None, None) => self.existence(attribute),
        }
    }

    fn comparison(
        &self,
        attribute: &str,
        operator: ComparisonOperator,
    ) -> Result<Condition, LegacyError> {
        if self.exists.is_some() {
            let attribute = attribute.to_owned();
            return Err(LegacyError::ExistsAndOperator { attribute });
        }
        let needs_value =
            !matches!(operator, ComparisonOperator::Null | ComparisonOperator::NotNull);
        let arguments = match (&self.attribute_value_list, &self.value) {
            (Some(list), _) => list.as_slice(),
            (None, Some(value)) => std::slice::from_ref(value),
            (None, None) if needs_value => {
                let attribute = attribute.to_owned();
                return Err(LegacyError::OperatorWithoutValue { operator, attribute });
            }
            (None, None) => &[],
        };
        operator.check(arguments)?;
        Ok(operator.condition(attribute, arguments))
    }

    fn existence(&self, attribute: &str) -> Result<Condition, LegacyError> {
        let path = Path::attribute(attribute);
        let attribute = attribute.to_owned();
        match (self.exists, &self.value) {
            (Some(false), None) => Ok(path.not_exists()),
            (Some(false), Some(_)) => Err(LegacyError::NotExistsWithValue { attribute }),
            (_, Some(value)) => Ok(path.eq(value.clone())),
            (Some(true), None) => {
                Err(LegacyError::ExistsWithoutValue { exists: "true", attribute })
            }
            (None, None) => Err(LegacyError::ExistsWithoutValue { exists: "null", attribute }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Printer;
    use expect_test::{Expect, expect};
    use monotable_types::list;

    type Operator = ComparisonOperator;

    fn attribute(
        operator: Option<Operator>,
        value: Option<AttributeValue>,
        list: Option<Vec<AttributeValue>>,
        exists: Option<bool>,
    ) -> ExpectedAttribute {
        ExpectedAttribute {
            value,
            exists,
            comparison_operator: operator,
            attribute_value_list: list,
        }
    }

    fn check(expectation: ExpectedAttribute, expected_text: Expect) {
        let outcome = expected(&BTreeMap::from([("a".into(), expectation)]), None);
        let text = match outcome {
            Ok(condition) => Printer::new().condition(&condition.unwrap()),
            Err(error) => error.to_string(),
        };
        expected_text.assert_eq(&text);
    }

    #[test]
    fn values_and_existence_without_an_operator() {
        check(attribute(None, Some(1.into()), None, None), expect!["#n0 = :v0"]);
        check(attribute(None, Some(1.into()), None, Some(true)), expect!["#n0 = :v0"]);
        check(attribute(None, None, None, Some(false)), expect!["attribute_not_exists(#n0)"]);
        check(
            attribute(None, None, None, None),
            expect![
                "One or more parameter values were invalid: Value must be provided when Exists is null for Attribute: a"
            ],
        );
        check(
            attribute(None, None, None, Some(true)),
            expect![
                "One or more parameter values were invalid: Value must be provided when Exists is true for Attribute: a"
            ],
        );
        check(
            attribute(None, Some(1.into()), None, Some(false)),
            expect![
                "One or more parameter values were invalid: Value cannot be used when Exists is false for Attribute: a"
            ],
        );
    }

    #[test]
    fn operators_take_a_value_or_a_list() {
        let one = || Some(vec![1.into()]);
        check(attribute(Some(Operator::Ge), Some(1.into()), None, None), expect!["#n0 >= :v0"]);
        check(attribute(Some(Operator::Ne), None, one(), None), expect!["#n0 <> :v0"]);
        check(
            attribute(Some(Operator::Null), None, None, None),
            expect!["attribute_not_exists(#n0)"],
        );
        check(
            attribute(Some(Operator::NotNull), None, Some(vec![]), None),
            expect!["attribute_exists(#n0)"],
        );
    }

    #[test]
    fn parameters_that_do_not_go_together() {
        let one = || Some(vec![1.into()]);
        check(
            attribute(None, Some(1.into()), one(), None),
            expect![
                "One or more parameter values were invalid: Value and AttributeValueList cannot be used together for Attribute: a"
            ],
        );
        check(
            attribute(Some(Operator::Eq), Some(1.into()), None, Some(true)),
            expect![
                "One or more parameter values were invalid: Exists and ComparisonOperator cannot be used together for Attribute: a"
            ],
        );
        check(
            attribute(Some(Operator::Lt), None, None, None),
            expect![
                "One or more parameter values were invalid: Value or AttributeValueList must be used with ComparisonOperator: LT for Attribute: a"
            ],
        );
        check(
            attribute(None, None, one(), None),
            expect![
                "One or more parameter values were invalid: AttributeValueList can only be used with a ComparisonOperator for Attribute: a"
            ],
        );
        check(
            attribute(Some(Operator::Null), Some(1.into()), None, None),
            expect![
                "One or more parameter values were invalid: Invalid number of argument(s) for the NULL ComparisonOperator"
            ],
        );
        check(
            attribute(Some(Operator::Lt), None, Some(vec![list![]]), None),
            expect![
                "One or more parameter values were invalid: ComparisonOperator LT is not valid for L AttributeValue type"
            ],
        );
    }

    #[test]
    fn conditions_combine_with_and_by_default() {
        let exists = || attribute(Some(Operator::NotNull), None, None, None);
        let both = BTreeMap::from([("a".into(), exists()), ("b".into(), exists())]);
        let print = |operator| {
            let condition = expected(&both, operator).unwrap().unwrap();
            Printer::new().condition(&condition)
        };
        assert_eq!(print(None), "attribute_exists(#n0) AND attribute_exists(#n1)");
        assert_eq!(
            print(Some(ConditionalOperator::Or)),
            "attribute_exists(#n0) OR attribute_exists(#n1)"
        );
        assert_eq!(expected(&BTreeMap::new(), None), Ok(None));
        expect!["One or more parameter values were invalid: ConditionalOperator cannot be used without Filter or Expected"]
            .assert_eq(&expected(&BTreeMap::new(), Some(ConditionalOperator::And)).unwrap_err().to_string());
    }
}
