//! What AWS says about wrong legacy parameters.

use monotable_types::TypeName;

use super::ComparisonOperator;

/// Why a legacy parameter is refused. All of them are AWS's `ValidationException`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // The messages say it, and the fields are the holes in them.
pub enum LegacyError {
    #[error(
        "One or more parameter values were invalid: Value and AttributeValueList cannot be used \
         together for Attribute: {attribute}"
    )]
    ValueAndList { attribute: String },
    #[error(
        "One or more parameter values were invalid: Exists and ComparisonOperator cannot be used \
         together for Attribute: {attribute}"
    )]
    ExistsAndOperator { attribute: String },
    #[error(
        "One or more parameter values were invalid: Value or AttributeValueList must be used with \
         ComparisonOperator: {operator} for Attribute: {attribute}"
    )]
    OperatorWithoutValue {
        operator: ComparisonOperator,
        attribute: String,
    },
    #[error(
        "One or more parameter values were invalid: AttributeValueList can only be used with a \
         ComparisonOperator for Attribute: {attribute}"
    )]
    ListWithoutOperator { attribute: String },
    #[error(
        "One or more parameter values were invalid: Value must be provided when Exists is \
         {exists} for Attribute: {attribute}"
    )]
    ExistsWithoutValue {
        exists: &'static str,
        attribute: String,
    },
    #[error(
        "One or more parameter values were invalid: Value cannot be used when Exists is false for \
         Attribute: {attribute}"
    )]
    NotExistsWithValue { attribute: String },
    #[error(
        "One or more parameter values were invalid: Invalid number of argument(s) for the \
         {operator} ComparisonOperator"
    )]
    ArgumentCount { operator: ComparisonOperator },
    #[error(
        "One or more parameter values were invalid: AttributeValues inside AttributeValueList \
         must be of same type"
    )]
    ArgumentTypesDiffer,
    #[error(
        "One or more parameter values were invalid: ComparisonOperator {operator} is not valid \
         for {argument} AttributeValue type"
    )]
    ArgumentType {
        operator: ComparisonOperator,
        argument: TypeName,
    },
    #[error(
        "The BETWEEN condition was provided a range where the lower bound is greater than the \
         upper bound"
    )]
    BetweenBounds,
    #[error(
        "One or more parameter values were invalid: ConditionalOperator cannot be used without \
         Filter or Expected"
    )]
    OperatorWithoutConditions,
    #[error("Conditions can be of length 1 or 2 only")]
    KeyConditionCount,
    #[error("Attempted conditional constraint is not an indexable operation")]
    KeyConditionOperator,
    #[error(
        "One or more parameter values were invalid: Only DELETE action is allowed when no \
         attribute value is specified"
    )]
    ActionWithoutValue,
    #[error(
        "One or more parameter values were invalid: DELETE action with value is not supported for \
         the type {value}"
    )]
    DeleteType { value: TypeName },
    #[error(
        "One or more parameter values were invalid: ADD action is not supported for the type \
         {value}"
    )]
    AddType { value: TypeName },
    #[error(
        "One or more parameter values were invalid: Duplicate value in attribute name: {attribute}"
    )]
    AttributeRepeated { attribute: String },
}
