//! The errors of expressions, in AWS's words.
//!
//! `Display` is the complete message for clients. The variants contain the parts, so that callers
//! can match on the cause without parsing English.

use std::fmt;

use monotable_types::{NumberError, TypeName};

/// The request parameter that contained an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExpressionKind {
    /// `ConditionExpression`
    Condition,
    /// `FilterExpression`
    Filter,
    /// `KeyConditionExpression`
    KeyCondition,
    /// `ProjectionExpression`
    Projection,
    /// `UpdateExpression`
    Update,
}

impl fmt::Display for ExpressionKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Condition => "ConditionExpression",
            Self::Filter => "FilterExpression",
            Self::KeyCondition => "KeyConditionExpression",
            Self::Projection => "ProjectionExpression",
            Self::Update => "UpdateExpression",
        })
    }
}

/// The reason why the expressions or legacy parameters of a request are refused. All variants are
/// AWS's `ValidationException`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExpressionError {
    /// The text of one expression is invalid.
    #[error("Invalid {kind}: {reason}")]
    Invalid {
        /// The expression.
        kind: ExpressionKind,
        /// The error.
        reason: Reason,
    },
    /// A key condition is well formed, but no index can evaluate it.
    #[error(transparent)]
    KeyCondition(#[from] KeyConditionError),
    /// `ExpressionAttributeNames` or `ExpressionAttributeValues` is given but empty.
    #[error("{parameter} must not be empty")]
    PlaceholdersEmpty {
        /// The parameter.
        parameter: &'static str,
    },
    /// A key of `ExpressionAttributeNames` or `ExpressionAttributeValues` is not a placeholder.
    #[error("{parameter} contains invalid key: Syntax error; key: \"{key}\"")]
    PlaceholderSyntax {
        /// The parameter.
        parameter: &'static str,
        /// The key.
        key: String,
    },
    /// Placeholders that no expression of the request uses.
    #[error("Value provided in {parameter} unused in expressions: keys: {{{}}}", keys.join(", "))]
    PlaceholdersUnused {
        /// The parameter.
        parameter: &'static str,
        /// The unused placeholders, sorted.
        keys: Vec<String>,
    },
    /// A legacy parameter is invalid.
    #[error(transparent)]
    Legacy(#[from] crate::legacy::LegacyError),
}

/// The error of the text of an expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The text is empty.
    #[error("The expression can not be empty;")]
    Empty,
    /// The text is longer than 4 KB.
    #[error(
        "Expression size has exceeded the maximum allowed size;{}",
        bytes.map(|bytes| format!(" expression size: {bytes}")).unwrap_or_default()
    )]
    TooLong {
        /// Its length, which AWS's message for updates does not contain.
        bytes: Option<usize>,
    },
    /// The text breaks the grammar.
    #[error("Syntax error; token: \"{token}\", near: \"{near}\"")]
    Syntax {
        /// The token that does not fit, or `<EOF>`.
        token: String,
        /// The text from the previous token to the next one.
        near: String,
    },
    /// A parenthesis contains only another parenthesis.
    #[error("The expression has redundant parentheses;")]
    RedundantParentheses,
    /// There are more than 300 operators and functions.
    #[error("The expression contains too many operators; operator count: {count}")]
    TooManyOperators {
        /// Their number.
        count: usize,
    },
    /// The function does not exist.
    #[error("Invalid function name; function: {function}")]
    UnknownFunction {
        /// The function.
        function: String,
    },
    /// The function belongs to another kind of expression.
    #[error("The function is not allowed in {expression} expression; function: {function}")]
    FunctionNotAllowed {
        /// The kind of expression, with its article.
        expression: &'static str,
        /// The function.
        function: &'static str,
    },
    /// A function is used as an operand, or `size` as a condition.
    #[error(
        "The function is not allowed to be used this way in an expression; function: {function}"
    )]
    FunctionMisused {
        /// The function.
        function: &'static str,
    },
    /// A bare attribute name is a reserved word.
    #[error("Attribute name is a reserved keyword; reserved keyword: {word}")]
    ReservedWord {
        /// The word as written.
        word: String,
    },
    /// A list index is too large.
    #[error("List index is not within the allowable range; index: [{index}]")]
    IndexOutOfRange {
        /// The index as written.
        index: String,
    },
    /// A path has more than 32 elements.
    #[error("The document path has too many nesting elements; nesting levels: {levels}")]
    PathTooDeep {
        /// The number of its elements.
        levels: usize,
    },
    /// A `#name` is not in `ExpressionAttributeNames`.
    #[error(
        "An expression attribute name used in the document path is not defined; \
         attribute name: {name}"
    )]
    UndefinedName {
        /// The name as written.
        name: String,
    },
    /// A `:value` is not in `ExpressionAttributeValues`.
    #[error(
        "An expression attribute value used in expression is not defined; attribute value: {value}"
    )]
    UndefinedValue {
        /// The value, or its type.
        value: String,
    },
    /// A function has too few or too many arguments.
    #[error(
        "Incorrect number of operands for operator or function; \
         operator or function: {function}, number of operands: {count}"
    )]
    OperandCount {
        /// The function.
        function: &'static str,
        /// Their number.
        count: usize,
    },
    /// A function needs a path in this position.
    #[error("Operator or function requires a document path; operator or function: {function}")]
    PathRequired {
        /// The function.
        function: &'static str,
    },
    /// A path is compared with itself.
    #[error(
        "The first operand must be distinct from the remaining operands for this operator or \
         function; operator: {operator}, first operand: {path}"
    )]
    OperandsNotDistinct {
        /// The operator or function.
        operator: &'static str,
        /// The path.
        path: String,
    },
    /// A value of the request has a type that the operator does not accept.
    #[error(
        "Incorrect operand type for operator or function; operator or function: {operator}, \
         operand type: {operand}"
    )]
    OperandType {
        /// The operator or function.
        operator: &'static str,
        /// The type of the operand.
        operand: TypeName,
    },
    /// The type argument of `attribute_type` is not a value of the request.
    #[error(
        "Incorrect operand type for operator or function; operator or function: attribute_type, \
         operand type: {{S,SS,N,NS,B,BS,BOOL,NULL,L,M,HD,DOUBLE,FLOAT,HDS,FS,DOUBLESET,DICT,\
         DECIMAL,INT,DECIMALSET,INTSET}}"
    )]
    TypeNotConstant,
    /// The type argument of `attribute_type` does not exist.
    #[error(
        "Invalid attribute type name found; type: {name}, \
         valid types: {{S,SS,N,NS,B,BS,BOOL,NULL,L,M}}"
    )]
    UnknownType {
        /// The name as written.
        name: String,
    },
    /// `IN` has more than 100 operands.
    #[error("The IN operator is provided with too many operands; number of operands: {count}")]
    TooManyInOperands {
        /// Their number.
        count: usize,
    },
    /// The bounds of `BETWEEN` differ in type.
    #[error(
        "The BETWEEN operator requires same data type for lower and upper bounds; \
         lower bound operand: AttributeValue: {low}, upper bound operand: AttributeValue: {high}"
    )]
    BetweenTypes {
        /// The lower bound.
        low: String,
        /// The upper bound.
        high: String,
    },
    /// The lower bound of `BETWEEN` is above the upper.
    #[error(
        "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; \
         lower bound operand: AttributeValue: {low}, upper bound operand: AttributeValue: {high}"
    )]
    BetweenBounds {
        /// The lower bound.
        low: String,
        /// The upper bound.
        high: String,
    },
    /// A section of an update occurs twice.
    #[error("The \"{section}\" section can only be used once in an update expression;")]
    SectionRepeated {
        /// The section.
        section: &'static str,
    },
    /// A path leads to or into the value of another.
    #[error(
        "Two document paths overlap with each other; must remove or rewrite one of these paths; \
         path one: {one}, path two: {two}"
    )]
    PathsOverlap {
        /// The path written first.
        one: String,
        /// The path written later.
        two: String,
    },
    /// Two paths use one value as a map and as a list.
    #[error(
        "Two document paths conflict with each other; must remove or rewrite one of these paths; \
         path one: {one}, path two: {two}"
    )]
    PathsConflict {
        /// The path written first.
        one: String,
        /// The path written later.
        two: String,
    },
    /// `ADD` or `DELETE` does not accept the value. DynamoDB names the type set after `ADD` for
    /// both.
    #[error(
        "Incorrect operand type for operator or function; operator: {section}, \
         operand type: {operand}, typeSet: ALLOWED_FOR_ADD_OPERAND"
    )]
    SectionOperandType {
        /// The section.
        section: &'static str,
        /// The type of the operand.
        operand: &'static str,
    },
    /// A key condition calls `size`.
    #[error("KeyConditionExpressions cannot contain nested operations")]
    KeyNestedOperation,
    /// A key condition leads into an attribute.
    #[error("KeyConditionExpressions cannot have conditions on nested attributes")]
    KeyNestedAttribute,
    /// A key condition tests an attribute twice.
    #[error("KeyConditionExpressions must only contain one condition per key")]
    KeyConditionRepeated,
}

