//! The attributes that a read by key returns, in the legacy and the current form.

use monotable_engine::{Expression, Substitutions};
use monotable_expression::Projection;
use monotable_types::Constraints;

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::layer::Layer;
use crate::legacy::attributes_to_get;
use crate::parameters::Mixing;
use crate::placeholders::Placeholders;

/// `ProjectionExpression` with its names, or `AttributesToGet`.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadProjection {
    pub(crate) expression: Option<String>,
    pub(crate) attributes_to_get: Option<Vec<String>>,
    placeholders: Placeholders,
}

impl ReadProjection {
    /// Reads a member, and returns whether it belongs to the projection.
    pub(crate) fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<bool> {
        match name {
            "ProjectionExpression" => self.expression = reader.text()?,
            "AttributesToGet" => self.attributes_to_get = reader.texts()?,
            "ExpressionAttributeNames" => return self.placeholders.member(name, reader),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Writes the members as they were sent.
    pub(crate) fn write_members(&self, json: &mut Writer<'_>) {
        if let Some(attributes) = &self.attributes_to_get {
            json.array_member("AttributesToGet", attributes, |json, name| json.string(name));
        }
        json.optional_text_member("ProjectionExpression", self.expression.as_deref());
        self.placeholders.write_names(json);
    }

    /// Checks that `AttributesToGet` names at least one attribute.
    pub(crate) fn check_constraints(&self, constraints: &mut Constraints, path: &str) {
        if let Some(attributes) = &self.attributes_to_get {
            let printed = format!("[{}]", attributes.join(", "));
            constraints.length(attributes.len(), printed, path, 1..=ATTRIBUTES_TO_GET_MAX);
        }
    }

    /// Refuses both forms together, and names without an expression.
    pub(crate) fn check_mixing(&self) -> Result<()> {
        let expressions = [("ProjectionExpression", self.expression.is_some())];
        Mixing {
            legacy: &[("AttributesToGet", self.attributes_to_get.is_some())],
            expressions: &expressions,
        }
        .check()?;
        self.placeholders.need_expressions(&expressions, Some("ProjectionExpression is null"))
    }

    /// Returns the projection in the engine's form.
    pub(crate) fn checked(self) -> Result<(Option<Expression<Projection>>, Substitutions)> {
        let attributes = self.attributes_to_get.as_deref().map(attributes_to_get).transpose()?;
        let substitutions = self.placeholders.checked(Layer::Current)?;
        Ok((self.expression.map(Expression::Text).or(attributes), substitutions))
    }
}

/// The most attributes in `AttributesToGet`.
const ATTRIBUTES_TO_GET_MAX: usize = 255;
