//! The tree of `KeyConditionExpression`: tests of single attributes, all of which must hold.
//!
//! It has no schema: the engine checks whether the attributes are the keys of a table or an index, and
//! whether the partition key is tested for equality.

use monotable_types::AttributeValue;

use crate::{Comparator, compare};

/// Tests of attributes, all of which must hold, each attribute at most once.
///
/// ```
/// use monotable_expression::{KeyTest, key};
///
/// let condition = key("PK").eq("TEAM#1").and(key("SK").begins_with("PLAYER#"));
/// assert_eq!(condition.terms.len(), 2);
/// assert!(matches!(condition.test_of("SK"), Some(KeyTest::BeginsWith(_))));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeyCondition {
    /// The tests in the order written.
    pub terms: Vec<KeyTerm>,
}

/// The test of one attribute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeyTerm {
    /// The attribute.
    pub attribute: String,
    /// The test of its value.
    pub test: KeyTest,
}

/// A test that a sorted index can evaluate by seeking.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum KeyTest {
    /// `= value`
    Eq(AttributeValue),
    /// `< value`
    Lt(AttributeValue),
    /// `<= value`
    Le(AttributeValue),
    /// `> value`
    Gt(AttributeValue),
    /// `>= value`
    Ge(AttributeValue),
    /// `BETWEEN low AND high`
    Between(AttributeValue, AttributeValue),
    /// `begins_with(attribute, prefix)`
    BeginsWith(AttributeValue),
}

/// An attribute to build a [`KeyCondition`] from, made by [`key`].
#[derive(Clone, Debug)]
pub struct KeyAttribute(String);

/// Returns the attribute of a key condition: `key("PK").eq("TEAM#1")`.
pub fn key(attribute: impl Into<String>) -> KeyAttribute {
    KeyAttribute(attribute.into())
}

impl KeyAttribute {
    fn test(self, test: KeyTest) -> KeyCondition {
        KeyCondition { terms: vec![KeyTerm { attribute: self.0, test }] }
    }

    /// Returns `attribute = value`.
    pub fn eq(self, value: impl Into<AttributeValue>) -> KeyCondition {
        self.test(KeyTest::Eq(value.into()))
    }

    /// Returns `attribute < value`.
    pub fn lt(self, value: impl Into<AttributeValue>) -> KeyCondition {
        self.test(KeyTest::Lt(value.into()))
    }

    /// Returns `attribute <= value`.
    pub fn le(self, value: impl Into<AttributeValue>) -> KeyCondition {
        self.test(KeyTest::Le(value.into()))
    }

    /// Returns `attribute > value`.
    pub fn gt(self, value: impl Into<AttributeValue>) -> KeyCondition {
        self.test(KeyTest::Gt(value.into()))
    }

    /// Returns `attribute >= value`.
    pub fn ge(self, value: impl Into<AttributeValue>) -> KeyCondition {
        self.test(KeyTest::Ge(value.into()))
    }

    /// Returns `attribute BETWEEN low AND high`.
    pub fn between(
        self,
        low: impl Into<AttributeValue>,
        high: impl Into<AttributeValue>,
    ) -> KeyCondition {
        self.test(KeyTest::Between(low.into(), high.into()))
    }

    /// Returns `begins_with(attribute, prefix)`.
    pub fn begins_with(self, prefix: impl Into<AttributeValue>) -> KeyCondition {
        self.test(KeyTest::BeginsWith(prefix.into()))
    }
}

impl KeyCondition {
    /// Combines two conditions that must both hold.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.terms.extend(other.terms);
        self
    }

    /// Returns the test of an attribute, if it has one.
    pub fn test_of(&self, attribute: &str) -> Option<&KeyTest> {
        self.terms.iter().find(|term| term.attribute == attribute).map(|term| &term.test)
    }
}

impl KeyTest {
    /// Returns whether a value passes. Only values of the test's type do.
    pub fn matches(&self, value: &AttributeValue) -> bool {
        let compared = |comparator, to| compare::holds(value, comparator, to);
        match self {
            Self::Eq(to) => compared(Comparator::Eq, to),
            Self::Lt(to) => compared(Comparator::Lt, to),
            Self::Le(to) => compared(Comparator::Le, to),
            Self::Gt(to) => compared(Comparator::Gt, to),
            Self::Ge(to) => compared(Comparator::Ge, to),
            Self::Between(low, high) => {
                compared(Comparator::Ge, low) && compared(Comparator::Le, high)
            }
            Self::BeginsWith(prefix) => compare::begins_with(value, prefix),
        }
    }

    /// Returns the values that the test compares with.
    pub fn values(&self) -> impl Iterator<Item = &AttributeValue> {
        let (first, second) = match self {
            Self::Eq(value)
            | Self::Lt(value)
            | Self::Le(value)
            | Self::Gt(value)
            | Self::Ge(value)
            | Self::BeginsWith(value) => (value, None),
            Self::Between(low, high) => (low, Some(high)),
        };
        std::iter::once(first).chain(second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_passes_only_values_of_its_own_type_and_range() {
        let between = KeyTest::Between(2.into(), 4.into());
        assert!(between.matches(&2.into()) && between.matches(&4.into()));
        assert!(!between.matches(&5.into()) && !between.matches(&"3".into()));
        assert!(KeyTest::BeginsWith("ab".into()).matches(&"abc".into()));
        assert!(!KeyTest::BeginsWith("ab".into()).matches(&"a".into()));
        assert_eq!(between.values().count(), 2);
    }
}
