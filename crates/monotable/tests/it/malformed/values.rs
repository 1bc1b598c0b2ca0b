//! Values and items that break a limit, and return options that an operation does not have.

use monotable::dynamodb::{BatchWriteItem, DeleteItem, GetItem, PutItem, ReturnValues, UpdateItem};
use monotable::{AttributeValue, Number, Set, item, list, map, number};

use super::{
    ABSENT, Message, TABLE, VALIDATION, check, invalid, key, key_with, parameter, refused, row,
    row_with, too_deep, update, wrapped,
};

const TOO_DEEP: &str = "Nesting Levels have exceeded supported limits: Attributes in the item have \
     nested levels beyond supported limit";
const TOO_LARGE: &str = "Item size has exceeded the maximum allowed size";
const TOO_LARGE_TO_UPDATE: &str = "Item size to update has exceeded the maximum allowed size";
const OVERFLOW: &str =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";
const UNDERFLOW: &str =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";
const TOO_PRECISE: &str = "Attempting to store more than 38 significant digits in a Number";

fn filler() -> String {
    "x".repeat(400 * 1024)
}

#[test]
fn items_nest_to_32_levels() {
    check(|| {
        let put = PutItem::new(TABLE, row_with("deep", too_deep()));
        let absent = PutItem::new(ABSENT, row_with("deep", too_deep()));
        let set = || update("SET deep = :v").value(":v", too_deep());
        let condition = PutItem::new(TABLE, row()).condition("deep = :v").value(":v", too_deep());
        let half = (0..20).fold(list![1], |inner, _| list![inner]);
        vec![
            wrapped("in a put", put, TOO_DEEP),
            wrapped("in a put, before the table is looked for", absent, TOO_DEEP),
            wrapped("in an update", set(), TOO_DEEP),
            wrapped("in a condition", condition, TOO_DEEP),
            invalid("in a key", GetItem::new(TABLE, key_with("SK", too_deep())), TOO_DEEP),
            wrapped(
                "in a deleted key",
                DeleteItem::new(TABLE, key_with("SK", too_deep())),
                TOO_DEEP,
            ),
            invalid(
                "in a batch",
                BatchWriteItem::new().put(TABLE, row_with("deep", too_deep())),
                TOO_DEEP,
            ),
            wrapped(
                "by appending",
                update("SET deep = list_append(:a, :b)")
                    .value(":a", list![half])
                    .value(":b", list![too_deep()]),
                TOO_DEEP,
            ),
        ]
    });
}

#[test]
fn items_have_400_kilobytes() {
    check(|| {
        let large = || row_with("filler", filler());
        vec![
            invalid("in a put", PutItem::new(TABLE, large()), TOO_LARGE),
            invalid("before the table is looked for", PutItem::new(ABSENT, large()), TOO_LARGE),
            invalid("in a batch", BatchWriteItem::new().put(TABLE, large()), TOO_LARGE),
            invalid(
                "by an update",
                update("SET filler = :v").value(":v", filler()),
                TOO_LARGE_TO_UPDATE,
            ),
            invalid(
                "by creating with an update",
                UpdateItem::new(TABLE, key_with("SK", "new"))
                    .update("SET filler = :v")
                    .value(":v", filler()),
                TOO_LARGE_TO_UPDATE,
            ),
        ]
    });
}

#[test]
fn attributes_have_names() {
    check(|| {
        let unnamed = "Empty attribute name";
        let nested = row_with("map", map! { "inner" => map! { "" => 1 } });
        let condition = PutItem::new(TABLE, row()).condition("attribute_exists(#n)");
        let batch = BatchWriteItem::new().put(TABLE, row_with("", 1));
        vec![
            wrapped("in an item", PutItem::new(TABLE, row_with("", 1)), unnamed),
            wrapped("in a map of an item", PutItem::new(TABLE, nested), unnamed),
            invalid("in an item of a batch", batch, unnamed),
            invalid("in a key", GetItem::new(TABLE, key_with("", 1)), unnamed),
            wrapped("behind a placeholder", condition.name("#n", ""), unnamed),
        ]
    });
}

#[test]
fn puts_and_deletes_return_old_items_only() {
    check(|| {
        let text = "ReturnValues can only be ALL_OLD or NONE";
        let kinds = [ReturnValues::AllNew, ReturnValues::UpdatedNew, ReturnValues::UpdatedOld];
        let cases_of = |kind| {
            let put = PutItem::new(ABSENT, row()).return_values(kind);
            let delete = DeleteItem::new(ABSENT, key()).return_values(kind);
            [wrapped("of a put", put, text), wrapped("of a delete", delete, text)]
        };
        kinds.into_iter().flat_map(cases_of).collect()
    });
}

