//! Values and names at their edges.

use monotable_expression::{Update, attribute_exists, key as key_of, path};
use monotable_model::backend::request::{Query, Write};
use monotable_types::{AttributeValue, Item, item, item_size_bytes, limits, list, map, set};

use super::subject::{Subject, items, key, refused, row};

fn number(text: &str) -> AttributeValue {
    AttributeValue::N(text.parse().unwrap())
}

fn bytes(bytes: &[u8]) -> AttributeValue {
    AttributeValue::B(bytes.to_vec())
}

async fn is_read_back(subject: &Subject, item: Item) {
    let key = key(item["PK"].as_s().unwrap(), item["SK"].as_s().unwrap());
    subject.put(item.clone()).await;
    assert_eq!(subject.get(key).await, Some(item));
}

pub(super) async fn every_type_is_read_back(subject: Subject) {
    let all = item! {
        "s" => "text with \"quotes\", \\ and \n lines, é 漢 🦀",
        "n" => 42,
        "b" => bytes(&[0, 1, 254, 255]),
        "yes" => true,
        "no" => false,
        "null" => AttributeValue::Null,
        "l" => list![1, "two", list![], AttributeValue::Null, map! {}],
        "m" => map! { "a" => map! { "b" => list![map! { "c" => set![1, 2] }] } },
        "ss" => set!["a", "b", ""],
        "ns" => set![1, 2, -3],
        "bs" => AttributeValue::Bs(monotable_types::Set::of(vec![1], [vec![2, 0], Vec::new()])),
    };
    is_read_back(&subject, row("P", "all", all)).await;
}

pub(super) async fn numbers_keep_38_digits(subject: Subject) {
    let numbers = [
        "99999999999999999999999999999999999999",
        "-99999999999999999999999999999999999999",
        "1.2345678901234567890123456789012345678",
        "9.9999999999999999999999999999999999999E+125",
        "-9.9999999999999999999999999999999999999E+125",
        "1E-130",
        "-1E-130",
        "0.1",
    ];
    let values: Vec<AttributeValue> = numbers.iter().map(|text| number(text)).collect();
    is_read_back(&subject, row("P", "numbers", item! { "numbers" => AttributeValue::L(values) }))
        .await;
}

pub(super) async fn numbers_are_distinguished_by_value_only(subject: Subject) {
    let zeros = list![number("-0"), number("0.000"), number("0")];
    let ones = list![number("1.0"), number("0100e-2"), number("1")];
    subject.put(row("P", "numbers", item! { "zeros" => zeros, "ones" => ones })).await;
    let read = subject.get(key("P", "numbers")).await.unwrap();
    assert_eq!(read["zeros"], list![0, 0, 0]);
    assert_eq!(read["ones"], list![1, 1, 1]);
    let write = Write {
        condition: Some(path("zeros").index(0).eq(0).and(path("ones").index(1).eq(number("1.00")))),
        ..subject.delete_of(key("P", "numbers"))
    };
    subject.backend.write(write).await.unwrap();
}

pub(super) async fn empty_strings_and_binaries_are_values(subject: Subject) {
    let empty = item! { "s" => "", "b" => bytes(&[]), "l" => list![], "m" => map! {} };
    is_read_back(&subject, row("P", "empty", empty)).await;
    let write = Write {
        condition: Some(path("s").eq("").and(path("b").eq(bytes(&[])))),
        ..subject.update_of(key("P", "empty"), Update::new().set("t", ""))
    };
    subject.backend.write(write).await.unwrap();
}

pub(super) async fn empty_keys_are_refused(subject: Subject) {
    for (pk, sk) in [("", "a"), ("a", "")] {
        refused(subject.backend.write(subject.put_of(key(pk, sk))).await);
        refused(subject.backend.get(subject.get_of(key(pk, sk))).await);
    }
    let indexed = row("a", "b", item! { "GSI1PK" => "", "GSI1SK" => "x" });
    refused(subject.backend.write(subject.put_of(indexed)).await);
}

pub(super) async fn any_name_is_an_attribute(subject: Subject) {
    let names = [
        "name", "status", "size", "data", "AND", "a.b", "a-b", "a b", "9lives", "#hash", ":colon",
        "[0]", "é", "漢", "select", "_",
    ];
    let all: Item = names.iter().map(|name| ((*name).to_owned(), 1.into())).collect();
    subject.put(row("P", "names", all)).await;
    for name in names {
        let write = Write {
            condition: Some(attribute_exists(path(name)).and(path(name).eq(1))),
            ..subject.update_of(key("P", "names"), Update::new().set(path(name), 2).remove("x"))
        };
        subject.backend.write(write).await.unwrap_or_else(|error| panic!("{name}: {error}"));
        let query =
            Query { filter: Some(path(name).eq(2)), ..subject.query_of(key_of("PK").eq("P")) };
        assert_eq!(items(subject.query_pages(query).await).len(), 1, "{name}");
    }
    let nested = item! { "m" => map! { "a.b" => map! { "size" => list![1] } } };
    subject.put(row("P", "nested", nested)).await;
    let deep = || path("m").key("a.b").key("size").index(0);
    let write = Write {
        condition: Some(deep().eq(1)),
        ..subject.update_of(key("P", "nested"), Update::new().set(deep(), 2))
    };
    subject.backend.write(write).await.unwrap();
    let read = subject.get(key("P", "nested")).await.unwrap();
    assert_eq!(read["m"], map! { "a.b" => map! { "size" => list![2] } });
}

/// Returns a row of exactly this size by AWS's rule.
fn sized(sk: &str, bytes: usize) -> Item {
    let mut item = row("P", sk, item! { "t" => "" });
    let rest = bytes - item_size_bytes(&item);
    item.insert("t".to_owned(), "x".repeat(rest).into());
    assert_eq!(item_size_bytes(&item), bytes);
    item
}

pub(super) async fn the_largest_row_fits(subject: Subject) {
    let largest = sized("large", limits::ITEM_BYTES_MAX);
    let answer = subject.backend.write(subject.put_of(largest.clone())).await.unwrap();
    assert_eq!(answer.units, 400.0);
    assert_eq!(subject.get(key("P", "large")).await, Some(largest));
}

pub(super) async fn a_row_that_is_too_large_is_refused(subject: Subject) {
    let put = subject.put_of(sized("large", limits::ITEM_BYTES_MAX + 1));
    refused(subject.backend.write(put).await);
    assert_eq!(subject.get(key("P", "large")).await, None);
}

pub(super) async fn a_row_can_not_grow_too_large(subject: Subject) {
    let large = sized("large", limits::ITEM_BYTES_MAX - 10);
    subject.put(large.clone()).await;
    let more = subject.update_of(key("P", "large"), Update::new().set("more", "123456789"));
    refused(subject.backend.write(more).await);
    assert_eq!(subject.get(key("P", "large")).await, Some(large));
}

pub(super) async fn the_deepest_row_fits(subject: Subject) {
    let deepest = (0..31).fold(AttributeValue::from(1), |inner, _| map! { "m" => inner });
    is_read_back(&subject, row("P", "deep", item! { "deep" => deepest.clone() })).await;
    let deeper = row("P", "deeper", item! { "deep" => list![deepest] });
    refused(subject.backend.write(subject.put_of(deeper)).await);
}
