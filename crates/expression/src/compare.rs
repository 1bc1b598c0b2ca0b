//! Comparisons of two values: equality, order, prefixes, parts and sizes.
//!
//! This module uses only values, no items and no trees, so that conditions, key tests and the legacy
//! parameters have the same semantics.

use std::cmp::Ordering;

use monotable_types::{AttributeValue, Number, TypeName};

use crate::Comparator;

/// Returns the order of two values, which exists within strings (by UTF-8 bytes), numbers and binaries (by
/// unsigned bytes).
pub(crate) fn order(left: &AttributeValue, right: &AttributeValue) -> Option<Ordering> {
    match (left, right) {
        (AttributeValue::S(left), AttributeValue::S(right)) => Some(left.cmp(right)),
        (AttributeValue::N(left), AttributeValue::N(right)) => Some(left.cmp(right)),
        (AttributeValue::B(left), AttributeValue::B(right)) => Some(left.cmp(right)),
        _ => None,
    }
}

/// Returns whether `left comparator right` holds for two existing values. For values of different
/// types only `<>` holds.
pub(crate) fn holds(left: &AttributeValue, comparator: Comparator, right: &AttributeValue) -> bool {
    let ordered = |holds: fn(Ordering) -> bool| order(left, right).is_some_and(holds);
    match comparator {
        Comparator::Eq => left == right,
        Comparator::Ne => left != right,
        Comparator::Lt => ordered(Ordering::is_lt),
        Comparator::Le => ordered(Ordering::is_le),
        Comparator::Gt => ordered(Ordering::is_gt),
        Comparator::Ge => ordered(Ordering::is_ge),
    }
}

/// Returns whether a string or binary begins with another of the same type.
pub(crate) fn begins_with(value: &AttributeValue, prefix: &AttributeValue) -> bool {
    match (value, prefix) {
        (AttributeValue::S(text), AttributeValue::S(prefix)) => text.starts_with(prefix.as_str()),
        (AttributeValue::B(bytes), AttributeValue::B(prefix)) => bytes.starts_with(prefix),
        _ => false,
    }
}

/// Returns whether a string or binary has the part in it, or a set or list the element.
pub(crate) fn contains(value: &AttributeValue, part: &AttributeValue) -> bool {
    match (value, part) {
        (AttributeValue::S(text), AttributeValue::S(part)) => text.contains(part.as_str()),
        (AttributeValue::B(bytes), AttributeValue::B(part)) => {
            part.is_empty() || bytes.windows(part.len()).any(|window| window == part)
        }
        (AttributeValue::Ss(elements), AttributeValue::S(part)) => elements.contains(part),
        (AttributeValue::Ns(elements), AttributeValue::N(part)) => elements.contains(part),
        (AttributeValue::Bs(elements), AttributeValue::B(part)) => elements.contains(part),
        (AttributeValue::L(elements), part) => elements.contains(part),
        _ => false,
    }
}

/// Returns the result of `size`. A string counts UTF-16 code units, as DynamoDB does: `"é𝄞"` has
/// size 3.
pub(crate) fn size(value: &AttributeValue) -> Option<Number> {
    let size = match value {
        AttributeValue::S(text) if text.is_ascii() => text.len(),
        AttributeValue::S(text) => text.encode_utf16().count(),
        AttributeValue::B(bytes) => bytes.len(),
        AttributeValue::Ss(elements) => elements.len(),
        AttributeValue::Ns(elements) => elements.len(),
        AttributeValue::Bs(elements) => elements.len(),
        AttributeValue::L(elements) => elements.len(),
        AttributeValue::M(entries) => entries.len(),
        AttributeValue::N(_) | AttributeValue::Bool(_) | AttributeValue::Null => return None,
    };
    Some(Number::from(size))
}

/// Returns whether values of the type have an order.
pub(crate) const fn is_ordered(type_name: TypeName) -> bool {
    matches!(type_name, TypeName::S | TypeName::N | TypeName::B)
}

/// Returns whether values of the type have a size.
pub(crate) const fn is_sized(type_name: TypeName) -> bool {
    !matches!(type_name, TypeName::N | TypeName::Bool | TypeName::Null)
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_types::{list, map, set};

    #[test]
    fn strings_sort_by_utf8_bytes() {
        assert!(holds(&"B".into(), Comparator::Lt, &"a".into()));
        assert!(holds(&"\u{FFFD}".into(), Comparator::Lt, &"\u{1F600}".into()));
    }

    #[test]
    fn values_of_different_types_are_only_unequal() {
        for comparator in
            [Comparator::Eq, Comparator::Lt, Comparator::Le, Comparator::Gt, Comparator::Ge]
        {
            assert!(!holds(&1.into(), comparator, &"1".into()), "{comparator}");
        }
        assert!(holds(&1.into(), Comparator::Ne, &"1".into()));
    }

    #[test]
    fn values_without_an_order_are_neither_less_nor_equal_in_order() {
        assert!(!holds(&true.into(), Comparator::Le, &true.into()));
        assert!(holds(&list![1], Comparator::Eq, &list![1]));
        assert!(!holds(&list![1], Comparator::Ge, &list![1]));
    }

    #[test]
    fn contains_finds_parts_of_scalars_and_elements_of_collections() {
        assert!(contains(&"banana".into(), &"nan".into()));
        assert!(contains(&AttributeValue::B(vec![1, 2, 3]), &AttributeValue::B(vec![2, 3])));
        assert!(contains(&AttributeValue::B(vec![]), &AttributeValue::B(vec![])));
        assert!(contains(&set!["a", "b"].into(), &"a".into()));
        assert!(!contains(&set!["ab"].into(), &"a".into()));
        assert!(contains(&set![1, 2].into(), &2.into()));
        assert!(contains(&list![1, map! { "a" => 1 }], &map! { "a" => 1 }));
        assert!(!contains(&12.into(), &1.into()));
        assert!(!contains(&map! { "a" => 1 }, &"a".into()));
    }

    #[test]
    fn sizes_count_code_units_bytes_and_elements() {
        let sizes = [
            "é𝄞".into(),
            AttributeValue::B(vec![0; 5]),
            set![1, 2].into(),
            list![],
            map! { "a" => 1 },
        ]
        .map(|value| size(&value).map(|size| size.to_string()).unwrap());
        assert_eq!(sizes, ["3", "5", "2", "0", "1"]);
        assert_eq!(size(&7.into()), None);
        assert_eq!(size(&AttributeValue::Null), None);
    }
}
