//! The thirteen comparison operators of the legacy parameters: their arguments and their trees.

use std::fmt;
use std::str::FromStr;

use monotable_types::{AttributeValue, TypeName};

use super::LegacyError;
use crate::{Condition, Path, compare};

/// A legacy comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComparisonOperator {
    /// `EQ`
    Eq,
    /// `NE`; also holds for a missing attribute.
    Ne,
    /// `IN`
    In,
    /// `LE`
    Le,
    /// `LT`
    Lt,
    /// `GE`
    Ge,
    /// `GT`
    Gt,
    /// `BETWEEN`
    Between,
    /// `NOT_NULL`: the attribute exists.
    NotNull,
    /// `NULL`: the attribute does not exist.
    Null,
    /// `CONTAINS`
    Contains,
    /// `NOT_CONTAINS`: the attribute exists and does not contain the value.
    NotContains,
    /// `BEGINS_WITH`
    BeginsWith,
}

/// The combination of the conditions of `Expected` or of a filter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ConditionalOperator {
    /// All must hold.
    #[default]
    And,
    /// One must hold.
    Or,
}

/// The error of a text that is not the name of an operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not the name of an operator")]
pub struct UnknownOperator(
    /// The text.
    pub String,
);

impl ComparisonOperator {
    /// Every operator, in the order in which AWS's messages list them.
    pub const ALL: [Self; 13] = [
        Self::In,
        Self::Null,
        Self::BeginsWith,
        Self::Lt,
        Self::Ge,
        Self::NotContains,
        Self::NotNull,
        Self::Contains,
        Self::Ne,
        Self::Gt,
        Self::Eq,
        Self::Le,
        Self::Between,
    ];

    /// Returns the name as DynamoDB writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Eq => "EQ",
            Self::Ne => "NE",
            Self::In => "IN",
            Self::Le => "LE",
            Self::Lt => "LT",
            Self::Ge => "GE",
            Self::Gt => "GT",
            Self::Between => "BETWEEN",
            Self::NotNull => "NOT_NULL",
            Self::Null => "NULL",
            Self::Contains => "CONTAINS",
            Self::NotContains => "NOT_CONTAINS",
            Self::BeginsWith => "BEGINS_WITH",
        }
    }

    /// Checks the number, the types and the order of the arguments, in this order.
    pub(super) fn check(self, arguments: &[AttributeValue]) -> Result<(), LegacyError> {
        self.check_count(arguments)?;
        let Some(first) = arguments.first().map(AttributeValue::type_name) else {
            return Ok(());
        };
        if arguments.iter().any(|other| other.type_name() != first) {
            return Err(LegacyError::ArgumentTypesDiffer);
        }
        if !self.accepts(first) {
            return Err(LegacyError::ArgumentType { operator: self, argument: first });
        }
        self.check_bounds(arguments)
    }

    pub(super) fn check_count(self, arguments: &[AttributeValue]) -> Result<(), LegacyError> {
        let fits = match self {
            Self::Null | Self::NotNull => arguments.is_empty(),
            Self::In => !arguments.is_empty(),
            Self::Between => arguments.len() == 2,
            _ => arguments.len() == 1,
        };
        if fits { Ok(()) } else { Err(LegacyError::ArgumentCount { operator: self }) }
    }

    fn check_bounds(self, arguments: &[AttributeValue]) -> Result<(), LegacyError> {
        match arguments {
            [low, high]
                if self == Self::Between
                    && compare::order(low, high).is_some_and(|order| order.is_gt()) =>
            {
                Err(LegacyError::BetweenBounds)
            }
            _ => Ok(()),
        }
    }

    fn accepts(self, argument: TypeName) -> bool {
        match self {
            Self::Eq | Self::Ne | Self::Null | Self::NotNull => true,
            Self::Le | Self::Lt | Self::Ge | Self::Gt | Self::Between | Self::In => {
                compare::is_ordered(argument)
            }
            Self::BeginsWith => matches!(argument, TypeName::S | TypeName::B),
            Self::Contains | Self::NotContains => !matches!(
                argument,
                TypeName::Ss | TypeName::Ns | TypeName::Bs | TypeName::M | TypeName::L
            ),
        }
    }

    /// Returns the condition on an attribute, for arguments that have been checked.
    pub(super) fn condition(self, attribute: &str, arguments: &[AttributeValue]) -> Condition {
        let path = Path::attribute(attribute);
        match (self, arguments) {
            (Self::Null, _) => path.not_exists(),
            (Self::NotNull, _) => path.exists(),
            (Self::In, list) => path.is_in(list.iter().cloned()),
            (Self::Between, [low, high, ..]) => path.between(low.clone(), high.clone()),
            (Self::Eq, [value, ..]) => path.eq(value.clone()),
            (Self::Ne, [value, ..]) => path.ne(value.clone()),
            (Self::Le, [value, ..]) => path.le(value.clone()),
            (Self::Lt, [value, ..]) => path.lt(value.clone()),
            (Self::Ge, [value, ..]) => path.ge(value.clone()),
            (Self::Gt, [value, ..]) => path.gt(value.clone()),
            (Self::Contains, [part, ..]) => path.contains(part.clone()),
            (Self::NotContains, [part, ..]) => {
                path.clone().exists().and(!path.contains(part.clone()))
            }
            (Self::BeginsWith, [prefix, ..]) => path.begins_with(prefix.clone()),
            // `check` refuses fewer arguments; an empty list contains nothing.
            (_, _) => Condition::Or(Vec::new()),
        }
    }
}

impl fmt::Display for ComparisonOperator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for ComparisonOperator {
    type Err = UnknownOperator;

    fn from_str(text: &str) -> Result<Self, UnknownOperator> {
        Self::ALL
            .into_iter()
            .find(|operator| operator.as_str() == text)
            .ok_or_else(|| UnknownOperator(text.to_owned()))
    }
}

impl FromStr for ConditionalOperator {
    type Err = UnknownOperator;

    fn from_str(text: &str) -> Result<Self, UnknownOperator> {
        match text {
            "AND" => Ok(Self::And),
            "OR" => Ok(Self::Or),
            _ => Err(UnknownOperator(text.to_owned())),
        }
    }
}

impl ConditionalOperator {
    /// Combines the conditions; `None` without conditions.
    pub(super) fn combine(self, mut conditions: Vec<Condition>) -> Option<Condition> {
        match (conditions.len(), self) {
            (0 | 1, _) => conditions.pop(),
            (_, Self::And) => Some(Condition::And(conditions)),
            (_, Self::Or) => Some(Condition::Or(conditions)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_reads_back() {
        for operator in ComparisonOperator::ALL {
            assert_eq!(operator.as_str().parse(), Ok(operator));
        }
        assert!("eq".parse::<ComparisonOperator>().is_err());
        assert_eq!("OR".parse(), Ok(ConditionalOperator::Or));
    }
}
