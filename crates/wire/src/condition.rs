//! The condition of a write, in its old and its new form.

use monotable_engine::{Expression, Substitutions};
use monotable_expression::Condition;
use monotable_expression::legacy::ConditionalOperator;

use crate::error::Result;
use crate::json::Reader;
use crate::legacy::{Conditions, operator_needs_conditions};
use crate::placeholders::Placeholders;

/// `ConditionExpression` with its placeholders, or `Expected` with its `ConditionalOperator`.
#[derive(Clone, Debug, Default)]
pub(crate) struct WriteCondition {
    pub(crate) expression: Option<String>,
    pub(crate) expected: Option<Conditions>,
    pub(crate) conditional_operator: Option<String>,
    pub(crate) placeholders: Placeholders,
}

impl WriteCondition {
    /// Takes one of the members; whether it was one.
    pub(crate) fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<bool> {
        match name {
            "ConditionExpression" => self.expression = reader.text()?,
            "Expected" => self.expected = Conditions::read(reader, "ExpectedAttributeValue")?,
            "ConditionalOperator" => self.conditional_operator = reader.text()?,
            _ => return self.placeholders.member(name, reader),
        }
        Ok(true)
    }

    /// The engine's form.
    pub(crate) fn checked(
        self,
        operator: Option<ConditionalOperator>,
    ) -> Result<(Option<Expression<Condition>>, Substitutions)> {
        operator_needs_conditions(operator, self.expected.as_ref())?;
        let expected = match self.expected {
            Some(expected) => expected.expected(operator)?,
            None => None,
        };
        let substitutions = self.placeholders.checked()?;
        Ok((self.expression.map(Expression::Text).or(expected), substitutions))
    }
}
