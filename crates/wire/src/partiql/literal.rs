//! Converts literals and parameters to attribute values, with AWS's messages for values that no
//! attribute can hold.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use monotable_types::{AttributeValue, Number, Set, limits};

use super::problem::refused;
use super::syntax::{Expression, Node, Sign};
use crate::error::{Failure, Result};

/// The values of a statement's question marks.
#[derive(Clone, Copy)]
pub(super) struct Parameters<'a>(pub(super) &'a [AttributeValue]);

impl Parameters<'_> {
    /// Returns the value of an expression that does not depend on the item.
    pub(super) fn value(self, expression: &Expression) -> Result<AttributeValue> {
        match expression.node {
            Node::Parameter(number) => self.0.get(number).cloned().ok_or_else(mismatch),
            _ => Literal::default().value(expression),
        }
    }

    /// Returns the attributes of an item to insert.
    pub(super) fn item(self, expression: &Expression) -> Result<BTreeMap<String, AttributeValue>> {
        match &expression.node {
            Node::Map(entries) => named(entries, |value| self.value(value)),
            Node::Parameter(_) => match self.value(expression)? {
                AttributeValue::M(item) => Ok(item),
                other => Err(unsupported(other.type_name().as_str(), "root", expression)),
            },
            _ => Err(unsupported(kind(expression), "root", expression)),
        }
    }
}

/// Makes the error for more or fewer parameters than question marks.
pub(super) fn mismatch() -> Failure {
    refused("Number of parameters in request and statement don't match.")
}

/// Returns whether the expression is a literal or a parameter.
pub(super) fn is_value(expression: &Expression) -> bool {
    match &expression.node {
        Node::Signed(_, operand) => is_value(operand),
        Node::Text(_)
        | Node::Number(_)
        | Node::Bool(_)
        | Node::Null
        | Node::Parameter(_)
        | Node::List(_)
        | Node::Bag(_)
        | Node::Map(_) => true,
        _ => false,
    }
}

/// A literal that is being read, and the path to its current part.
struct Literal {
    path: String,
    level: usize,
}

impl Default for Literal {
    fn default() -> Self {
        Self { path: "root".to_owned(), level: 0 }
    }
}

impl Literal {
    fn value(&mut self, expression: &Expression) -> Result<AttributeValue> {
        if self.level >= limits::NESTING_DEPTH_MAX {
            return Err(refused(format!(
                "Nesting Levels have exceeded supported limits under {}",
                self.path
            )));
        }
        match &expression.node {
            Node::Text(text) => Ok(AttributeValue::S(text.clone())),
            Node::Bool(value) => Ok(AttributeValue::Bool(*value)),
            Node::Null => Ok(AttributeValue::Null),
            Node::Number(_) | Node::Signed(..) => {
                let text = number_text(expression)
                    .ok_or_else(|| unsupported(kind(expression), &self.path, expression))?;
                Ok(AttributeValue::N(self.number(&text)?))
            }
            Node::List(elements) => {
                let mut values = Vec::new();
                for (index, element) in elements.iter().enumerate() {
                    values.push(self.below(&format!("[{index}]"), element)?);
                }
                Ok(AttributeValue::L(values))
            }
            Node::Map(entries) => {
                let mut map = BTreeMap::new();
                for (name, value) in entries {
                    let name = entry_name(name)?;
                    let value = self.below(&format!(".{name}"), value)?;
                    insert_once(&mut map, name, value)?;
                }
                Ok(AttributeValue::M(map))
            }
            Node::Bag(elements) => self.set(elements),
            _ => Err(unsupported(kind(expression), &self.path, expression)),
        }
    }

    fn below(&mut self, step: &str, expression: &Expression) -> Result<AttributeValue> {
        let length = self.path.len();
        // Writing to a `String` cannot fail.
        let _ = self.path.write_str(step);
        self.level += 1;
        let value = self.value(expression);
        self.level -= 1;
        self.path.truncate(length);
        value
    }

    fn number(&self, text: &str) -> Result<Number> {
        text.parse::<Number>().map_err(|error| refused(format!("{error} under {}", self.path)))
    }

    fn set(&self, elements: &[Expression]) -> Result<AttributeValue> {
        if elements.is_empty() {
            return Err(refused("Empty bags are not supported"));
        }
        let texts: Option<Vec<String>> = elements.iter().map(text).collect();
        if let Some(texts) = texts {
            let printed = texts.join(", ");
            return Set::new(texts).map(AttributeValue::Ss).map_err(|_| {
                refused(format!(
                    "One or more parameter values were invalid: Input collection [{printed}] \
                     contains duplicates."
                ))
            });
        }
        let numbers: Option<Vec<String>> = elements.iter().map(number_text).collect();
        let Some(texts) = numbers else {
            return Err(refused(
                "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in \
                 bags",
            ));
        };
        let numbers: Vec<Number> =
            texts.iter().map(|text| self.number(text)).collect::<Result<_>>()?;
        Set::new(numbers).map(AttributeValue::Ns).map_err(|_| {
            refused(format!(
                "One or more parameter values were invalid: Input collection [{}] contains \
                 duplicates! under {}",
                texts.join(", "),
                self.path
            ))
        })
    }
}

/// Returns the text of a string literal.
fn text(expression: &Expression) -> Option<String> {
    match &expression.node {
        Node::Text(text) => Some(text.clone()),
        _ => None,
    }
}

/// Returns the text of a number with its signs, if the expression is one.
fn number_text(expression: &Expression) -> Option<String> {
    let mut negative = false;
    let mut expression = expression;
    loop {
        match &expression.node {
            Node::Number(digits) if negative => return Some(format!("-{digits}")),
            Node::Number(digits) => return Some(digits.clone()),
            Node::Signed(sign, operand) => {
                negative ^= *sign == Sign::Minus;
                expression = operand;
            }
            _ => return None,
        }
    }
}

/// Reads the entries of a map literal with `read` for each value.
fn named(
    entries: &[(Expression, Expression)],
    read: impl Fn(&Expression) -> Result<AttributeValue>,
) -> Result<BTreeMap<String, AttributeValue>> {
    let mut map = BTreeMap::new();
    for (name, value) in entries {
        insert_once(&mut map, entry_name(name)?, read(value)?)?;
    }
    Ok(map)
}

fn entry_name(name: &Expression) -> Result<String> {
    text(name).ok_or_else(|| unsupported(kind(name), "root", name))
}

fn insert_once(
    map: &mut BTreeMap<String, AttributeValue>,
    name: String,
    value: AttributeValue,
) -> Result<()> {
    if map.contains_key(&name) {
        return Err(refused(format!("Duplicate keys in tuple: {name}")));
    }
    map.insert(name, value);
    Ok(())
}

fn unsupported(what: &str, path: &str, expression: &Expression) -> Failure {
    refused(format!("Unsupported data type: {what} under key {path} at {}", expression.position))
}

/// Returns AWS's name for the kind of an expression that is not a literal.
fn kind(expression: &Expression) -> &str {
    match &expression.node {
        Node::Call(name, _) => name,
        Node::Path(path) => &path.root,
        Node::Parameter(_) => "Parameter",
        Node::Missing => "MISSING",
        _ => "UNKNOWN",
    }
}
