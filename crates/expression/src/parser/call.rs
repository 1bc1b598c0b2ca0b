//! The operands of conditions: paths, values and function calls, with or without parentheses, and
//! what AWS checks about each function.

use monotable_types::{AttributeValue, TypeName};

use super::cursor::{Cursor, Parsed};
use super::lexer::TokenKind;
use super::problem::Rank;
use crate::{Condition, Operand, Path, Reason, compare};

/// The deepest nesting of calls. In a valid condition no call contains another one, so the limit only
/// keeps hostile text from exhausting the stack.
const CALL_DEPTH_MAX: usize = 16;

/// A parsed operand.
pub(super) enum Argument {
    Path(Path),
    Value(AttributeValue),
    /// `size(…)`, already reduced to a number when its argument is a value.
    Size(Operand),
    /// A function that returns a boolean.
    Boolean {
        function: &'static str,
        condition: Condition,
    },
    /// A call of a function that does not exist. The problem has been noted.
    Unknown,
}

impl Argument {
    /// Returns the type that is known without an item.
    pub(super) fn static_type(&self) -> Option<TypeName> {
        match self {
            Self::Value(value) => Some(value.type_name()),
            Self::Size(_) => Some(TypeName::N),
            Self::Path(_) | Self::Boolean { .. } | Self::Unknown => None,
        }
    }

    /// Returns the operand for the tree. If it is invalid, the problem has been noted, and null replaces it.
    pub(super) fn into_operand(self) -> Operand {
        match self {
            Self::Path(path) => Operand::Path(path),
            Self::Value(value) => Operand::Value(value),
            Self::Size(operand) => operand,
            Self::Boolean { .. } | Self::Unknown => Operand::Value(AttributeValue::Null),
        }
    }
}

/// The first two arguments of a call, which is all that any function takes, and their true number.
struct Arguments {
    first: Argument,
    second: Option<Argument>,
    count: usize,
}

