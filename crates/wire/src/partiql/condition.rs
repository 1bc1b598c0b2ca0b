//! Turns the expression of a `WHERE` clause into the condition that the engine evaluates.

use monotable_expression::{Comparator, Condition, Operand, Path};
use monotable_types::{AttributeValue, TypeName, limits};

use super::literal::{Parameters, is_value};
use super::problem::{operand_type, refused};
use super::syntax::{Expression, Node};
use crate::error::{Failure, Result};

/// The largest number of parts. A comparison of two conditions is written out, which doubles it; no
/// statement of the allowed length has this many parts by itself.
const PARTS_MAX: usize = 4096;

/// Converts expressions into conditions.
pub(super) struct Conditions<'a> {
    pub(super) parameters: Parameters<'a>,
}

/// One side of a comparison: an operand, or a condition that counts as a boolean.
enum Side {
    Operand(Operand),
    Condition(Condition),
}

impl Conditions<'_> {
    /// Converts an expression into a condition.
    pub(super) fn condition(&self, expression: &Expression) -> Result<Condition> {
        match &expression.node {
            Node::And(parts) => Ok(Condition::And(self.all(parts)?)),
            Node::Or(parts) => Ok(Condition::Or(self.all(parts)?)),
            Node::Not(operand) => Ok(!self.condition(operand)?),
            Node::Compare(comparator, left, right) => {
                compare(self.side(left)?, *comparator, self.side(right)?)
            }
            Node::Between(operands) => self.between(operands),
            Node::In(operand, list) => self.within(operand, list),
            Node::Is(operand, type_name) => self.is_type(operand, type_name),
            Node::Call(name, arguments) => self.function(name, arguments, expression),
            Node::Like => Err(unsupported_operator("LIKE")),
            Node::Arithmetic(operator, ..) => Err(unsupported_operator(operator)),
            _ => Err(refused("Unsupported operation: a condition must compare or call a function")),
        }
    }

    fn all(&self, parts: &[Expression]) -> Result<Vec<Condition>> {
        parts.iter().map(|part| self.condition(part)).collect()
    }

    fn side(&self, expression: &Expression) -> Result<Side> {
        Ok(match &expression.node {
            Node::Path(path) => Side::Operand(Operand::Path(path.clone())),
            Node::Call(name, arguments) if name == "size" => {
                Side::Operand(Operand::Size(only_path("size", arguments)?))
            }
            _ if is_value(expression) => {
                Side::Operand(Operand::Value(self.parameters.value(expression)?))
            }
            _ => Side::Condition(self.condition(expression)?),
        })
    }

    fn operand(&self, operator: &str, expression: &Expression) -> Result<Operand> {
        match self.side(expression)? {
            Side::Operand(operand) => Ok(operand),
            Side::Condition(_) => Err(operand_type(operator, TypeName::Bool)),
        }
    }

    fn between(&self, [operand, low, high]: &[Expression; 3]) -> Result<Condition> {
        let bound = |expression| {
            let bound = self.operand("BETWEEN", expression)?;
            check_ordered("BETWEEN", &bound)?;
            Ok::<_, Failure>(bound)
        };
        Ok(Condition::Between { operand: bound(operand)?, low: bound(low)?, high: bound(high)? })
    }

    fn within(&self, operand: &Expression, list: &Expression) -> Result<Condition> {
        let (Node::List(elements) | Node::Bag(elements)) = &list.node else {
            return Err(refused("Unsupported operation: IN needs a list"));
        };
        if elements.len() > limits::IN_OPERANDS_MAX {
            return Err(refused(format!(
                "The IN operator is provided with too many operands; number of operands: {}",
                elements.len()
            )));
        }
        match self.side(operand)? {
            Side::Operand(operand) => {
                let list =
                    elements.iter().map(|each| self.operand("IN", each)).collect::<Result<_>>()?;
                Ok(Condition::In { operand, list })
            }
            Side::Condition(condition) => {
                check_parts(elements.len().saturating_mul(parts(&condition)))?;
                let equal = |each| {
                    compare(Side::Condition(condition.clone()), Comparator::Eq, self.side(each)?)
                };
                Ok(Condition::Or(elements.iter().map(equal).collect::<Result<_>>()?))
            }
        }
    }

    fn is_type(&self, operand: &Expression, type_name: &str) -> Result<Condition> {
        let Node::Path(path) = &operand.node else {
            return Err(needs_path("IS"));
        };
        let path = path.clone();
        Ok(match type_name {
            "missing" => path.not_exists(),
            "null" => path.has_type(TypeName::Null),
            "boolean" => path.has_type(TypeName::Bool),
            "blob" => path.has_type(TypeName::B),
            "string" => path.has_type(TypeName::S),
            "numeric" | "decimal" | "integer" | "integer4" | "integer8" | "smallint" | "float"
            | "real" | "double_precision" => path.has_type(TypeName::N),
            "struct" | "tuple" => path.has_type(TypeName::M),
            "list" => path.has_type(TypeName::L),
            other => {
                return Err(refused(format!(
                    "Unsupported data type for IS operator: {}. Supported data types are [MISSING, \
                     NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST]",
                    other.to_ascii_uppercase()
                )));
            }
        })
    }

    fn function(
        &self,
        name: &str,
        arguments: &[Expression],
        call: &Expression,
    ) -> Result<Condition> {
        match name {
            "attribute_exists" => Ok(only_path(name, arguments)?.exists()),
            "attribute_not_exists" => Ok(only_path(name, arguments)?.not_exists()),
            "attribute_type" => {
                let [path, type_name] = exactly(name, arguments)?;
                Ok(document_path(name, path)?.has_type(self.type_operand(name, type_name)?))
            }
            "begins_with" => {
                let [operand, prefix] = exactly(name, arguments)?;
                let (operand, prefix) = (self.operand(name, operand)?, self.operand(name, prefix)?);
                for operand in [&operand, &prefix] {
                    check_operand(name, operand, |value| {
                        matches!(value, AttributeValue::S(_) | AttributeValue::B(_))
                    })?;
                }
                Ok(operand.begins_with(prefix))
            }
            "contains" => {
                let [operand, part] = exactly(name, arguments)?;
                Ok(self.operand(name, operand)?.contains(self.operand(name, part)?))
            }
            _ => Err(refused(format!("Unrecognized function: {name} at {}", call.position))),
        }
    }

    fn type_operand(&self, function: &str, expression: &Expression) -> Result<TypeName> {
        match self.operand(function, expression)? {
            Operand::Value(AttributeValue::S(name)) => name.parse().map_err(|_| {
                refused(format!(
                    "Invalid attribute type name found; type: {name}, valid types: \
                     {{N,BS,L,B,NULL,M,S,SS,NS,BOOL}}"
                ))
            }),
            Operand::Value(other) => Err(operand_type(function, other.type_name())),
            Operand::Path(_) | Operand::Size(_) => Err(refused(
                "Incorrect operand type for operator or function; operator or function: \
                 attribute_type, operand type: a document path",
            )),
        }
    }
}

