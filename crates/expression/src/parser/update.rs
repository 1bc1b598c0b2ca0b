//! The grammar of `UpdateExpression`: the sections `SET`, `REMOVE`, `ADD` and `DELETE`.

use monotable_types::{AttributeValue, TypeName};

use super::cursor::{Cursor, Parsed};
use super::lexer::TokenKind;
use super::overlap::note_overlaps;
use super::problem::{Rank, UPDATE};
use crate::{
    Comparator, ExpressionError, ExpressionKind, Path, Placeholders, Reason, SetOperand, SetValue,
    Update,
};

const SECTIONS: &[&str] = &["SET", "REMOVE", "ADD", "DELETE"];

/// The deepest nesting of calls. Text of 4 KB can contain 256 nested calls of an existing function,
/// and the stack has space for more.
const CALL_DEPTH_MAX: usize = 256;

/// Parses an `UpdateExpression`.
///
/// ```
/// use std::collections::BTreeMap;
/// use monotable_expression::{Placeholders, SetOperand, Update, parse_update, path};
///
/// let values = BTreeMap::from([(":one".into(), 1.into()), (":name".into(), "Ada".into())]);
/// let mut placeholders = Placeholders::new(None, Some(&values));
/// let text = "SET team.captain = :name, games = games + :one ADD goals :one REMOVE draft";
/// assert_eq!(
///     parse_update(text, &mut placeholders)?,
///     Update::new()
///         .set(path("team").key("captain"), "Ada")
///         .set("games", SetOperand::from(path("games")).plus(1))
///         .add("goals", 1)
///         .remove("draft"),
/// );
/// # Ok::<(), monotable_expression::ExpressionError>(())
/// ```
pub fn parse_update(
    text: &str,
    placeholders: &mut Placeholders<'_>,
) -> Result<Update, ExpressionError> {
    let kind = ExpressionKind::Update;
    let mut cursor = Cursor::new(kind, text, placeholders, SECTIONS, UPDATE)?;
    let update = cursor.update()?;
    cursor.finish()?;
    Ok(update)
}

