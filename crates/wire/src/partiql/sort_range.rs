//! Ranges of sort keys, as far as plans need them: whether two overlap, and which comes first.

use std::cmp::Ordering;

use monotable_expression::KeyTest;
use monotable_types::{AttributeValue, Number};

/// A position among the sort keys of one type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SortKeyPosition {
    Number(Number),
    Bytes(Vec<u8>),
}

/// The end of a range: at a position, before it or after it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Edge {
    position: SortKeyPosition,
    is_included: bool,
}

/// The sort keys between two edges; a missing edge is the end of the partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SortRange {
    lower: Option<Edge>,
    upper: Option<Edge>,
}

impl SortRange {
    /// Returns the range of the keys that pass all tests.
    pub(super) fn of<'t>(tests: impl IntoIterator<Item = &'t KeyTest>) -> Self {
        tests.into_iter().fold(Self::default(), |range, test| range.narrow(test))
    }

    fn narrow(self, test: &KeyTest) -> Self {
        match test {
            KeyTest::Eq(value) => self.above(edge(value, true)).below(edge(value, true)),
            KeyTest::Lt(value) => self.below(edge(value, false)),
            KeyTest::Le(value) => self.below(edge(value, true)),
            KeyTest::Gt(value) => self.above(edge(value, false)),
            KeyTest::Ge(value) => self.above(edge(value, true)),
            KeyTest::Between(low, high) => self.above(edge(low, true)).below(edge(high, true)),
            KeyTest::BeginsWith(prefix) => {
                self.above(edge(prefix, true)).below(after_prefix(prefix))
            }
        }
    }

    fn above(mut self, edge: Option<Edge>) -> Self {
        let is_higher = match (&edge, &self.lower) {
            (Some(edge), Some(lower)) => compare_lower(edge, lower) == Ordering::Greater,
            (Some(_), None) => true,
            (None, _) => false,
        };
        if is_higher {
            self.lower = edge;
        }
        self
    }

    fn below(mut self, edge: Option<Edge>) -> Self {
        let is_lower = match (&edge, &self.upper) {
            (Some(edge), Some(upper)) => compare_upper(edge, upper) == Ordering::Less,
            (Some(_), None) => true,
            (None, _) => false,
        };
        if is_lower {
            self.upper = edge;
        }
        self
    }

    /// Returns whether the range contains no key.
    fn is_empty(&self) -> bool {
        !begins_before_end(self.lower.as_ref(), self.upper.as_ref())
    }

    /// Returns whether some key could be in both ranges.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        !self.is_empty()
            && !other.is_empty()
            && begins_before_end(self.lower.as_ref(), other.upper.as_ref())
            && begins_before_end(other.lower.as_ref(), self.upper.as_ref())
    }

    /// Compares the ranges by their start.
    pub(super) fn compare_begin(&self, other: &Self) -> Ordering {
        match (&self.lower, &other.lower) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(one), Some(two)) => compare_lower(one, two),
        }
    }
}

fn position(value: &AttributeValue) -> Option<SortKeyPosition> {
    match value {
        AttributeValue::S(text) => Some(SortKeyPosition::Bytes(text.as_bytes().to_vec())),
        AttributeValue::B(bytes) => Some(SortKeyPosition::Bytes(bytes.clone())),
        AttributeValue::N(number) => Some(SortKeyPosition::Number(*number)),
        _ => None,
    }
}

fn edge(value: &AttributeValue, is_included: bool) -> Option<Edge> {
    position(value).map(|position| Edge { position, is_included })
}

/// Returns the first position after all keys with the prefix, or `None` if no key follows them.
fn after_prefix(prefix: &AttributeValue) -> Option<Edge> {
    let Some(SortKeyPosition::Bytes(mut bytes)) = position(prefix) else {
        return None;
    };
    while let Some(last) = bytes.pop() {
        if let Some(next) = last.checked_add(1) {
            bytes.push(next);
            return Some(Edge { position: SortKeyPosition::Bytes(bytes), is_included: false });
        }
    }
    None
}

fn compare_lower(one: &Edge, two: &Edge) -> Ordering {
    one.position.cmp(&two.position).then_with(|| two.is_included.cmp(&one.is_included))
}

fn compare_upper(one: &Edge, two: &Edge) -> Ordering {
    one.position.cmp(&two.position).then_with(|| one.is_included.cmp(&two.is_included))
}

fn begins_before_end(lower: Option<&Edge>, upper: Option<&Edge>) -> bool {
    let (Some(lower), Some(upper)) = (lower, upper) else {
        return true;
    };
    match lower.position.cmp(&upper.position) {
        Ordering::Less => true,
        Ordering::Equal => lower.is_included && upper.is_included,
        Ordering::Greater => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overlap(one: KeyTest, two: KeyTest) -> bool {
        let (one, two) = (SortRange::of([&one]), SortRange::of([&two]));
        assert_eq!(one.overlaps(&two), two.overlaps(&one));
        one.overlaps(&two)
    }

    #[test]
    fn ranges_overlap_where_a_key_is_in_both() {
        use KeyTest::{BeginsWith, Between, Eq, Ge, Gt, Le, Lt};
        let text = |text: &str| AttributeValue::from(text);
        assert!(overlap(Gt("0".into()), Lt("5".into())));
        assert!(overlap(Ge(5.into()), Le(5.into())));
        assert!(!overlap(Ge(5.into()), Lt(5.into())));
        assert!(!overlap(Eq(text("1")), Eq(text("2"))));
        assert!(overlap(Eq(text("1")), Eq(text("1"))));
        assert!(overlap(BeginsWith(text("ab")), Between(text("abz"), text("b"))));
        assert!(!overlap(BeginsWith(text("ab")), Ge(text("ac"))));
        assert!(!overlap(Between(2.into(), 1.into()), Eq(1.into())));
    }

    #[test]
    fn the_tests_of_one_range_narrow_it() {
        let range = SortRange::of([&KeyTest::Gt(1.into()), &KeyTest::Le(3.into())]);
        assert!(range.overlaps(&SortRange::of([&KeyTest::Eq(3.into())])));
        assert!(!range.overlaps(&SortRange::of([&KeyTest::Eq(1.into())])));
        assert!(SortRange::of([]).overlaps(&range));
        assert_eq!(SortRange::of([]).compare_begin(&range), Ordering::Less);
    }
}
