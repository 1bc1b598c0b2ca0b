//! No text makes a parser panic, and every parsed tree can be evaluated, applied and printed.

use std::collections::BTreeMap;

use monotable_expression::{
    ExpressionKind, Placeholders, Printer, parse_condition, parse_key_condition, parse_projection,
    parse_update,
};
use monotable_types::{AttributeValue, Item, item, list, set};
use proptest::prelude::*;
use proptest::sample::select;

/// Returns the pieces that expressions are made of, and some that they are not.
fn pieces() -> impl Strategy<Value = String> {
    let pieces = vec![
        "a",
        "b",
        "name",
        "#n",
        "#m",
        ":v",
        ":w",
        ":s",
        "AND",
        "or",
        "NOT",
        "BETWEEN",
        "in",
        "SET",
        "REMOVE",
        "ADD",
        "DELETE",
        "size",
        "contains",
        "begins_with",
        "attribute_exists",
        "attribute_type",
        "if_not_exists",
        "list_append",
        "f",
        "(",
        ")",
        "((",
        "))",
        "[",
        "]",
        "[0]",
        ".",
        ",",
        "=",
        "<>",
        "<",
        ">=",
        "+",
        "-",
        "1",
        "_",
        "é",
        "!",
        "\"",
        "\n",
        "#",
        ":",
    ];
    let spacing = select(vec!["", " ", "  "]);
    let piece = (select(pieces), spacing).prop_map(|(piece, space)| format!("{piece}{space}"));
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Texts that are likely to parse, with one piece changed.
fn nearly_right() -> impl Strategy<Value = String> {
    let texts = vec![
        "a = :v AND (b < :w OR NOT contains(#n, :v))",
        "size(a.b[1]) BETWEEN :v AND :w",
        "a IN (:v, b, (:w)) OR attribute_exists((a))",
        "SET a = if_not_exists(a, :v) + :w, b.c = list_append(:s, d) REMOVE #n[0] ADD f :v",
        "DELETE a :s SET b = (c - :v)",
        "a, b.#n[2], c",
        "a = :v AND begins_with(b, :v)",
    ];
    (select(texts), any::<prop::sample::Index>(), pieces()).prop_map(|(text, at, piece)| {
        let at = at.index(text.len());
        let piece: String = piece.chars().take(6).collect();
        format!("{}{piece}{}", &text[..at], &text[at + 1..])
    })
}

fn exercise(text: &str) {
    let names = BTreeMap::from([("#n".to_owned(), "n".to_owned())]);
    let values: BTreeMap<String, AttributeValue> = BTreeMap::from([
        (":v".to_owned(), 1.into()),
        (":w".to_owned(), 2.into()),
        (":s".to_owned(), set!["x"].into()),
    ]);
    let mut placeholders = Placeholders::new(Some(&names), Some(&values));
    let item: Item = item! { "a" => 1, "b" => list![1, "x"], "n" => "text" };
    if let Ok(condition) = parse_condition(text, ExpressionKind::Condition, &mut placeholders) {
        condition.evaluate(&item);
        Printer::new().condition(&condition);
    }
    if let Ok(update) = parse_update(text, &mut placeholders) {
        let mut updated = item.clone();
        if update.apply(&mut updated).is_err() {
            assert_eq!(updated, item, "a refused update must not touch the item");
        }
        update.project_updated(&updated);
        Printer::new().update(&update);
    }
    if let Ok(projection) = parse_projection(text, &mut placeholders) {
        projection.apply(&item);
    }
    if let Ok(condition) = parse_key_condition(text, &mut placeholders) {
        assert!(!condition.terms.is_empty());
    }
    drop(placeholders.finish());
}

proptest! {
    #[test]
    fn no_sequence_of_pieces_makes_a_parser_panic(text in pieces()) {
        exercise(&text);
    }

    #[test]
    fn no_small_change_of_a_valid_text_makes_a_parser_panic(text in nearly_right()) {
        exercise(&text);
    }

    #[test]
    fn no_characters_make_a_parser_panic(text in "\\PC{0,60}") {
        exercise(&text);
    }
}
