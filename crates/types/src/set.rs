//! The set values SS, NS and BS, which are never empty and have no duplicates.
//!
//! Elements are kept sorted, so that two sets with the same elements are equal whatever order they
//! were written in, as DynamoDB compares them. [`AttributeValue`](crate::AttributeValue) owns the
//! attribute types of sets.

use std::cmp::Ordering;
use std::fmt;

use crate::Number;

/// A set of at least one element, sorted and without duplicates.
///
/// ```
/// use monotable_types::Set;
///
/// let odd = Set::new(vec![3, 1])?;
/// let one = Set::new(vec![1])?;
/// assert_eq!(odd.as_slice(), [1, 3]);
/// assert_eq!(odd.difference(&odd), None);
/// assert_eq!(odd.union(&one), odd);
/// # Ok::<(), monotable_types::SetError<i32>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Set<T: Ord>(Vec<T>);

/// The reason why a list of elements is not a set. AWS's messages contain the attribute type and the
/// whole list as it was sent, so the code that reads requests writes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetError<T> {
    /// A set has at least one element.
    Empty,
    /// An element occurs more than once.
    Duplicate {
        /// The smallest element that repeats.
        element: T,
    },
}

impl<T> fmt::Display for SetError<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Empty => "a set may not be empty",
            Self::Duplicate { .. } => "a set may not contain duplicates",
        })
    }
}

impl<T: fmt::Debug> std::error::Error for SetError<T> {}

impl<T: Ord> Set<T> {
    /// Sorts the elements into a set.
    ///
    /// # Errors
    /// [`SetError::Empty`] without elements, [`SetError::Duplicate`] if one repeats.
    pub fn new(mut elements: Vec<T>) -> Result<Self, SetError<T>> {
        if elements.is_empty() {
            return Err(SetError::Empty);
        }
        elements.sort_unstable();
        let duplicate = elements.windows(2).position(|pair| pair[0] == pair[1]);
        match duplicate {
            Some(index) => Err(SetError::Duplicate { element: elements.swap_remove(index) }),
            None => Ok(Self(elements)),
        }
    }

    /// Returns the set of `first` and `rest`, where repeated elements collapse into one. It cannot fail,
    /// which is why the [`set!`](crate::set) macro uses it.
    pub fn of(first: T, rest: impl IntoIterator<Item = T>) -> Self {
        let mut elements = vec![first];
        elements.extend(rest);
        elements.sort_unstable();
        elements.dedup();
        Self(elements)
    }

    /// Returns the number of elements, at least one.
    #[expect(clippy::len_without_is_empty, reason = "a set is never empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the element is in the set.
    pub fn contains(&self, element: &T) -> bool {
        self.0.binary_search(element).is_ok()
    }

    /// Returns the elements in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// Returns the elements in order.
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }

    /// Returns the elements in order.
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T: Ord + Clone> Set<T> {
    /// Returns the elements of both sets, which is the result of `ADD` to a set attribute.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut elements = Vec::with_capacity(self.len() + other.len());
        let (mut left, mut right) = (self.as_slice(), other.as_slice());
        while let ([left_first, left_rest @ ..], [right_first, right_rest @ ..]) = (left, right) {
            match left_first.cmp(right_first) {
                Ordering::Less => {
                    elements.push(left_first.clone());
                    left = left_rest;
                }
                Ordering::Greater => {
                    elements.push(right_first.clone());
                    right = right_rest;
                }
                Ordering::Equal => {
                    elements.push(left_first.clone());
                    left = left_rest;
                    right = right_rest;
                }
            }
        }
        elements.extend_from_slice(left);
        elements.extend_from_slice(right);
        Self(elements)
    }

    /// Returns the elements of this set that `other` lacks, which is the result of `DELETE` from a set
    /// attribute. `None` when nothing is left, because then the attribute is removed.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<Self> {
        let elements: Vec<T> =
            self.iter().filter(|element| !other.contains(element)).cloned().collect();
        (!elements.is_empty()).then_some(Self(elements))
    }
}

impl<T: Ord> IntoIterator for Set<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T: Ord> IntoIterator for &'a Set<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The elements that [`set!`](crate::set) accepts: strings, numbers and binaries.
pub trait IntoSetElement {
    /// The element type of the set: `String`, [`Number`] or `Vec<u8>`.
    type Element: Ord;

    /// Converts the literal into the element.
    fn into_set_element(self) -> Self::Element;
}

macro_rules! into_set_element {
    ($($from:ty => $element:ty),* $(,)?) => {$(
        impl IntoSetElement for $from {
            type Element = $element;

            fn into_set_element(self) -> $element {
                self.into()
            }
        }
    )*};
}

into_set_element! {
    &str => String,
    String => String,
    i32 => Number,
    i64 => Number,
    u32 => Number,
    u64 => Number,
    Number => Number,
    &[u8] => Vec<u8>,
    Vec<u8> => Vec<u8>,
}

impl<const LENGTH: usize> IntoSetElement for &[u8; LENGTH] {
    type Element = Vec<u8>;

    fn into_set_element(self) -> Vec<u8> {
        self.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(elements: &[u8]) -> Set<u8> {
        Set::new(elements.to_vec()).unwrap()
    }

    #[test]
    fn an_empty_list_is_not_a_set() {
        assert_eq!(Set::<u8>::new(vec![]), Err(SetError::Empty));
    }

    #[test]
    fn a_repeated_element_is_reported() {
        assert_eq!(Set::new(vec![2, 1, 2]), Err(SetError::Duplicate { element: 2 }));
    }

    #[test]
    fn the_order_of_writing_does_not_matter() {
        assert_eq!(set(&[3, 1, 2]), set(&[1, 2, 3]));
    }

    #[test]
    fn union_merges_and_keeps_order() {
        assert_eq!(set(&[1, 3, 5]).union(&set(&[2, 3, 9])), set(&[1, 2, 3, 5, 9]));
    }

    #[test]
    fn difference_of_everything_is_nothing() {
        assert_eq!(set(&[1, 2]).difference(&set(&[1, 2, 3])), None);
        assert_eq!(set(&[1, 2]).difference(&set(&[2])), Some(set(&[1])));
    }
}
