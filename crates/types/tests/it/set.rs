//! `Set` against the standard library's ordered set.

use std::collections::BTreeSet;

use monotable_types::{Set, SetError};
use proptest::collection::vec;
use proptest::prelude::*;

fn elements() -> impl Strategy<Value = Vec<u8>> {
    vec(0_u8..20, 1..20)
}

proptest! {
    #[test]
    fn a_set_is_its_elements_in_order(elements in vec(0_u8..40, 0..12)) {
        let model: BTreeSet<u8> = elements.iter().copied().collect();
        let length = elements.len();
        match Set::new(elements.clone()) {
            Ok(set) => {
                prop_assert_eq!(model.len(), length);
                prop_assert_eq!(set.into_vec(), Vec::from_iter(model));
            }
            Err(SetError::Empty) => prop_assert_eq!(length, 0),
            Err(SetError::Duplicate { element }) => {
                prop_assert!(elements.iter().filter(|other| **other == element).count() > 1);
            }
        }
    }

    #[test]
    fn union_and_difference_agree_with_the_model(left in elements(), right in elements()) {
        let left_set = Set::of(left[0], left.iter().copied());
        let right_set = Set::of(right[0], right.iter().copied());
        let left: BTreeSet<u8> = left.into_iter().collect();
        let right: BTreeSet<u8> = right.into_iter().collect();
        prop_assert_eq!(left_set.union(&right_set).into_vec(), Vec::from_iter(&left | &right));
        let difference = left_set.difference(&right_set).map(Set::into_vec).unwrap_or_default();
        prop_assert_eq!(difference, Vec::from_iter(&left - &right));
    }
}
