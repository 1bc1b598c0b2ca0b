//! Turns the actions of an `UPDATE` into the update that the engine applies.

use monotable_expression::{Path, SetOperand, SetValue, Step, Update};
use monotable_types::{AttributeValue, TypeName};

use super::literal::{Parameters, is_value};
use super::problem::{operand_type, refused};
use super::syntax::{Action, Expression, Node};
use crate::error::{Failure, Result};

/// Returns the update of all actions together.
pub(super) fn update(actions: &[Action], parameters: Parameters<'_>) -> Result<Update> {
    let updates = Updates { parameters };
    let mut update = Update::new();
    for action in actions {
        match action {
            Action::Remove(path) => update.remove.push(path.clone()),
            Action::Set(path, expression) => updates.set(&mut update, path, expression)?,
        }
    }
    check_overlap(&update)?;
    Ok(update)
}

struct Updates<'a> {
    parameters: Parameters<'a>,
}

impl Updates<'_> {
    fn set(&self, update: &mut Update, path: &Path, expression: &Expression) -> Result<()> {
        match &expression.node {
            Node::Call(name, arguments) if name == "set_add" => {
                let set = self.set_argument("SET_ADD", path, arguments, expression)?;
                update.add.push((path.clone(), set));
            }
            Node::Call(name, arguments) if name == "set_delete" => {
                let set = self.set_argument("SET_DELETE", path, arguments, expression)?;
                update.delete.push((path.clone(), set));
            }
            Node::Arithmetic(operator @ ("+" | "-"), left, right) => {
                let left = self.number_operand(operator, left)?;
                let right = self.number_operand(operator, right)?;
                let value = match *operator {
                    "+" => left.plus(right),
                    _ => left.minus(right),
                };
                update.set.push((path.clone(), value));
            }
            _ => {
                let operand = self.operand(expression)?;
                update.set.push((path.clone(), SetValue::Operand(operand)));
            }
        }
        Ok(())
    }

    fn operand(&self, expression: &Expression) -> Result<SetOperand> {
        match &expression.node {
            Node::Path(path) => Ok(SetOperand::Path(path.clone())),
            Node::Call(name, arguments) if name == "list_append" => {
                let [first, second] = arguments.as_slice() else {
                    return Err(refused(format!(
                        "Incorrect number of operands for operator or function; operator or \
                         function: list_append, number of operands: {}",
                        arguments.len()
                    )));
                };
                Ok(SetOperand::list_append(
                    self.typed_operand("list_append", first, TypeName::L)?,
                    self.typed_operand("list_append", second, TypeName::L)?,
                ))
            }
            Node::Call(name, _) => {
                Err(refused(format!("Unrecognized function: {name} at {}", expression.position)))
            }
            Node::Arithmetic(operator, ..) => Err(unsupported_operator(operator)),
            Node::Compare(comparator, ..) => Err(unsupported_operator(comparator.as_str())),
            _ => Ok(SetOperand::Value(self.parameters.value(expression)?)),
        }
    }

    fn number_operand(&self, operator: &str, expression: &Expression) -> Result<SetOperand> {
        self.typed_operand(operator, expression, TypeName::N)
    }

    /// Reads an operand; a value in the request must have the type.
    fn typed_operand(
        &self,
        operator: &str,
        expression: &Expression,
        type_name: TypeName,
    ) -> Result<SetOperand> {
        let operand = self.operand(expression)?;
        match &operand {
            SetOperand::Value(value) if value.type_name() != type_name => {
                Err(operand_type(operator, value.type_name()))
            }
            _ => Ok(operand),
        }
    }

    /// Reads the set that is added to or removed from the value of the path.
    fn set_argument(
        &self,
        function: &str,
        target: &Path,
        arguments: &[Expression],
        call: &Expression,
    ) -> Result<AttributeValue> {
        let position = call.position;
        let [first, second] = arguments else {
            return Err(refused(format!(
                "{function} must have exactly two arguments at {position}"
            )));
        };
        if !matches!(&first.node, Node::Path(path) if path == target) {
            return Err(refused(format!(
                "The first argument to {function} must equal the assignment value at {position}"
            )));
        }
        let value = if is_value(second) { Some(self.parameters.value(second)?) } else { None };
        match value {
            Some(set @ (AttributeValue::Ss(_) | AttributeValue::Ns(_) | AttributeValue::Bs(_))) => {
                Ok(set)
            }
            _ => Err(refused(format!(
                "The second argument to {function} must be a value with type SET at {}",
                first.position
            ))),
        }
    }
}

fn unsupported_operator(operator: &str) -> Failure {
    refused(format!("Unsupported operator in Update Expression. Operator: {operator}"))
}

/// Checks that no two actions write the same path or a part of it.
fn check_overlap(update: &Update) -> Result<()> {
    let mut paths: Vec<&Path> = update.paths().collect();
    paths.sort();
    // A path sorts right before the longer paths that start with it, so comparing neighbours is
    // enough.
    for pair in paths.windows(2) {
        let (one, two) = (pair[0], pair[1]);
        if one.root == two.root && two.steps.starts_with(&one.steps) {
            return Err(refused(format!(
                "Two document paths overlap with each other; must remove or rewrite one of these \
                 paths; path one: {}, path two: {}",
                elements(one),
                elements(two)
            )));
        }
    }
    Ok(())
}

/// Prints a path as in AWS's messages.
fn elements(path: &Path) -> String {
    let mut elements = vec![path.root.clone()];
    elements.extend(path.steps.iter().map(|step| match step {
        Step::Key(name) => name.clone(),
        Step::Index(index) => format!("[{index}]"),
    }));
    format!("[{}]", elements.join(", "))
}
