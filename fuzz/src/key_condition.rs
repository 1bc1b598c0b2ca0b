//! KeyConditionExpression: parse, print, parse again, and agree with the filter of the same text.

use monotable_expression::{
    ExpressionKind, KeyCondition, Printer, parse_condition, parse_key_condition,
};
use monotable_types::Item;

use crate::{request, text};

/// Checks the bytes as a key condition; see [`text`] for how they are one.
pub fn check(bytes: &[u8]) {
    let text = text::from_bytes(bytes);
    let Some(condition) = request::parse(|placeholders| parse_key_condition(&text, placeholders))
    else {
        return;
    };
    let filter =
        request::parse(|placeholders| parse_condition(&text, ExpressionKind::Filter, placeholders));
    if let Some(filter) = filter {
        for item in request::items() {
            assert_eq!(holds(&condition, item), filter.evaluate(item), "{text}");
        }
    }
    let mut printer = Printer::new();
    let printed = printer.key_condition(&condition);
    if let Some(parsed) = request::parse_printed(&printed, printer.finish(), parse_key_condition) {
        assert_eq!(parsed, condition, "{printed}");
    }
}

fn holds(condition: &KeyCondition, item: &Item) -> bool {
    condition
        .terms
        .iter()
        .all(|term| item.get(&term.attribute).is_some_and(|value| term.test.matches(value)))
}

/// Every form of the language.
pub fn seeds() -> Vec<Vec<u8>> {
    text::seeds(&[
        "pk = :text",
        "pk = :text AND sk BETWEEN :zero AND :one",
        "(#a = :bytes) and begins_with(sk, :start)",
        ":one = pk AND :half < sk",
        "pk = :text AND sk <= :one AND #size = :bytes AND #odd >= :start",
    ])
}
