//! Evaluates a condition on an item.
//!
//! It works on any [`Attributes`], copies no attribute that the item lends, and reads only the
//! attributes that the outcome depends on.

use std::borrow::Cow;

use monotable_types::AttributeValue;

use crate::{Attributes, Comparator, Condition, Operand, Path, compare};

impl Condition {
    /// Returns whether the condition holds for `item`.
    ///
    /// Of the comparisons with a missing operand only `<>` holds, because a missing attribute is
    /// unequal to everything. The same is true for operands of different types.
    pub fn evaluate(&self, item: &impl Attributes) -> bool {
        match self {
            Self::Compare { left, comparator, right } => compares(left, *comparator, right, item),
            Self::Between { operand, low, high } => {
                compares(operand, Comparator::Ge, low, item)
                    && compares(operand, Comparator::Le, high, item)
            }
            Self::In { operand, list } => resolve(operand, item).is_some_and(|operand| {
                list.iter()
                    .any(|candidate| resolve(candidate, item).is_some_and(|other| other == operand))
            }),
            Self::And(conditions) => conditions.iter().all(|each| each.evaluate(item)),
            Self::Or(conditions) => conditions.iter().any(|each| each.evaluate(item)),
            Self::Not(condition) => !condition.evaluate(item),
            Self::AttributeExists(path) => exists(path, item),
            Self::AttributeNotExists(path) => !exists(path, item),
            Self::AttributeType(operand, type_name) => {
                resolve(operand, item).is_some_and(|value| value.type_name() == *type_name)
            }
            Self::BeginsWith(operand, prefix) => both(operand, prefix, item, compare::begins_with),
            Self::Contains(operand, part) => both(operand, part, item, compare::contains),
        }
    }
}

fn exists(path: &Path, item: &impl Attributes) -> bool {
    if path.is_attribute() { item.has_attribute(&path.root) } else { path.resolve(item).is_some() }
}

fn compares(
    left: &Operand,
    comparator: Comparator,
    right: &Operand,
    item: &impl Attributes,
) -> bool {
    match (resolve(left, item), resolve(right, item)) {
        (Some(left), Some(right)) => compare::holds(&left, comparator, &right),
        _ => comparator == Comparator::Ne,
    }
}

fn both(
    first: &Operand,
    second: &Operand,
    item: &impl Attributes,
    test: fn(&AttributeValue, &AttributeValue) -> bool,
) -> bool {
    match (resolve(first, item), resolve(second, item)) {
        (Some(first), Some(second)) => test(&first, &second),
        _ => false,
    }
}

fn resolve<'a>(operand: &'a Operand, item: &'a impl Attributes) -> Option<Cow<'a, AttributeValue>> {
    match operand {
        Operand::Path(path) => path.resolve(item),
        Operand::Value(value) => Some(Cow::Borrowed(value)),
        Operand::Size(path) => {
            let value = path.resolve(item)?;
            let size = compare::size(&value)?;
            Some(Cow::Owned(AttributeValue::N(size)))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Condition, Operand, attribute_exists, attribute_type, path, size, value};
    use monotable_types::{AttributeValue, Item, TypeName, item, list, map, set};

    fn ada() -> Item {
        item! {
            "PK" => "PLAYER#1",
            "name" => "Ada",
            "goals" => 10,
            "rate" => AttributeValue::N("0.30".parse().unwrap()),
            "active" => true,
            "gone" => AttributeValue::Null,
            "tags" => set!["fast", "left"],
            "team" => map! { "name" => "Reds", "years" => list![2023, 2024] },
        }
    }

    fn check(condition: Condition, expected: bool) {
        assert_eq!(condition.evaluate(&ada()), expected, "{condition:?}");
    }

    #[test]
    fn comparisons_are_by_value_within_a_type() {
        check(path("goals").gt(9), true);
        check(path("goals").lt(path("goals")), false);
        check(path("rate").eq(AttributeValue::N("3e-1".parse().unwrap())), true);
        check(path("name").lt("Bea"), true);
        check(path("name").eq(5), false);
        check(path("name").ne(5), true);
        check(value(10).le(path("goals")), true);
    }

    #[test]
    fn a_missing_operand_is_unequal_and_has_no_order() {
        check(path("none").eq(1), false);
        check(path("none").ne(1), true);
        check(path("none").ne(path("nothing")), true);
        check(path("none").eq(path("nothing")), false);
        check(path("none").lt(1), false);
        check(path("none").ge(1), false);
        check(path("none").between(1, 2), false);
        check(path("none").is_in([1]), false);
        check(path("none").begins_with("a"), false);
        check(path("none").contains("a"), false);
        check(!path("none").lt(1), true);
        check(size("none").ge(0), false);
        check(size("goals").ge(0), false);
    }

    #[test]
    fn between_includes_both_ends() {
        check(path("goals").between(10, 10), true);
        check(path("goals").between(11, 20), false);
        check(path("goals").between("1", "2"), false);
        check(path("goals").between(1, path("none")), false);
    }

    #[test]
    fn in_finds_equal_values_of_the_same_type() {
        check(path("name").is_in(["Bea", "Ada"]), true);
        check(path("goals").is_in(["10"]), false);
        let candidates = [path("none").into(), Operand::from(path("goals"))];
        check(path("goals").is_in(candidates), true);
    }

    #[test]
    fn existence_counts_null_and_nested_values() {
        check(attribute_exists("gone"), true);
        check(path("none").exists(), false);
        check(path("team").key("years").index(1).exists(), true);
        check(path("team").key("years").index(2).not_exists(), true);
        check(path("name").key("first").not_exists(), true);
    }

    #[test]
    fn types_are_tested_by_name() {
        check(attribute_type("gone", TypeName::Null), true);
        check(attribute_type("tags", TypeName::Ss), true);
        check(attribute_type("goals", TypeName::S), false);
        check(attribute_type("none", TypeName::Null), false);
        check(Condition::AttributeType(value("Ada"), TypeName::S), true);
        check(Condition::AttributeType(value("Ada"), TypeName::N), false);
    }

    #[test]
    fn functions_work_on_nested_paths() {
        check(path("team").key("name").begins_with("Re"), true);
        check(path("team").key("years").contains(2024), true);
        check(size(path("team").key("years")).eq(2), true);
        check(size("name").eq(size("tags")), false);
    }

    #[test]
    fn and_or_and_not_combine() {
        let yes = || path("goals").eq(10);
        let no = || path("goals").eq(11);
        check(yes().and(yes()).and(no()), false);
        check(no().or(no()).or(yes()), true);
        check((!no()).and(yes()), true);
        check(Condition::And(vec![]), true);
        check(Condition::Or(vec![]), false);
    }

    #[test]
    fn a_missing_item_has_no_attributes() {
        let nothing: Option<Item> = None;
        assert!(path("PK").not_exists().evaluate(&nothing));
        assert!(path("PK").ne("x").evaluate(&nothing));
        assert!(path("PK").exists().evaluate(&Some(ada())));
    }
}