impl Cursor<'_, '_, '_> {
    /// Reads an operand without parentheses around it.
    pub(super) fn argument(&mut self) -> Parsed<Argument> {
        self.nested_argument(0)
    }

    /// Reads an operand with any number of parentheses around it.
    pub(super) fn wrapped_argument(&mut self) -> Parsed<Argument> {
        self.nested_wrapped_argument(0)
    }

    fn nested_argument(&mut self, depth: usize) -> Parsed<Argument> {
        if self.at(TokenKind::Value) {
            Ok(Argument::Value(self.value()?))
        } else if self.at_call() {
            self.call(depth)
        } else {
            Ok(Argument::Path(self.path()?))
        }
    }

    fn nested_wrapped_argument(&mut self, depth: usize) -> Parsed<Argument> {
        let mut open = 0;
        while self.take(TokenKind::Open) {
            open += 1;
        }
        let mut argument = self.nested_argument(depth)?;
        let mut wrapped = false;
        for _ in 0..open {
            self.expect(TokenKind::Close)?;
            if wrapped {
                self.note(Rank::Parentheses, Reason::RedundantParentheses);
            }
            wrapped = true;
            if let Argument::Path(path) = &mut argument
                && self.at_path_step()
            {
                self.path_steps(path)?;
                wrapped = false;
            }
        }
        Ok(argument)
    }

    fn call(&mut self, depth: usize) -> Parsed<Argument> {
        if depth == CALL_DEPTH_MAX {
            return Err(self.syntax_error());
        }
        self.count_operator();
        let name = self.advance().text;
        self.expect(TokenKind::Open)?;
        let mut arguments =
            Arguments { first: self.call_argument(depth + 1)?, second: None, count: 1 };
        while self.take(TokenKind::Comma) {
            let argument = self.call_argument(depth + 1)?;
            arguments.second.get_or_insert(argument);
            arguments.count += 1;
        }
        self.expect(TokenKind::Close)?;
        match name {
            "size" => Ok(self.size(arguments)),
            "attribute_exists" => {
                Ok(self.existence("attribute_exists", arguments, Condition::AttributeExists))
            }
            "attribute_not_exists" => {
                let function = "attribute_not_exists";
                Ok(self.existence(function, arguments, Condition::AttributeNotExists))
            }
            "attribute_type" => Ok(self.type_test(arguments)),
            "begins_with" => Ok(self.begins_with(arguments)),
            "contains" => Ok(self.contains(arguments)),
            _ => Ok(self.unknown_function(name)),
        }
    }

    fn call_argument(&mut self, depth: usize) -> Parsed<Argument> {
        let argument = self.nested_wrapped_argument(depth)?;
        self.note_misuse(&argument);
        Ok(argument)
    }

    /// Notes that a function that returns a boolean cannot be an operand.
    pub(super) fn note_misuse(&mut self, argument: &Argument) {
        if let Argument::Boolean { function, .. } = argument {
            self.note(Rank::MisusedFunction, Reason::FunctionMisused { function });
        }
    }

    fn unknown_function(&mut self, name: &str) -> Argument {
        let known = ["if_not_exists", "list_append"];
        let reason = match known.into_iter().find(|function| *function == name) {
            Some(function) => Reason::FunctionNotAllowed { expression: "a condition", function },
            None => Reason::UnknownFunction { function: name.to_owned() },
        };
        self.note(Rank::UnknownFunction, reason);
        Argument::Unknown
    }

    /// Notes a wrong number of arguments, and paths that are the same.
    fn check_arguments(&mut self, function: &'static str, arguments: &Arguments, expected: usize) {
        let count = arguments.count;
        if count != expected {
            self.note(Rank::OperandCount, Reason::OperandCount { function, count });
        } else if let Some(second) = &arguments.second {
            self.check_distinct(function, &arguments.first, second);
        }
    }

    pub(super) fn check_distinct(
        &mut self,
        operator: &'static str,
        first: &Argument,
        other: &Argument,
    ) {
        if let (Argument::Path(first), Argument::Path(other)) = (first, other)
            && first == other
        {
            let path = first.elements();
            self.note(Rank::Distinct, Reason::OperandsNotDistinct { operator, path });
        }
    }

    /// Notes an operand whose type is known and refused by `accepts`.
    pub(super) fn check_type(
        &mut self,
        operator: &'static str,
        argument: &Argument,
        accepts: fn(TypeName) -> bool,
    ) {
        if let Some(operand) = argument.static_type()
            && !accepts(operand)
        {
            self.note(Rank::Operand, Reason::OperandType { operator, operand });
        }
    }

    fn path_argument(&mut self, function: &'static str, argument: Argument) -> Path {
        match argument {
            Argument::Path(path) => path,
            _ => {
                self.note(Rank::Operand, Reason::PathRequired { function });
                Path::attribute("")
            }
        }
    }

    fn size(&mut self, arguments: Arguments) -> Argument {
        self.check_arguments("size", &arguments, 1);
        self.check_type("size", &arguments.first, compare::is_sized);
        Argument::Size(match arguments.first {
            Argument::Path(path) => Operand::Size(path),
            Argument::Value(value) => {
                let size = compare::size(&value);
                Operand::Value(size.map_or(AttributeValue::Null, AttributeValue::N))
            }
            other => other.into_operand(),
        })
    }

    fn existence(
        &mut self,
        function: &'static str,
        arguments: Arguments,
        condition: fn(Path) -> Condition,
    ) -> Argument {
        self.check_arguments(function, &arguments, 1);
        let condition = condition(self.path_argument(function, arguments.first));
        Argument::Boolean { function, condition }
    }

    fn type_test(&mut self, arguments: Arguments) -> Argument {
        let function = "attribute_type";
        self.check_arguments(function, &arguments, 2);
        let type_name = self.type_argument(arguments.second.unwrap_or(Argument::Unknown));
        let operand = arguments.first.into_operand();
        Argument::Boolean { function, condition: Condition::AttributeType(operand, type_name) }
    }

    /// Reads the type argument of `attribute_type`, which must be a string value of the request
    /// that names a type.
    fn type_argument(&mut self, argument: Argument) -> TypeName {
        let reason = match &argument {
            Argument::Value(AttributeValue::S(name)) => match name.parse() {
                Ok(type_name) => return type_name,
                Err(_) => Reason::UnknownType { name: name.clone() },
            },
            other => match other.static_type() {
                Some(operand) => Reason::OperandType { operator: "attribute_type", operand },
                None => Reason::TypeNotConstant,
            },
        };
        self.note(Rank::Operand, reason);
        TypeName::Null
    }

    fn begins_with(&mut self, arguments: Arguments) -> Argument {
        let function = "begins_with";
        let accepts = |type_name| matches!(type_name, TypeName::S | TypeName::B);
        self.check_arguments(function, &arguments, 2);
        let second = arguments.second.unwrap_or(Argument::Unknown);
        self.check_type(function, &arguments.first, accepts);
        self.check_type(function, &second, accepts);
        let (operand, prefix) = (arguments.first.into_operand(), second.into_operand());
        Argument::Boolean { function, condition: Condition::BeginsWith(operand, prefix) }
    }

    fn contains(&mut self, arguments: Arguments) -> Argument {
        let function = "contains";
        self.check_arguments(function, &arguments, 2);
        let second = arguments.second.unwrap_or(Argument::Unknown);
        let (operand, part) = (arguments.first.into_operand(), second.into_operand());
        Argument::Boolean { function, condition: Condition::Contains(operand, part) }
    }
}
