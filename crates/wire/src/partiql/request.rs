//! A statement and its parameters, as the requests of all three operations contain them.

use monotable_types::{AttributeValue, Constraints};

use super::bind::Bound;
use super::parser::parse;
use super::syntax::Statement;
use super::token::Fingerprint;
use crate::error::{Failure, Result};
use crate::field::Holder;
use crate::json::Reader;
use crate::layer::Layer;
use crate::touch::Touch;
use crate::value::{Problem, read_value};

const STATEMENT_LENGTH_MAX: usize = 8192;

/// The members `Statement` and `Parameters`.
#[derive(Debug, Default)]
pub(crate) struct StatementRequest {
    text: Option<String>,
    /// The statement, parsed as soon as it is read, because authorization needs to know what it
    /// touches.
    statement: Option<Result<Statement>>,
    parameters: Option<Vec<AttributeValue>>,
    /// The first parameter that is not a valid value.
    problem: Option<Problem>,
}

impl StatementRequest {
    /// Reads a member, and returns whether it belongs to the statement.
    pub(crate) fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<bool> {
        match name {
            "Statement" => {
                self.text = reader.text()?;
                self.statement = self.text.as_deref().filter(|text| is_short(text)).map(parse);
            }
            "Parameters" => {
                self.parameters = reader.list(|reader| {
                    let (value, problem) = read_value(reader, Holder::Collection)?;
                    if self.problem.is_none() {
                        self.problem = problem;
                    }
                    Ok(value)
                })?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns what the statement touches: nothing if it cannot be parsed, because it is then not
    /// run.
    pub(crate) fn touch(&self) -> Option<Touch<'_>> {
        let statement = self.statement.as_ref()?.as_ref().ok()?;
        let touch = Touch::table(statement.action(), Some(statement.table()));
        Some(touch.on_index(statement.index()))
    }

    /// Checks the members; `path` is the prefix of their names.
    pub(crate) fn check_constraints(&self, constraints: &mut Constraints, path: &str) {
        match &self.text {
            None => constraints.null(&format!("{path}statement")),
            Some(text) => {
                constraints.text(text, &format!("{path}statement"), 1..=STATEMENT_LENGTH_MAX);
            }
        }
        if self.parameters.as_ref().is_some_and(Vec::is_empty) {
            constraints.length(0, "[]", &format!("{path}parameters"), 1..=usize::MAX);
        }
    }

    /// Checks the parameters, which AWS does before it parses the statement.
    pub(crate) fn check_parameters(&self) -> Result<()> {
        match &self.problem {
            None => Ok(()),
            Some(problem) => Err(Failure::validation(problem.text(Layer::Older))),
        }
    }

    /// Binds the parameters to the statement.
    pub(crate) fn bind(&self) -> Result<Bound> {
        self.check_parameters()?;
        match &self.statement {
            // Unreachable: the constraints have been checked.
            None => Err(Failure::validation("The statement is missing")),
            Some(Err(failure)) => Err(failure.clone()),
            Some(Ok(statement)) => statement.bind(self.parameters.as_deref().unwrap_or_default()),
        }
    }

    /// Returns the fingerprint that tokens for the next page are bound to.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        let parameters = self.parameters.as_deref().unwrap_or_default();
        Fingerprint::of(self.text.as_deref().unwrap_or_default(), parameters)
    }
}

fn is_short(text: &str) -> bool {
    text.chars().nth(STATEMENT_LENGTH_MAX).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(text: &str) -> StatementRequest {
        StatementRequest {
            text: Some(text.to_owned()),
            statement: Some(parse(text)),
            ..StatementRequest::default()
        }
    }

    #[test]
    fn a_statement_touches_its_table() {
        let of_index = request("SELECT * FROM \"a\"\"b\".\"i\"");
        let expected = Touch::table("PartiQLSelect", Some("a\"b")).on_index(Some("i"));
        assert_eq!(of_index.touch(), Some(expected));
        for (text, action, table) in [
            ("EXISTS(SELECT * FROM teams WHERE a = 1)", "PartiQLSelect", "teams"),
            ("INSERT INTO teams VALUE {}", "PartiQLInsert", "teams"),
            ("UPDATE teams SET a = 1", "PartiQLUpdate", "teams"),
            ("FROM teams REMOVE a", "PartiQLUpdate", "teams"),
            ("DELETE FROM teams", "PartiQLDelete", "teams"),
        ] {
            assert_eq!(request(text).touch(), Some(Touch::table(action, Some(table))), "{text}");
        }
        assert_eq!(request("SELECT").touch(), None);
    }
}
