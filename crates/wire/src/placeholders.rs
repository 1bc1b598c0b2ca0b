//! The placeholders of a request's expressions: their names and values.
//!
//! Checks their length. The code that parses expressions checks how they are spelled and whether
//! they are used.

use std::collections::BTreeMap;

use monotable_engine::Substitutions;
use monotable_expression as expression;
use monotable_types::{item_size_bytes, limits};

use crate::error::{Failure, Result};
use crate::json::{Reader, Writer};
use crate::layer::{COUNTED_LEVELS_MAX, Layer};
use crate::value::{Attributes, Problem};

const NAMES: &str = "ExpressionAttributeNames";
const VALUES: &str = "ExpressionAttributeValues";

/// `ExpressionAttributeNames` and `ExpressionAttributeValues`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placeholders {
    names: Option<BTreeMap<String, String>>,
    values: Option<Attributes>,
}

impl Placeholders {
    /// Reads a member, and returns whether it is one of the two.
    pub(crate) fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<bool> {
        match name {
            NAMES => {
                let mut names = BTreeMap::new();
                let found = reader.map("java.lang.String", |reader, placeholder| {
                    if let Some(name) = reader.text()? {
                        names.insert(placeholder.into_owned(), name);
                    }
                    Ok(())
                })?;
                self.names = found.then_some(names);
            }
            VALUES => self.values = Attributes::read(reader)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Writes the names as they were sent.
    pub(crate) fn write_names(&self, json: &mut Writer<'_>) {
        if let Some(names) = &self.names {
            json.object_member(NAMES, |json| {
                names.iter().for_each(|(placeholder, name)| json.text_member(placeholder, name));
            });
        }
    }

    /// Refuses placeholders without an expression that could use them: names need any expression,
    /// values one that takes values. `absent` names those in AWS's message.
    pub(crate) fn need_expressions(
        &self,
        expressions: &[(&'static str, bool)],
        absent: Option<&str>,
    ) -> Result<()> {
        let takes_values = |name: &str| name != "ProjectionExpression";
        if self.names.is_some() && !expressions.iter().any(|(_, given)| *given) {
            return Err(Failure::validation(
                "ExpressionAttributeNames can only be specified when using expressions",
            ));
        }
        if self.values.is_some()
            && !expressions.iter().any(|(name, given)| *given && takes_values(name))
        {
            let absent = absent.map(|absent| format!(": {absent}")).unwrap_or_default();
            return Err(Failure::validation(format!(
                "ExpressionAttributeValues can only be specified when using expressions{absent}"
            )));
        }
        Ok(())
    }

    /// Returns whether a value is nested so deeply that the older layer checks the request.
    pub(crate) fn is_too_deep(&self) -> bool {
        self.values.as_ref().is_some_and(Attributes::is_too_deep)
    }

    /// Removes a value that is nested too deeply, and returns the error to report after all others.
    pub(crate) fn take_too_deep(&mut self) -> Option<Failure> {
        let placeholder = self.values.as_mut()?.take_too_deep()?;
        let text =
            Problem::Nesting(COUNTED_LEVELS_MAX).text_of_placeholder(&placeholder, Layer::Older);
        Some(Failure::validation(text))
    }

    /// Accepts values that only the expressions of a transaction may have.
    pub(crate) fn allow_for_transaction(&mut self) {
        if let Some(values) = &mut self.values {
            values.problem.take_if(|(_, problem)| problem.is_fine_in_transactions());
        }
    }

    /// Returns the placeholders in the engine's form, if each value is valid.
    pub(crate) fn checked(self, layer: Layer) -> Result<Substitutions> {
        self.check_lengths()?;
        let values = match self.values {
            None => None,
            Some(Attributes { item, problem: None }) => Some(item),
            Some(Attributes { item, problem: Some((name, problem)) }) => {
                // How the placeholders are spelled is checked before their values.
                expression::Placeholders::new(self.names.as_ref(), Some(&item)).check_keys()?;
                return Err(Failure::validation(problem.text_of_placeholder(&name, layer)));
            }
        };
        Ok(Substitutions { names: self.names, values })
    }

    /// Checks for placeholders that are too long, then for empty ones, then the size of all names
    /// and values.
    fn check_lengths(&self) -> Result<()> {
        let (mut names_bytes, mut values_bytes) = (0, 0);
        if let Some(names) = &self.names {
            check_placeholders(NAMES, names.keys())?;
            names_bytes = names.iter().map(|(key, name)| key.len() + name.len()).sum();
        }
        if let Some(values) = &self.values {
            check_placeholders(VALUES, values.item.keys())?;
            values_bytes = item_size_bytes(&values.item);
        }
        let exceeding = if names_bytes > limits::SUBSTITUTIONS_BYTES_MAX {
            NAMES
        } else if values_bytes > limits::SUBSTITUTIONS_BYTES_MAX {
            VALUES
        } else if names_bytes + values_bytes > limits::SUBSTITUTIONS_BYTES_MAX {
            "Combined size of ExpressionAttributeNames and ExpressionAttributeValues"
        } else {
            return Ok(());
        };
        Err(Failure::validation(format!("{exceeding} exceeds max size")))
    }
}

fn check_placeholders<'a>(
    parameter: &str,
    mut placeholders: impl Iterator<Item = &'a String>,
) -> Result<()> {
    match placeholders.find(|placeholder| placeholder.len() > limits::PLACEHOLDER_LENGTH_MAX) {
        None => Ok(()),
        Some(placeholder) => Err(Failure::validation(format!(
            "{parameter} contains invalid key: The expression attribute map contains a key that is \
             too long; size of key: {}",
            placeholder.len()
        ))),
    }
}
