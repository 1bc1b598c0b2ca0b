//! What updates do to items, action by action.

use monotable_types::{AttributeValue, Item, item, list, map, set};

use crate::{Path, SetOperand, Update, path};

fn before() -> Item {
    item! {
        "n" => 5,
        "s" => "text",
        "l" => list!["a", "b", "c", "d"],
        "m" => map! { "k" => 1, "l" => list![1] },
        "tags" => set!["x", "y"],
    }
}

/// Applies `update` and compares the attributes that `after` names; `after` of `None` means the
/// attribute is gone.
#[track_caller]
fn check<const N: usize>(update: Update, after: [(&str, Option<AttributeValue>); N]) {
    let mut item = before();
    update.apply(&mut item).unwrap();
    let mut expected = before();
    for (name, value) in after {
        match value {
            Some(value) => drop(expected.insert(name.to_owned(), value)),
            None => drop(expected.remove(name)),
        }
    }
    assert_eq!(item, expected);
}

#[track_caller]
fn check_refused(update: Update, message: &str) {
    let mut item = before();
    assert_eq!(update.apply(&mut item).unwrap_err().to_string(), message);
    assert_eq!(item, before(), "a refused update must not touch the item");
}

const MISSING: &str =
    "The provided expression refers to an attribute that does not exist in the item";
const TYPE: &str = "An operand in the update expression has an incorrect data type";
const PATH: &str = "The document path provided in the update expression is invalid for update";

#[test]
fn set_writes_attributes_entries_and_elements() {
    check(Update::new().set("new", "v"), [("new", Some("v".into()))]);
    check(
        Update::new().set(path("m").key("z"), 2).set(path("m").key("l").index(0), 9),
        [("m", Some(map! { "k" => 1, "l" => list![9], "z" => 2 }))],
    );
}

#[test]
fn set_beyond_the_end_of_a_list_appends_in_the_order_of_the_indexes() {
    check(
        Update::new().set(path("l").index(90), "later").set(path("l").index(10), "sooner"),
        [("l", Some(list!["a", "b", "c", "d", "sooner", "later"]))],
    );
}

#[test]
fn every_operand_reads_the_item_as_it_was() {
    check(
        Update::new()
            .set("n", SetOperand::from(path("n")).plus(1))
            .set("copy", path("n"))
            .set("s", path("n"))
            .set("t", path("s"))
            .remove("tags")
            .set("u", path("tags")),
        [
            ("n", Some(6.into())),
            ("copy", Some(5.into())),
            ("s", Some(5.into())),
            ("t", Some("text".into())),
            ("tags", None),
            ("u", Some(set!["x", "y"].into())),
        ],
    );
}

#[test]
fn arithmetic_is_exact() {
    let tenth = AttributeValue::N("0.1".parse().unwrap());
    let fifth = AttributeValue::N("0.2".parse().unwrap());
    let sum = AttributeValue::N("0.3".parse().unwrap());
    check(Update::new().set("f", SetOperand::from(tenth).plus(fifth)), [("f", Some(sum))]);
    check(Update::new().set("n", SetOperand::from(path("n")).minus(7)), [("n", Some((-2).into()))]);
}

#[test]
fn if_not_exists_takes_the_default_only_where_the_path_leads_nowhere() {
    check(
        Update::new()
            .set("n", SetOperand::if_not_exists("n", 0).plus(1))
            .set("fresh", SetOperand::if_not_exists("fresh", 0).plus(1))
            .set("s", SetOperand::if_not_exists(path("m").key("none"), path("n"))),
        [("n", Some(6.into())), ("fresh", Some(1.into())), ("s", Some(5.into()))],
    );
}

#[test]
fn list_append_joins_in_the_order_given() {
    let append = |first: SetOperand, second: SetOperand| SetOperand::list_append(first, second);
    check(
        Update::new()
            .set("l", append(path("l").into(), list!["e"].into()))
            .set("front", append(list![0].into(), path("m").key("l").into()))
            .set("fresh", append(SetOperand::if_not_exists("fresh", list![]), list![1].into())),
        [
            ("l", Some(list!["a", "b", "c", "d", "e"])),
            ("front", Some(list![0, 1])),
            ("fresh", Some(list![1])),
        ],
    );
}

