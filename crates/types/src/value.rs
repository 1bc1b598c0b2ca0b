//! The attribute value, an enum of DynamoDB's ten types, and the item made of them.
//!
//! Every value is well formed: numbers are in range and sets are not empty. The engine checks
//! everything that depends on a table (key types, key sizes, the item limit).

use std::collections::BTreeMap;

use crate::{Number, Set, TypeName};

/// One attribute value. Equality is DynamoDB's: same type and same contents, where numbers compare
/// by value (`1` and `1.0` are the same number) and sets without regard to order.
///
/// ```
/// use monotable_types::{AttributeValue, Number, TypeName};
///
/// let price = AttributeValue::N("12.50".parse()?);
/// assert_eq!(price, AttributeValue::N("1.25e1".parse()?));
/// assert_eq!(price.type_name(), TypeName::N);
/// assert_eq!(AttributeValue::from("x").as_n(), None);
/// # Ok::<(), monotable_types::NumberError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AttributeValue {
    /// A string of UTF-8 text, possibly empty.
    S(String),
    /// An exact number.
    N(Number),
    /// Bytes, possibly none.
    B(Vec<u8>),
    /// A boolean.
    Bool(bool),
    /// The null value, which is a value: the attribute exists.
    Null,
    /// A map of names to values.
    M(BTreeMap<String, AttributeValue>),
    /// A list of values of any types.
    L(Vec<AttributeValue>),
    /// A set of strings.
    Ss(Set<String>),
    /// A set of numbers.
    Ns(Set<Number>),
    /// A set of binaries.
    Bs(Set<Vec<u8>>),
}

/// An item: attribute names and their values, in the order of the names.
pub type Item = BTreeMap<String, AttributeValue>;

impl AttributeValue {
    /// Returns the type of the value.
    pub const fn type_name(&self) -> TypeName {
        match self {
            Self::S(_) => TypeName::S,
            Self::N(_) => TypeName::N,
            Self::B(_) => TypeName::B,
            Self::Bool(_) => TypeName::Bool,
            Self::Null => TypeName::Null,
            Self::M(_) => TypeName::M,
            Self::L(_) => TypeName::L,
            Self::Ss(_) => TypeName::Ss,
            Self::Ns(_) => TypeName::Ns,
            Self::Bs(_) => TypeName::Bs,
        }
    }

    /// Returns the text of a string.
    pub fn as_s(&self) -> Option<&str> {
        match self {
            Self::S(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the number of a number.
    pub const fn as_n(&self) -> Option<&Number> {
        match self {
            Self::N(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the bytes of a binary.
    pub fn as_b(&self) -> Option<&[u8]> {
        match self {
            Self::B(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns the boolean of a boolean.
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(boolean) => Some(*boolean),
            _ => None,
        }
    }

    /// Returns whether the value is the null value.
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Returns the entries of a map.
    pub const fn as_m(&self) -> Option<&BTreeMap<String, Self>> {
        match self {
            Self::M(entries) => Some(entries),
            _ => None,
        }
    }

    /// Returns the elements of a list.
    pub fn as_l(&self) -> Option<&[Self]> {
        match self {
            Self::L(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns the elements of a string set.
    pub const fn as_ss(&self) -> Option<&Set<String>> {
        match self {
            Self::Ss(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns the elements of a number set.
    pub const fn as_ns(&self) -> Option<&Set<Number>> {
        match self {
            Self::Ns(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns the elements of a binary set.
    pub const fn as_bs(&self) -> Option<&Set<Vec<u8>>> {
        match self {
            Self::Bs(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns how many levels of nesting the value has, as AWS counts them: the value itself is one level,
    /// and so is everything inside a map or list below it. A value is within the limit if this is
    /// at most [`NESTING_DEPTH_MAX`](crate::limits::NESTING_DEPTH_MAX): 31 maps around a scalar
    /// are, 32 are not (measured on AWS: github.com/nubo-db/dynoxide/issues/110).
    ///
    /// The walk keeps its own stack, so that a value of any depth can be measured and refused.
    ///
    /// ```
    /// use monotable_types::{AttributeValue, list, map};
    ///
    /// assert_eq!(AttributeValue::from(1).depth(), 1);
    /// assert_eq!(list![].depth(), 1);
    /// assert_eq!(map! { "a" => list![1, list![2]], "b" => 3 }.depth(), 4);
    /// ```
    pub fn depth(&self) -> usize {
        if !matches!(self, Self::M(_) | Self::L(_)) {
            return 1;
        }
        let mut deepest = 0;
        let mut open = vec![(self, 1)];
        while let Some((value, level)) = open.pop() {
            deepest = deepest.max(level);
            match value {
                Self::M(entries) => open.extend(entries.values().map(|entry| (entry, level + 1))),
                Self::L(elements) => {
                    open.extend(elements.iter().map(|element| (element, level + 1)));
                }
                _ => {}
            }
        }
        deepest
    }
}

impl From<&str> for AttributeValue {
    fn from(text: &str) -> Self {
        Self::S(text.to_owned())
    }
}

macro_rules! from_part {
    ($($part:ty => $variant:ident),* $(,)?) => {$(
        impl From<$part> for AttributeValue {
            fn from(part: $part) -> Self {
                Self::$variant(part.into())
            }
        }
    )*};
}

// `From<Vec<u8>>` is left out on purpose: together with `From<Vec<AttributeValue>>` it would make
// `vec![].into()` ambiguous, and `vec![1, 2]` a binary where a list is expected. Write binaries as
// `AttributeValue::B(bytes)`.
from_part! {
    String => S,
    Number => N,
    i8 => N,
    i16 => N,
    i32 => N,
    i64 => N,
    isize => N,
    u8 => N,
    u16 => N,
    u32 => N,
    u64 => N,
    usize => N,
    bool => Bool,
    BTreeMap<String, AttributeValue> => M,
    Vec<AttributeValue> => L,
    Set<String> => Ss,
    Set<Number> => Ns,
    Set<Vec<u8>> => Bs,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::NESTING_DEPTH_MAX;
    use crate::{list, map, set};

    #[test]
    fn a_value_takes_four_words() {
        assert_eq!(size_of::<AttributeValue>(), 32);
    }

    #[test]
    fn numbers_are_equal_by_value_and_sets_without_order() {
        let one = AttributeValue::N("1.0".parse().unwrap());
        assert_eq!(one, AttributeValue::from(1));
        assert_eq!(AttributeValue::from(set!["a", "b"]), AttributeValue::from(set!["b", "a"]));
        assert_ne!(AttributeValue::from("1"), AttributeValue::from(1));
    }

    #[test]
    fn depth_counts_the_deepest_branch() {
        let value = map! { "shallow" => 1, "deep" => list![list![map! {}]] };
        assert_eq!(value.depth(), 4);
        assert_eq!(AttributeValue::from(set![1]).depth(), 1);
    }

    #[test]
    fn thirty_one_lists_around_a_scalar_are_the_limit() {
        let nested = (0..31).fold(AttributeValue::from(1), |inner, _| list![inner]);
        assert_eq!(nested.depth(), NESTING_DEPTH_MAX);
        assert_eq!(list![nested].depth(), NESTING_DEPTH_MAX + 1);
    }
}
