//! The condition tree of `ConditionExpression` and `FilterExpression`, buildable by hand.
//!
//! Owns the tree and the builders. Parsing, printing and evaluation are separate modules that only
//! share this tree.

use std::ops;

use monotable_types::TypeName;

use crate::{Comparator, Operand, Path};

/// A condition on an item.
///
/// ```
/// use monotable_expression::{attribute_exists, path, size};
/// use monotable_types::{item, set};
///
/// let condition = attribute_exists("PK")
///     .and(path("age").ge(18).or(path("guardian").exists()))
///     .and(size("tags").lt(3));
/// let item = item! { "PK" => "TEAM#1", "age" => 20, "tags" => set!["a"] };
/// assert!(condition.evaluate(&item));
/// assert!(!(!condition).evaluate(&item));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// `left = right` and the other comparisons.
    Compare {
        /// The left side.
        left: Operand,
        /// The operator.
        comparator: Comparator,
        /// The right side.
        right: Operand,
    },
    /// `operand BETWEEN low AND high`
    Between {
        /// The operand that is tested.
        operand: Operand,
        /// The smallest value that passes.
        low: Operand,
        /// The greatest value that passes.
        high: Operand,
    },
    /// `operand IN (…)`
    In {
        /// The value to find.
        operand: Operand,
        /// The values to search; the parser accepts 1 to 100.
        list: Vec<Operand>,
    },
    /// All of them hold. The parser never makes an `And` of fewer than two.
    And(Vec<Condition>),
    /// One of them holds. The parser never makes an `Or` of fewer than two.
    Or(Vec<Condition>),
    /// The condition does not hold.
    Not(Box<Condition>),
    /// `attribute_exists(path)`
    AttributeExists(Path),
    /// `attribute_not_exists(path)`
    AttributeNotExists(Path),
    /// `attribute_type(operand, :type)`; the type is a value of the request, so it is known here.
    AttributeType(Operand, TypeName),
    /// `begins_with(operand, prefix)`
    BeginsWith(Operand, Operand),
    /// `contains(operand, part)`
    Contains(Operand, Operand),
}

/// Returns `attribute_exists(path)`.
pub fn attribute_exists(path: impl Into<Path>) -> Condition {
    Condition::AttributeExists(path.into())
}

/// Returns `attribute_not_exists(path)`.
pub fn attribute_not_exists(path: impl Into<Path>) -> Condition {
    Condition::AttributeNotExists(path.into())
}

/// Returns `attribute_type(path, type_name)`.
pub fn attribute_type(path: impl Into<Path>, type_name: TypeName) -> Condition {
    path.into().has_type(type_name)
}

/// Returns `begins_with(path, prefix)`; for a value on the left use [`Operand::begins_with`].
pub fn begins_with(path: impl Into<Path>, prefix: impl Into<Operand>) -> Condition {
    path.into().begins_with(prefix)
}

/// Returns `contains(path, part)`; for a value on the left use [`Operand::contains`].
pub fn contains(path: impl Into<Path>, part: impl Into<Operand>) -> Condition {
    path.into().contains(part)
}

impl Condition {
    pub(crate) fn compare(left: Operand, comparator: Comparator, right: Operand) -> Self {
        Self::Compare { left, comparator, right }
    }

    /// Combines two conditions that must both hold. A chain of `and` makes one flat [`Condition::And`], as the parser does.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match self {
            Self::And(mut conditions) => {
                conditions.push(other);
                Self::And(conditions)
            }
            first => Self::And(vec![first, other]),
        }
    }

    /// Combines two conditions, one of which must hold. A chain of `or` makes one flat [`Condition::Or`], as the parser does.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        match self {
            Self::Or(mut conditions) => {
                conditions.push(other);
                Self::Or(conditions)
            }
            first => Self::Or(vec![first, other]),
        }
    }

    /// Calls `visit` with every path that the condition reads, in the order written. An engine
    /// needs this to refuse a filter on key attributes.
    pub fn for_each_path<'a>(&'a self, visit: &mut impl FnMut(&'a Path)) {
        match self {
            Self::Compare { left, right, .. } => {
                visit_operands([left, right], visit);
            }
            Self::Between { operand, low, high } => visit_operands([operand, low, high], visit),
            Self::In { operand, list } => {
                visit_operands([operand], visit);
                visit_operands(list, visit);
            }
            Self::And(conditions) | Self::Or(conditions) => {
                for condition in conditions {
                    condition.for_each_path(visit);
                }
            }
            Self::Not(condition) => condition.for_each_path(visit),
            Self::AttributeExists(path) | Self::AttributeNotExists(path) => visit(path),
            Self::AttributeType(operand, _) => visit_operands([operand], visit),
            Self::BeginsWith(operand, argument) | Self::Contains(operand, argument) => {
                visit_operands([operand, argument], visit);
            }
        }
    }
}

fn visit_operands<'a>(
    operands: impl IntoIterator<Item = &'a Operand>,
    visit: &mut impl FnMut(&'a Path),
) {
    for operand in operands {
        if let Operand::Path(path) | Operand::Size(path) = operand {
            visit(path);
        }
    }
}

/// `!condition` is `NOT condition`.
impl ops::Not for Condition {
    type Output = Self;

    fn not(self) -> Self {
        Self::Not(Box::new(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{path, size};

    #[test]
    fn chains_of_and_and_or_stay_flat() {
        let one = || attribute_exists("a");
        assert_eq!(one().and(one()).and(one()), Condition::And(vec![one(), one(), one()]));
        assert_eq!(
            one().or(one().or(one())),
            Condition::Or(vec![one(), Condition::Or(vec![one(), one()])])
        );
    }

    #[test]
    fn every_path_that_is_read_is_visited_in_order() {
        let condition = path("a")
            .eq(path("b"))
            .and(!path("c").between(1, size("d")))
            .or(path("e").is_in([path("f").into(), Operand::from(1)]))
            .or(path("g").contains(path("h")))
            .or(path("i").not_exists());
        let mut roots = String::new();
        condition.for_each_path(&mut |path| roots.push_str(&path.root));
        assert_eq!(roots, "abcdefghi");
    }
}