#[test]
fn remove_counts_list_elements_as_they_were_numbered() {
    let l = |index| path("l").index(index);
    check(Update::new().remove(l(0)).remove(l(2)).remove(l(9)), [("l", Some(list!["b", "d"]))]);
    check(
        Update::new().remove(l(1)).set(l(3), "D").set(l(8), "new"),
        [("l", Some(list!["a", "c", "D", "new"]))],
    );
}

#[test]
fn removing_a_missing_attribute_does_nothing() {
    check(Update::new().remove("none"), []);
    check(Update::new().remove(path("m").key("none")), []);
    check(
        Update::new().remove(path("m").key("k")).remove("s"),
        [("m", Some(map! { "l" => list![1] })), ("s", None)],
    );
}

#[test]
fn add_starts_from_zero_or_the_empty_set() {
    check(
        Update::new()
            .add("n", -2)
            .add("fresh", 3)
            .add("tags", set!["y", "z"])
            .add("more", set![1])
            .add(path("m").key("k"), 1),
        [
            ("n", Some(3.into())),
            ("fresh", Some(3.into())),
            ("tags", Some(set!["x", "y", "z"].into())),
            ("more", Some(set![1].into())),
            ("m", Some(map! { "k" => 2, "l" => list![1] })),
        ],
    );
}

#[test]
fn delete_of_the_last_element_removes_the_attribute() {
    check(Update::new().delete("tags", set!["x", "q"]), [("tags", Some(set!["y"].into()))]);
    check(Update::new().delete("tags", set!["x", "y"]), [("tags", None)]);
    check(Update::new().delete("none", set!["x"]), []);
}

#[test]
fn operands_must_exist_and_have_the_right_type() {
    check_refused(Update::new().set("a", path("none")), MISSING);
    let append = SetOperand::list_append(path("none"), list![1]);
    check_refused(Update::new().set("a", append), MISSING);
    check_refused(Update::new().set("a", SetOperand::from(path("s")).plus(1)), TYPE);
    check_refused(Update::new().set("a", SetOperand::list_append(path("tags"), list![])), TYPE);
    check_refused(Update::new().add("s", 1), TYPE);
    check_refused(Update::new().add("tags", set![1]), TYPE);
    check_refused(Update::new().add("new", "text"), TYPE);
    check_refused(Update::new().delete("n", set![1]), TYPE);
    check_refused(Update::new().delete("tags", "x"), TYPE);
}

#[test]
fn a_path_must_lead_into_a_map_or_list_that_is_there() {
    let into = |path: Path| {
        check_refused(Update::new().set("other", 1).set(path.clone(), 1), PATH);
        check_refused(Update::new().remove(path.clone()), PATH);
        check_refused(Update::new().add(path.clone(), 1), PATH);
        check_refused(Update::new().delete(path, set![1]), PATH);
    };
    into(path("none").key("a"));
    into(path("none").index(0));
    into(path("s").key("a"));
    into(path("m").index(0));
    into(path("l").key("a"));
    into(path("m").key("none").key("a"));
    into(path("l").index(9).key("a"));
}

#[test]
fn overflow_is_refused_with_the_text_for_numbers() {
    let huge = || AttributeValue::N("9e125".parse().unwrap());
    let mut item = item! { "n" => huge() };
    let error = Update::new().add("n", huge()).apply(&mut item).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Number overflow. Attempting to store a number with magnitude larger than supported range"
    );
}

#[test]
fn nesting_ends_at_32_levels_counting_the_attribute_as_the_first() {
    let nested = |levels| (0..levels).fold(AttributeValue::from(1), |value, _| list![value]);
    check(Update::new().set("deep", nested(31)), [("deep", Some(nested(31)))]);
    let message = "Nesting Levels have exceeded supported limits";
    check_refused(Update::new().set("deep", nested(32)), message);
    check_refused(Update::new().set(path("m").key("z"), nested(31)), message);
}

#[test]
fn an_empty_update_changes_nothing() {
    check(Update::new(), []);
    assert!(Update::new().is_empty());
}

#[test]
fn legacy_updates_word_a_type_mismatch_differently() {
    let mut item = before();
    let error = Update::new().add("s", 1).apply(&mut item).unwrap_err();
    assert_eq!(error.into_legacy().to_string(), "Type mismatch for attribute to update");
}