impl Cursor<'_, '_, '_> {
    fn update(&mut self) -> Parsed<Update> {
        let mut update = Update::new();
        let mut written = Vec::with_capacity(SECTIONS.len());
        loop {
            let keyword = SECTIONS.iter().find(|keyword| self.at_keyword(keyword));
            let Some(&section) = keyword else {
                return Err(self.syntax_error());
            };
            self.advance();
            if written.contains(&section) {
                self.note(Rank::Section, Reason::SectionRepeated { section });
            } else {
                written.push(section);
            }
            loop {
                self.action(section, &mut update)?;
                if !self.take(TokenKind::Comma) {
                    break;
                }
            }
            if self.at(TokenKind::End) {
                break;
            }
        }
        note_overlaps(self, &paths_as_written(&update, &written));
        Ok(update)
    }

    fn action(&mut self, section: &'static str, update: &mut Update) -> Parsed<()> {
        let path = self.path()?;
        match section {
            "SET" => {
                self.expect(TokenKind::Comparator(Comparator::Eq))?;
                let value = self.set_value()?;
                update.set.push((path, value));
            }
            "REMOVE" => update.remove.push(path),
            "ADD" => {
                let value = self.section_value(section)?;
                update.add.push((path, value));
            }
            _ => {
                let value = self.section_value(section)?;
                update.delete.push((path, value));
            }
        }
        Ok(())
    }

    /// Returns the value of an `ADD` or `DELETE` action.
    fn section_value(&mut self, section: &'static str) -> Parsed<AttributeValue> {
        let value = self.value()?;
        let operand = match value {
            AttributeValue::Ss(_) | AttributeValue::Ns(_) | AttributeValue::Bs(_) => None,
            AttributeValue::N(_) if section == "ADD" => None,
            AttributeValue::N(_) => Some("NUMBER"),
            AttributeValue::S(_) => Some("STRING"),
            AttributeValue::B(_) => Some("BINARY"),
            AttributeValue::Bool(_) => Some("BOOL"),
            AttributeValue::Null => Some("NULL"),
            AttributeValue::M(_) => Some("MAP"),
            AttributeValue::L(_) => Some("LIST"),
        };
        if let Some(operand) = operand {
            let reason = Reason::SectionOperandType { section, operand };
            self.note(Rank::SectionOperand, reason);
        }
        Ok(value)
    }

    /// Reads the right side of a `SET` action. An operand or the whole may be in parentheses, and an
    /// operand may be added to one other.
    fn set_value(&mut self) -> Parsed<SetValue> {
        let mut open = 0;
        while self.take(TokenKind::Open) {
            open += 1;
        }
        let mut value = SetValue::Operand(self.set_operand(0)?);
        let mut wrapped = false;
        loop {
            if open > 0 && self.take(TokenKind::Close) {
                open -= 1;
                self.note_wrapping(&mut wrapped);
                continue;
            }
            let plus = self.at(TokenKind::Plus);
            value = match value {
                SetValue::Operand(left) if plus || self.at(TokenKind::Minus) => {
                    self.arithmetic(left)?
                }
                value if open == 0 => return Ok(value),
                _ => return Err(self.syntax_error()),
            };
            wrapped = false;
        }
    }

    fn note_wrapping(&mut self, wrapped: &mut bool) {
        if *wrapped {
            self.note(Rank::Parentheses, Reason::RedundantParentheses);
        }
        *wrapped = true;
    }

    fn arithmetic(&mut self, left: SetOperand) -> Parsed<SetValue> {
        self.count_operator();
        let plus = self.advance().kind == TokenKind::Plus;
        let right = self.wrapped_set_operand(0)?;
        let operator = if plus { "+" } else { "-" };
        self.check_operand_type(operator, &left, TypeName::N);
        self.check_operand_type(operator, &right, TypeName::N);
        Ok(if plus { SetValue::Plus(left, right) } else { SetValue::Minus(left, right) })
    }

    fn wrapped_set_operand(&mut self, depth: usize) -> Parsed<SetOperand> {
        let mut open = 0;
        while self.take(TokenKind::Open) {
            open += 1;
        }
        let operand = self.set_operand(depth)?;
        let mut wrapped = false;
        for _ in 0..open {
            self.expect(TokenKind::Close)?;
            self.note_wrapping(&mut wrapped);
        }
        Ok(operand)
    }

    fn set_operand(&mut self, depth: usize) -> Parsed<SetOperand> {
        if self.at(TokenKind::Value) {
            Ok(SetOperand::Value(self.value()?))
        } else if self.at_call() {
            self.set_call(depth)
        } else {
            Ok(SetOperand::Path(self.path()?))
        }
    }

    fn set_call(&mut self, depth: usize) -> Parsed<SetOperand> {
        if depth == CALL_DEPTH_MAX {
            return Err(self.syntax_error());
        }
        self.count_operator();
        let name = self.advance().text;
        self.expect(TokenKind::Open)?;
        let first = self.wrapped_set_operand(depth + 1)?;
        let mut second = None;
        let mut count = 1;
        while self.take(TokenKind::Comma) {
            let argument = self.wrapped_set_operand(depth + 1)?;
            second.get_or_insert(argument);
            count += 1;
        }
        self.expect(TokenKind::Close)?;
        let function = match name {
            "if_not_exists" => "if_not_exists",
            "list_append" => "list_append",
            _ => return Ok(self.unknown_set_function(name)),
        };
        if count != 2 {
            self.note(Rank::OperandCount, Reason::OperandCount { function, count });
        }
        let second = second.unwrap_or(SetOperand::Value(AttributeValue::Null));
        Ok(if function == "if_not_exists" {
            self.if_not_exists(first, second)
        } else {
            self.list_append(first, second)
        })
    }

    fn if_not_exists(&mut self, path: SetOperand, default: SetOperand) -> SetOperand {
        let function = "if_not_exists";
        let path = match path {
            SetOperand::Path(path) => path,
            _ => {
                self.note(Rank::Operand, Reason::PathRequired { function });
                Path::attribute("")
            }
        };
        SetOperand::IfNotExists(path, Box::new(default))
    }

    fn list_append(&mut self, first: SetOperand, second: SetOperand) -> SetOperand {
        let function = "list_append";
        for operand in [&first, &second] {
            if matches!(operand, SetOperand::ListAppend(..)) {
                self.note(Rank::MisusedFunction, Reason::FunctionMisused { function });
            }
            self.check_operand_type(function, operand, TypeName::L);
        }
        SetOperand::ListAppend(Box::new(first), Box::new(second))
    }

    fn check_operand_type(
        &mut self,
        operator: &'static str,
        operand: &SetOperand,
        expected: TypeName,
    ) {
        if let SetOperand::Value(value) = operand
            && value.type_name() != expected
        {
            let operand = value.type_name();
            self.note(Rank::Operand, Reason::OperandType { operator, operand });
        }
    }

    fn unknown_set_function(&mut self, name: &str) -> SetOperand {
        let known = [
            "attribute_exists",
            "attribute_not_exists",
            "attribute_type",
            "begins_with",
            "contains",
            "size",
        ];
        let reason = match known.into_iter().find(|function| *function == name) {
            Some(function) => Reason::FunctionNotAllowed { expression: "an update", function },
            None => Reason::UnknownFunction { function: name.to_owned() },
        };
        self.note(Rank::UnknownFunction, reason);
        SetOperand::Value(AttributeValue::Null)
    }
}

/// Returns the written paths in the order of the text, in which AWS reports overlaps.
fn paths_as_written<'u>(update: &'u Update, sections: &[&str]) -> Vec<&'u Path> {
    let mut paths = Vec::new();
    for section in sections {
        match *section {
            "SET" => paths.extend(update.set.iter().map(|(path, _)| path)),
            "REMOVE" => paths.extend(&update.remove),
            "ADD" => paths.extend(update.add.iter().map(|(path, _)| path)),
            _ => paths.extend(update.delete.iter().map(|(path, _)| path)),
        }
    }
    paths
}

#[cfg(test)]
mod tests;