/// The reason why a well-formed condition is not a key condition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyConditionError {
    /// `OR`, `NOT`, `IN`, `<>` or a function other than `begins_with`.
    #[error("Invalid operator used in KeyConditionExpression: {operator}")]
    Operator {
        /// The operator or function.
        operator: &'static str,
    },
    /// `BETWEEN` or `begins_with` does not test an attribute.
    #[error(
        "Invalid condition in KeyConditionExpression: {operator} operator must have the key \
         attribute as its first operand"
    )]
    FirstOperand {
        /// The operator or function.
        operator: &'static str,
    },
    /// An attribute is compared with another.
    #[error(
        "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"
    )]
    MultipleAttributes,
    /// Only values are compared.
    #[error("Invalid condition in KeyConditionExpression: No key attribute specified")]
    NoAttribute,
}

/// The reason why an update cannot be applied to an item. All variants are AWS's `ValidationException`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UpdateError {
    /// An operand reads an attribute that the item lacks.
    #[error("The provided expression refers to an attribute that does not exist in the item")]
    AttributeMissing,
    /// An operand, or the value it is combined with, has the wrong type.
    #[error("An operand in the update expression has an incorrect data type")]
    OperandType,
    /// The map or list that a path leads into does not exist.
    #[error("The document path provided in the update expression is invalid for update")]
    InvalidPath,
    /// The result of arithmetic is not a DynamoDB number.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// The item would nest more than 32 levels.
    #[error("Nesting Levels have exceeded supported limits")]
    TooDeep,
    /// [`UpdateError::OperandType`] of an update that came from `AttributeUpdates`.
    #[error("Type mismatch for attribute to update")]
    LegacyTypeMismatch,
}

impl UpdateError {
    /// Returns the error as AWS words it for the legacy `AttributeUpdates`.
    #[must_use]
    pub fn into_legacy(self) -> Self {
        match self {
            Self::OperandType => Self::LegacyTypeMismatch,
            other => other,
        }
    }
}