#[test]
fn texts_that_are_not_numbers_are_reported() {
    let check = |text: &str, message: &str| {
        assert_eq!(text.parse::<Number>().unwrap_err().to_string(), message, "{text:?}");
    };
    check("", "The parameter cannot be converted to a numeric value");
    for text in ["abc", "1e", ".", "+e2", "NaN", "Infinity", "0x5", "1_000", " 1", "1 ", "1,5"] {
        check(text, &format!("The parameter cannot be converted to a numeric value: {text}"));
    }
    check(&"1".repeat(39), TOO_PRECISE);
    check(&format!("1{}1", "0".repeat(37)), TOO_PRECISE);
    check("1e126", OVERFLOW);
    check("-1e126", OVERFLOW);
    check("1e-131", UNDERFLOW);
    check("1e99999999999", OVERFLOW);
    // A zero is bounded by the exponent that it is written with.
    check("0e126", OVERFLOW);
    check("0e-131", UNDERFLOW);
}

#[test]
fn sets_are_neither_empty_nor_repetitive() {
    assert!(Set::<String>::new(Vec::new()).is_err());
    assert!(Set::new(vec!["a".to_owned(), "a".to_owned()]).is_err());
    let numbers = ["1", "1.0"].map(|text| text.parse::<Number>().unwrap());
    assert!(Set::new(numbers.to_vec()).is_err(), "equal as numbers");
}

#[test]
fn arithmetic_stays_within_the_numbers() {
    check(|| {
        let largest = || AttributeValue::from(number!("9e125"));
        let put = |expression: &str| {
            UpdateItem::new(TABLE, key_with("SK", "new")).update(expression).value(":v", largest())
        };
        vec![
            invalid("a sum", put("SET n = :v + :v"), OVERFLOW),
            refused(
                VALIDATION,
                "an addition to what is there",
                update("ADD wins :v").value(":v", largest()),
                Message::Unknown,
            ),
        ]
    });
}

#[test]
fn updates_fit_the_item_they_change() {
    check(|| {
        let missing =
            "The provided expression refers to an attribute that does not exist in the item";
        let operand = "An operand in the update expression has an incorrect data type";
        let path = "The document path provided in the update expression is invalid for update";
        vec![
            invalid("read what is not there", update("SET a = losses"), missing),
            invalid("count from nothing", update("SET a = a + :v").value(":v", 1), missing),
            invalid("add to a string", update("SET a = city + :v").value(":v", 1), operand),
            invalid(
                "ADD a number to a string",
                update("ADD city2 :v, #n :v").name("#n", "name").value(":v", 1),
                operand,
            ),
            invalid(
                "ADD a set to a number",
                update("ADD wins :v").value(":v", monotable::set!["a"]),
                operand,
            ),
            invalid(
                "DELETE from a number",
                update("DELETE wins :v").value(":v", monotable::set!["a"]),
                operand,
            ),
            invalid(
                "append to a number",
                update("SET a = list_append(wins, :v)").value(":v", list![1]),
                operand,
            ),
            invalid("SET below what is not there", update("SET a.b = :v").value(":v", 1), path),
            invalid("SET below a scalar", update("SET wins.b = :v").value(":v", 1), path),
            invalid("SET an element of a scalar", update("SET wins[0] = :v").value(":v", 1), path),
            invalid("REMOVE below what is not there", update("REMOVE a.b"), path),
        ]
    });
}

#[test]
fn a_false_condition_comes_before_an_impossible_update() {
    super::on_both_stores(|db| {
        super::load(db);
        let request = update("SET a = losses").condition("attribute_exists(losses)");
        let refused = db.update_item(request).unwrap_err();
        assert_eq!(refused.code(), super::CONDITION_FAILED);
    });
}

#[test]
fn legal_extremes_are_accepted() {
    super::on_both_stores(|db| {
        super::load(db);
        let deepest = (0..31).fold(AttributeValue::from("bottom"), |inner, _| list![inner]);
        let extremes = item! {
            "PK" => "p".repeat(2048),
            "SK" => "s".repeat(1024),
            "deep" => deepest,
            "text" => "",
            "bytes" => AttributeValue::B(Vec::new()),
            "list" => list![],
            "map" => map! {},
            "set" => monotable::set![""],
            "largest" => number!("9.9999999999999999999999999999999999999e125"),
            "smallest" => number!("-1e-130"),
        };
        db.put_item(PutItem::new(TABLE, extremes.clone())).unwrap();
        let mut key = extremes.clone();
        key.retain(|name, _| name == "PK" || name == "SK");
        assert_eq!(super::get(db, TABLE, key), Some(extremes));
    });
}

#[test]
fn one_wrong_value_in_a_batch_refuses_the_batch() {
    check(|| {
        let batch = BatchWriteItem::new().put(TABLE, key_with("SK", "new"));
        vec![parameter(
            "the second of two",
            batch.put(TABLE, row_with("city", 1)),
            "Type mismatch for Index Key city Expected: S Actual: N IndexName: by-city",
        )]
    });
    super::on_both_stores(|db| {
        super::load(db);
        let batch = BatchWriteItem::new().put(TABLE, key_with("SK", "new"));
        assert!(db.batch_write_item(batch.put(TABLE, row_with("city", 1))).is_err());
        assert_eq!(super::get(db, TABLE, key_with("SK", "new")), None);
    });
}
