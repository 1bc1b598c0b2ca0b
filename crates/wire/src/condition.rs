//! The condition of a write, in its legacy and its current form.

use monotable_engine::{Expression, Substitutions};
use monotable_expression::Condition;
use monotable_expression::legacy::ConditionalOperator;
use monotable_types::Constraints;

use crate::error::{Failure, Result};
use crate::json::Reader;
use crate::layer::Layer;
use crate::legacy::{Conditions, conditional_operator, operator_needs_conditions};
use crate::parameters::Mixing;
use crate::placeholders::Placeholders;
use crate::value::NESTED_TOO_DEEP;

/// `ConditionExpression` with its placeholders, or `Expected` with its `ConditionalOperator`.
#[derive(Clone, Debug, Default)]
pub(crate) struct WriteCondition {
    pub(crate) expression: Option<String>,
    pub(crate) expected: Option<Conditions>,
    pub(crate) conditional_operator: Option<String>,
    pub(crate) placeholders: Placeholders,
}

impl WriteCondition {
    /// Reads a member, and returns whether it belongs to the condition.
    pub(crate) fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<bool> {
        match name {
            "ConditionExpression" => self.expression = reader.text()?,
            "Expected" => self.expected = Conditions::read(reader, "ExpectedAttributeValue")?,
            "ConditionalOperator" => self.conditional_operator = reader.text()?,
            _ => return self.placeholders.member(name, reader),
        }
        Ok(true)
    }

    /// Parses `ConditionalOperator`.
    pub(crate) fn operator(
        &self,
        constraints: &mut Constraints,
        layer: Layer,
    ) -> Option<ConditionalOperator> {
        conditional_operator(constraints, self.conditional_operator.as_deref(), layer)
    }

    /// Refuses legacy parameters together with expressions, where the request has no other
    /// expression.
    pub(crate) fn check_mixing(&self, layer: Layer) -> Result<()> {
        let expressions = [("ConditionExpression", self.expression.is_some())];
        Mixing {
            legacy: &[
                ("Expected", self.expected.is_some()),
                ("ConditionalOperator", self.conditional_operator.is_some()),
            ],
            expressions: &expressions,
        }
        .check()?;
        let absent = layer.absent("ConditionExpression is null");
        self.placeholders.need_expressions(&expressions, absent)
    }

    /// Returns whether a value is nested so deeply that the older layer checks the request.
    pub(crate) fn is_too_deep(&self) -> bool {
        self.placeholders.is_too_deep()
            || self.expected.as_ref().is_some_and(Conditions::is_too_deep)
    }

    /// Removes values that are nested too deeply, and returns the error to report after all others.
    pub(crate) fn take_too_deep(&mut self) -> Option<Failure> {
        let expected = self.expected.as_mut().is_some_and(Conditions::take_too_deep);
        let placeholder = self.placeholders.take_too_deep();
        expected.then(|| Failure::validation(NESTED_TOO_DEEP)).or(placeholder)
    }

    /// Returns the condition in the engine's form.
    pub(crate) fn checked(
        self,
        operator: Option<ConditionalOperator>,
        layer: Layer,
    ) -> Result<(Option<Expression<Condition>>, Substitutions)> {
        operator_needs_conditions(operator, self.expected.as_ref(), layer)?;
        let expected = match self.expected {
            Some(expected) => expected.expected(operator, layer)?,
            None => None,
        };
        let substitutions = self.placeholders.checked(layer)?;
        Ok((self.expression.map(Expression::Text).or(expected), substitutions))
    }
}
