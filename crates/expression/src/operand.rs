//! The operands of conditions, and the methods that build conditions from them.
//!
//! Owns the leaves of the condition tree; `evaluate` evaluates them.

use std::collections::BTreeMap;
use std::fmt;

use monotable_types::{AttributeValue, Number, Set, TypeName};

use crate::{Condition, Path};

/// One side of a comparison, or an argument of `begins_with` and `contains`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// The value at a path of the item.
    Path(Path),
    /// A value of the request.
    Value(AttributeValue),
    /// `size(path)`: the number of UTF-16 code units of a string, bytes of a binary, elements of a
    /// set or list, entries of a map. Numbers, booleans and null have no size.
    Size(Path),
}

/// The six comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparator {
    /// `=`
    Eq,
    /// `<>`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl Comparator {
    /// Returns the operator as expressions write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Eq => "=",
            Self::Ne => "<>",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }

    /// Returns whether the operator needs an order, which only strings, numbers and binaries have.
    pub const fn is_ordering(self) -> bool {
        !matches!(self, Self::Eq | Self::Ne)
    }

    /// Returns the operator that means the same with its sides exchanged.
    pub const fn flipped(self) -> Self {
        match self {
            Self::Eq => Self::Eq,
            Self::Ne => Self::Ne,
            Self::Lt => Self::Gt,
            Self::Le => Self::Ge,
            Self::Gt => Self::Lt,
            Self::Ge => Self::Le,
        }
    }
}

impl fmt::Display for Comparator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Returns the path of an attribute, to build conditions from: `path("age").ge(18)`.
pub fn path(name: impl Into<String>) -> Path {
    Path::attribute(name)
}

/// Returns a value as an operand, where one is needed on the left: `value(5).lt(path("a"))`.
pub fn value(value: impl Into<AttributeValue>) -> Operand {
    Operand::Value(value.into())
}

/// Returns `size(path)`: `size("tags").gt(3)`.
pub fn size(path: impl Into<Path>) -> Operand {
    Operand::Size(path.into())
}

macro_rules! comparisons {
    ($($operand:ty),*) => {$(
        impl $operand {
            /// Returns `self = right`.
            pub fn eq(self, right: impl Into<Operand>) -> Condition {
                Condition::compare(self.into(), Comparator::Eq, right.into())
            }

            /// Returns `self <> right`; true where either side is missing.
            pub fn ne(self, right: impl Into<Operand>) -> Condition {
                Condition::compare(self.into(), Comparator::Ne, right.into())
            }

            /// Returns `self < right`.
            pub fn lt(self, right: impl Into<Operand>) -> Condition {
                Condition::compare(self.into(), Comparator::Lt, right.into())
            }

            /// Returns `self <= right`.
            pub fn le(self, right: impl Into<Operand>) -> Condition {
                Condition::compare(self.into(), Comparator::Le, right.into())
            }

            /// Returns `self > right`.
            pub fn gt(self, right: impl Into<Operand>) -> Condition {
                Condition::compare(self.into(), Comparator::Gt, right.into())
            }

            /// Returns `self >= right`.
            pub fn ge(self, right: impl Into<Operand>) -> Condition {
                Condition::compare(self.into(), Comparator::Ge, right.into())
            }

            /// Returns `self BETWEEN low AND high`, both ends included.
            pub fn between(self, low: impl Into<Operand>, high: impl Into<Operand>) -> Condition {
                Condition::Between { operand: self.into(), low: low.into(), high: high.into() }
            }

            /// Returns `self IN (…)`.
            pub fn is_in<T: Into<Operand>>(self, list: impl IntoIterator<Item = T>) -> Condition {
                Condition::In {
                    operand: self.into(),
                    list: list.into_iter().map(Into::into).collect(),
                }
            }

            /// Returns `begins_with(self, prefix)`, for strings and binaries.
            pub fn begins_with(self, prefix: impl Into<Operand>) -> Condition {
                Condition::BeginsWith(self.into(), prefix.into())
            }

            /// Returns `contains(self, part)`: a substring, a set element or a list element.
            pub fn contains(self, part: impl Into<Operand>) -> Condition {
                Condition::Contains(self.into(), part.into())
            }
        }
    )*};
}

comparisons!(Path, Operand);

impl Path {
    /// Returns `attribute_exists(self)`.
    pub fn exists(self) -> Condition {
        Condition::AttributeExists(self)
    }

    /// Returns `attribute_not_exists(self)`.
    pub fn not_exists(self) -> Condition {
        Condition::AttributeNotExists(self)
    }

    /// Returns `attribute_type(self, type_name)`.
    pub fn has_type(self, type_name: TypeName) -> Condition {
        Condition::AttributeType(self.into(), type_name)
    }
}

impl From<Path> for Operand {
    fn from(path: Path) -> Self {
        Self::Path(path)
    }
}

impl From<&Path> for Operand {
    fn from(path: &Path) -> Self {
        Self::Path(path.clone())
    }
}

macro_rules! from_values {
    ($($value:ty),* $(,)?) => {$(
        impl From<$value> for Operand {
            fn from(value: $value) -> Self {
                Self::Value(value.into())
            }
        }
    )*};
}

// A blanket `impl<T: Into<AttributeValue>>` would conflict with `From<Path>`, so the types that
// convert into a value are listed.
from_values! {
    AttributeValue, &str, String, Number, bool, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize,
    Vec<AttributeValue>, BTreeMap<String, AttributeValue>, Set<String>, Set<Number>, Set<Vec<u8>>,
}
