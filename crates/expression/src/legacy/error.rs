//! AWS's messages for invalid legacy parameters.

use monotable_types::TypeName;

use super::ComparisonOperator;

/// The reason why a legacy parameter is refused. All variants are AWS's `ValidationException`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LegacyError {
    /// `Value` and `AttributeValueList` exclude each other.
    #[error(
        "One or more parameter values were invalid: Value and AttributeValueList cannot be used \
         together for Attribute: {attribute}"
    )]
    ValueAndList {
        /// The attribute.
        attribute: String,
    },
    /// `Exists` and `ComparisonOperator` exclude each other.
    #[error(
        "One or more parameter values were invalid: Exists and ComparisonOperator cannot be used \
         together for Attribute: {attribute}"
    )]
    ExistsAndOperator {
        /// The attribute.
        attribute: String,
    },
    /// The operator needs a value.
    #[error(
        "One or more parameter values were invalid: Value or AttributeValueList must be used with \
         ComparisonOperator: {operator} for Attribute: {attribute}"
    )]
    OperatorWithoutValue {
        /// The operator or function.
        operator: ComparisonOperator,
        /// The attribute.
        attribute: String,
    },
    /// `AttributeValueList` needs an operator.
    #[error(
        "One or more parameter values were invalid: AttributeValueList can only be used with a \
         ComparisonOperator for Attribute: {attribute}"
    )]
    ListWithoutOperator {
        /// The attribute.
        attribute: String,
    },
    /// An attribute that must exist needs a value.
    #[error(
        "One or more parameter values were invalid: Value must be provided when Exists is \
         {exists} for Attribute: {attribute}"
    )]
    ExistsWithoutValue {
        /// The value of `Exists`: `true` or `null`.
        exists: &'static str,
        /// The attribute.
        attribute: String,
    },
    /// An attribute that must not exist can have no value.
    #[error(
        "One or more parameter values were invalid: Value cannot be used when Exists is false for \
         Attribute: {attribute}"
    )]
    NotExistsWithValue {
        /// The attribute.
        attribute: String,
    },
    /// The operator needs a different number of values.
    #[error(
        "One or more parameter values were invalid: Invalid number of argument(s) for the \
         {operator} ComparisonOperator"
    )]
    ArgumentCount {
        /// The operator or function.
        operator: ComparisonOperator,
    },
    /// The values differ in type.
    #[error(
        "One or more parameter values were invalid: AttributeValues inside AttributeValueList \
         must be of same type"
    )]
    ArgumentTypesDiffer,
    /// The operator does not accept values of this type.
    #[error(
        "One or more parameter values were invalid: ComparisonOperator {operator} is not valid \
         for {argument} AttributeValue type"
    )]
    ArgumentType {
        /// The operator or function.
        operator: ComparisonOperator,
        /// The type of the argument.
        argument: TypeName,
    },
    /// The lower bound of `BETWEEN` is above the upper.
    #[error(
        "The BETWEEN condition was provided a range where the lower bound is greater than the \
         upper bound"
    )]
    BetweenBounds,
    /// `ConditionalOperator` is given without conditions.
    #[error(
        "One or more parameter values were invalid: ConditionalOperator cannot be used without \
         Filter or Expected"
    )]
    OperatorWithoutConditions,
    /// `KeyConditions` does not name one or two attributes.
    #[error("Conditions can be of length 1 or 2 only")]
    KeyConditionCount,
    /// An index cannot evaluate the operator.
    #[error("Attempted conditional constraint is not an indexable operation")]
    KeyConditionOperator,
    /// `PUT` and `ADD` need a value.
    #[error(
        "One or more parameter values were invalid: Only DELETE action is allowed when no \
         attribute value is specified"
    )]
    ActionWithoutValue,
    /// `DELETE` accepts sets only.
    #[error(
        "One or more parameter values were invalid: DELETE action with value is not supported for \
         the type {value}"
    )]
    DeleteType {
        /// The value, or its type.
        value: TypeName,
    },
    /// `ADD` accepts numbers, sets and lists only.
    #[error(
        "One or more parameter values were invalid: ADD action is not supported for the type \
         {value}"
    )]
    AddType {
        /// The value, or its type.
        value: TypeName,
    },
    /// `AttributesToGet` names an attribute twice.
    #[error(
        "One or more parameter values were invalid: Duplicate value in attribute name: {attribute}"
    )]
    AttributeRepeated {
        /// The attribute.
        attribute: String,
    },
}
