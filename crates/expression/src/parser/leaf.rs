//! The comparisons of conditions: the six comparators, `BETWEEN` and `IN`, and AWS's checks of their
//! operands.

use monotable_types::{AttributeValue, limits};

use super::call::Argument;
use super::cursor::{Cursor, Parsed};
use super::lexer::TokenKind;
use super::problem::Rank;
use crate::{Comparator, Condition, Reason, compare};

impl Cursor<'_, '_, '_> {
    /// Returns whether a comparison continues here, after its first operand.
    pub(super) fn at_comparison(&self) -> bool {
        matches!(self.token().kind, TokenKind::Comparator(_))
            || self.at_keyword("BETWEEN")
            || self.at_keyword("IN")
    }

    /// Reads the rest of a comparison after its first operand.
    pub(super) fn comparison(&mut self, left: Argument) -> Parsed<Condition> {
        self.note_misuse(&left);
        self.count_operator();
        let operator = self.advance();
        let condition = match operator.kind {
            TokenKind::Comparator(comparator) => self.compare(left, comparator)?,
            _ if operator.is_keyword("BETWEEN") => self.between(left)?,
            _ => self.in_list(left)?,
        };
        self.end_leaf();
        Ok(condition)
    }

    fn compare(&mut self, left: Argument, comparator: Comparator) -> Parsed<Condition> {
        let right = self.compared_argument()?;
        let operator = comparator.as_str();
        self.check_distinct(operator, &left, &right);
        if comparator.is_ordering() {
            self.check_ordered(operator, [&left, &right]);
        }
        Ok(Condition::Compare {
            left: left.into_operand(),
            comparator,
            right: right.into_operand(),
        })
    }

    fn between(&mut self, operand: Argument) -> Parsed<Condition> {
        let low = self.compared_argument()?;
        if !self.take_keyword("AND") {
            return Err(self.syntax_error());
        }
        let high = self.compared_argument()?;
        self.check_ordered("BETWEEN", [&operand, &low, &high]);
        self.check_bounds(&low, &high);
        Ok(Condition::Between {
            operand: operand.into_operand(),
            low: low.into_operand(),
            high: high.into_operand(),
        })
    }

    fn in_list(&mut self, operand: Argument) -> Parsed<Condition> {
        self.expect(TokenKind::Open)?;
        let mut list = Vec::new();
        loop {
            let candidate = self.compared_argument()?;
            self.check_distinct("IN", &operand, &candidate);
            list.push(candidate.into_operand());
            if !self.take(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Close)?;
        let count = list.len();
        if count > limits::IN_OPERANDS_MAX {
            self.note(Rank::Operand, Reason::TooManyInOperands { count });
        }
        Ok(Condition::In { operand: operand.into_operand(), list })
    }

    fn compared_argument(&mut self) -> Parsed<Argument> {
        let argument = self.wrapped_argument()?;
        self.note_misuse(&argument);
        Ok(argument)
    }

    /// Checks that an operand has an order, as only strings, numbers and binaries do.
    fn check_ordered<const N: usize>(&mut self, operator: &'static str, arguments: [&Argument; N]) {
        for argument in arguments {
            self.check_type(operator, argument, compare::is_ordered);
        }
    }

    /// Checks that bounds that are both values of the request have one type and are in order.
    fn check_bounds(&mut self, low: &Argument, high: &Argument) {
        let (Argument::Value(low), Argument::Value(high)) = (low, high) else {
            return;
        };
        let texts = || (describe(low), describe(high));
        if low.type_name() != high.type_name() {
            let (low, high) = texts();
            self.note(Rank::Operand, Reason::BetweenTypes { low, high });
        } else if compare::order(low, high).is_some_and(|order| order.is_gt()) {
            let (low, high) = texts();
            self.note(Rank::Operand, Reason::BetweenBounds { low, high });
        }
    }
}

/// Returns a value as AWS's messages about bounds write it: `{S:b}`, with binaries in Base64.
fn describe(value: &AttributeValue) -> String {
    let contents = match value {
        AttributeValue::S(text) => text.clone(),
        AttributeValue::N(number) => number.to_string(),
        AttributeValue::B(bytes) => base64(bytes),
        AttributeValue::Bool(boolean) => boolean.to_string(),
        // Only the types above can be bounds; other types have been noted.
        _ => String::new(),
    };
    format!("{{{}:{contents}}}", value.type_name())
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for sextet in 0..4 {
            let index = (bits >> (18 - 6 * sextet)) & 0x3f;
            let padding = sextet > chunk.len();
            text.push(if padding { '=' } else { char::from(ALPHABET[index as usize]) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_pads_to_four_characters() {
        let encoded = ["", "a", "ab", "abc", "\u{ff}abcd"].map(|text| base64(text.as_bytes()));
        assert_eq!(encoded, ["", "YQ==", "YWI=", "YWJj", "w79hYmNk"]);
    }
}