/// Returns the arguments of a function that takes exactly this many.
fn exactly<'a, const COUNT: usize>(
    function: &str,
    arguments: &'a [Expression],
) -> Result<&'a [Expression; COUNT]> {
    arguments.try_into().map_err(|_| {
        refused(format!(
            "Incorrect number of operands for operator or function; operator or function: \
             {function}, number of operands: {}",
            arguments.len()
        ))
    })
}

fn only_path(function: &str, arguments: &[Expression]) -> Result<Path> {
    let [path] = exactly(function, arguments)?;
    document_path(function, path)
}

fn document_path(function: &str, expression: &Expression) -> Result<Path> {
    match &expression.node {
        Node::Path(path) => Ok(path.clone()),
        _ => Err(needs_path(function)),
    }
}

fn needs_path(function: &str) -> Failure {
    refused(format!(
        "Operator or function requires a document path; operator or function: {function}"
    ))
}

fn unsupported_operator(operator: &str) -> Failure {
    refused(format!("Unsupported operator in Condition Expression. Operator: {operator}"))
}

fn compare(left: Side, comparator: Comparator, right: Side) -> Result<Condition> {
    match (left, right) {
        (Side::Operand(left), Side::Operand(right)) => {
            if comparator.is_ordering() {
                check_ordered(comparator.as_str(), &left)?;
                check_ordered(comparator.as_str(), &right)?;
            }
            Ok(Condition::Compare { left, comparator, right })
        }
        _ if comparator.is_ordering() => Err(operand_type(comparator, TypeName::Bool)),
        (Side::Condition(condition), Side::Operand(operand))
        | (Side::Operand(operand), Side::Condition(condition)) => {
            let equal = equal_to_operand(condition, operand)?;
            Ok(if comparator == Comparator::Eq { equal } else { !equal })
        }
        (Side::Condition(left), Side::Condition(right)) => {
            check_parts(2 * (parts(&left) + parts(&right)))?;
            let neither = (!left.clone()).and(!right.clone());
            let equal = left.and(right).or(neither);
            Ok(if comparator == Comparator::Eq { equal } else { !equal })
        }
    }
}

/// Compares the result of a condition with an operand.
fn equal_to_operand(condition: Condition, operand: Operand) -> Result<Condition> {
    Ok(match operand {
        Operand::Value(AttributeValue::Bool(true)) => condition,
        Operand::Value(AttributeValue::Bool(false)) => !condition,
        // A boolean equals no other value, and a disjunction without alternatives never holds.
        Operand::Value(_) | Operand::Size(_) => Condition::Or(Vec::new()),
        Operand::Path(path) => {
            check_parts(2 * parts(&condition))?;
            let both = condition.clone().and(path.clone().eq(true));
            both.or((!condition).and(path.eq(false)))
        }
    })
}

fn check_ordered(operator: &str, operand: &Operand) -> Result<()> {
    check_operand(operator, operand, |value| {
        matches!(value, AttributeValue::S(_) | AttributeValue::N(_) | AttributeValue::B(_))
    })
}

/// Checks that a value of the request has a type that the operator accepts; stored values are
/// compared as they are.
fn check_operand(
    operator: &str,
    operand: &Operand,
    takes: impl Fn(&AttributeValue) -> bool,
) -> Result<()> {
    match operand {
        Operand::Value(value) if !takes(value) => Err(operand_type(operator, value.type_name())),
        Operand::Value(_) | Operand::Path(_) | Operand::Size(_) => Ok(()),
    }
}

fn parts(condition: &Condition) -> usize {
    match condition {
        Condition::And(parts_of) | Condition::Or(parts_of) => {
            1 + parts_of.iter().map(parts).sum::<usize>()
        }
        Condition::Not(operand) => 1 + parts(operand),
        _ => 1,
    }
}

fn check_parts(parts: usize) -> Result<()> {
    if parts <= PARTS_MAX { Ok(()) } else { Err(refused("The where clause is too complex")) }
}
