//! ConditionExpression and FilterExpression: parse, evaluate, print, parse again.

use monotable_expression::{Condition, ExpressionKind, Printer, parse_condition};

use crate::{request, text};

/// Checks the bytes as a condition; see [`text`] for how they are one.
pub fn check(bytes: &[u8]) {
    let text = text::from_bytes(bytes);
    let kind = match bytes.len() % 2 {
        0 => ExpressionKind::Condition,
        _ => ExpressionKind::Filter,
    };
    let Some(condition) = request::parse(|placeholders| parse_condition(&text, kind, placeholders))
    else {
        return;
    };
    let opposite = Condition::Not(Box::new(condition.clone()));
    for item in request::items() {
        assert_ne!(condition.evaluate(item), opposite.evaluate(item), "{text}");
    }
    let mut printer = Printer::new();
    let printed = printer.condition(&condition);
    let parsed = request::parse_printed(&printed, printer.finish(), |text, placeholders| {
        parse_condition(text, kind, placeholders)
    });
    if let Some(parsed) = parsed {
        assert_eq!(parsed, condition, "{printed}");
    }
}

/// Every form of the language.
pub fn seeds() -> Vec<Vec<u8>> {
    text::seeds(&[
        "attribute_exists(pk) AND attribute_not_exists(#a.x[0])",
        "number BETWEEN :zero AND :one OR NOT (pk IN (:text, :start, sk))",
        "attribute_type(names, :type) AND contains(names, :text)",
        "begins_with(pk, :start) or size(list) >= :one",
        "#size = :bytes and (#odd <> :null or a.x[1] < :half) and map.#a > sk",
        "((pk = :text))",
        "list[0] <= :one AND list[1].x = :one OR :one = number",
    ])
}
