//! The grammar of conditions: `AND`, `OR`, `NOT` and parentheses around comparisons and functions.
//!
//! The text is read from left to right, with the open parentheses on an explicit stack. A parenthesis
//! may contain a condition or an operand, as in `(a) = :v`, which is only known at its end, so the
//! contents are passed outwards as a [`Term`].

use std::mem;

use super::call::Argument;
use super::cursor::{Cursor, Parsed};
use super::lexer::TokenKind;
use super::problem::{CONDITION, Rank};
use crate::{Condition, ExpressionError, ExpressionKind, Placeholders, Reason};

pub(super) const KEYWORDS: &[&str] = &["AND", "OR", "NOT", "BETWEEN", "IN"];

/// Parses a `ConditionExpression` or, with the other `kind`, a `FilterExpression`. The kind only
/// affects error messages.
///
/// ```
/// use std::collections::BTreeMap;
/// use monotable_expression::{ExpressionKind, Placeholders, attribute_not_exists, parse_condition, path};
///
/// let values = BTreeMap::from([(":v".into(), 5.into())]);
/// let mut placeholders = Placeholders::new(None, Some(&values));
/// let text = "attribute_not_exists(PK) OR version < :v";
/// assert_eq!(
///     parse_condition(text, ExpressionKind::Condition, &mut placeholders)?,
///     attribute_not_exists("PK").or(path("version").lt(5)),
/// );
///
/// let error = parse_condition("status = :v", ExpressionKind::Filter, &mut placeholders);
/// assert_eq!(
///     error.unwrap_err().to_string(),
///     "Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: status",
/// );
/// # Ok::<(), monotable_expression::ExpressionError>(())
/// ```
pub fn parse_condition(
    text: &str,
    kind: ExpressionKind,
    placeholders: &mut Placeholders<'_>,
) -> Result<Condition, ExpressionError> {
    let mut cursor = Cursor::new(kind, text, placeholders, KEYWORDS, CONDITION)?;
    let condition = cursor.condition()?;
    cursor.finish()?;
    Ok(condition)
}

/// What has been read so far of the text between two parentheses, or of the whole text.
#[derive(Default)]
struct Group {
    /// The finished sides of `OR`.
    alternatives: Vec<Condition>,
    /// The finished sides of `AND` since the last `OR`.
    conjuncts: Vec<Condition>,
    /// The number of `NOT`s before the next term.
    negations: usize,
}

/// A finished piece: not yet known to be a condition, or known to be one.
enum Term {
    Argument(Argument),
    Condition(Condition),
}

/// Whether a [`Term`] is only a parenthesis; then another parenthesis around it is redundant.
#[derive(Clone, Copy, PartialEq)]
enum Wrapping {
    None,
    Parentheses,
}

/// What follows a finished piece.
enum Next {
    Term,
    End(Condition),
}

impl Group {
    fn is_untouched(&self) -> bool {
        self.alternatives.is_empty() && self.conjuncts.is_empty() && self.negations == 0
    }

    fn push(&mut self, condition: Condition) {
        let negations = mem::take(&mut self.negations);
        let negated = (0..negations).fold(condition, |condition, _| !condition);
        self.conjuncts.push(negated);
    }

    fn end_conjunction(&mut self) {
        let conjuncts = mem::take(&mut self.conjuncts);
        self.alternatives.push(one_or(conjuncts, Condition::And));
    }

    fn finish(mut self) -> Condition {
        if self.alternatives.is_empty() {
            return one_or(self.conjuncts, Condition::And);
        }
        self.end_conjunction();
        one_or(self.alternatives, Condition::Or)
    }
}

/// Returns the only condition, or the combination of several.
fn one_or(mut conditions: Vec<Condition>, combine: fn(Vec<Condition>) -> Condition) -> Condition {
    match conditions.pop() {
        Some(only) if conditions.is_empty() => only,
        Some(last) => {
            conditions.push(last);
            combine(conditions)
        }
        None => combine(conditions),
    }
}

impl Cursor<'_, '_, '_> {
    pub(super) fn condition(&mut self) -> Parsed<Condition> {
        let mut outer = Vec::new();
        let mut group = Group::default();
        loop {
            while self.take_keyword("NOT") {
                self.count_operator();
                group.negations += 1;
            }
            if self.take(TokenKind::Open) {
                outer.push(mem::take(&mut group));
                continue;
            }
            let term = Term::Argument(self.argument()?);
            match self.after_term(term, &mut group, &mut outer)? {
                Next::Term => {}
                Next::End(condition) => return Ok(condition),
            }
        }
    }

    /// Reads what follows a term, up to where another must begin.
    fn after_term(
        &mut self,
        mut term: Term,
        group: &mut Group,
        outer: &mut Vec<Group>,
    ) -> Parsed<Next> {
        let mut wrapping = Wrapping::None;
        loop {
            if let Term::Argument(Argument::Path(path)) = &mut term
                && self.at_path_step()
            {
                self.path_steps(path)?;
                wrapping = Wrapping::None;
            }
            match term {
                Term::Argument(argument) if self.at_comparison() => {
                    term = Term::Condition(self.comparison(argument)?);
                    wrapping = Wrapping::None;
                    continue;
                }
                other => term = other,
            }
            if self.at(TokenKind::Close) && group.is_untouched() && !outer.is_empty() {
                if wrapping == Wrapping::Parentheses {
                    self.note(Rank::Parentheses, Reason::RedundantParentheses);
                }
            } else {
                group.push(self.term_as_condition(term)?);
                if let Some(next) = self.after_condition(group, outer)? {
                    return Ok(next);
                }
                term = Term::Condition(mem::take(group).finish());
            }
            // Here the parenthesis around the term ends.
            self.expect(TokenKind::Close)?;
            *group = outer.pop().unwrap_or_default();
            wrapping = Wrapping::Parentheses;
        }
    }

    /// Reads what follows a condition in its group; `None` means that the group ends.
    fn after_condition(&mut self, group: &mut Group, outer: &[Group]) -> Parsed<Option<Next>> {
        if self.take_keyword("AND") {
            self.count_operator();
            Ok(Some(Next::Term))
        } else if self.take_keyword("OR") {
            self.count_operator();
            group.end_conjunction();
            Ok(Some(Next::Term))
        } else if !outer.is_empty() {
            Ok(None)
        } else if self.at(TokenKind::End) {
            Ok(Some(Next::End(mem::take(group).finish())))
        } else {
            Err(self.syntax_error())
        }
    }

    fn term_as_condition(&mut self, term: Term) -> Parsed<Condition> {
        let argument = match term {
            Term::Condition(condition) => return Ok(condition),
            Term::Argument(argument) => argument,
        };
        let condition = match argument {
            Argument::Path(_) | Argument::Value(_) => return Err(self.syntax_error()),
            Argument::Boolean { condition, .. } => condition,
            Argument::Size(_) => {
                let function = "size";
                self.note(Rank::MisusedFunction, Reason::FunctionMisused { function });
                Condition::And(Vec::new())
            }
            Argument::Unknown => Condition::And(Vec::new()),
        };
        self.end_leaf();
        Ok(condition)
    }
}

#[cfg(test)]
mod tests;
