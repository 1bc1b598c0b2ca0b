//! Printing a tree and parsing the text gives the tree back.

use monotable_expression::{
    Condition, ExpressionError, ExpressionKind, Placeholders, Printer, parse_condition,
    parse_key_condition, parse_projection, parse_update,
};
use proptest::prelude::*;

use crate::arbitrary;

/// Prints with `print`, parses with `parse`, and requires that every placeholder was used.
fn reparse<T>(
    print: impl FnOnce(&mut Printer) -> String,
    parse: impl FnOnce(&str, &mut Placeholders<'_>) -> Result<T, ExpressionError>,
) -> (String, Result<T, ExpressionError>) {
    let mut printer = Printer::new();
    let text = print(&mut printer);
    let (names, values) = printer.finish();
    let names = (!names.is_empty()).then_some(&names);
    let values = (!values.is_empty()).then_some(&values);
    let mut placeholders = Placeholders::new(names, values);
    let parsed =
        parse(&text, &mut placeholders).and_then(|tree| placeholders.finish().map(|()| tree));
    (text, parsed)
}

/// Returns whether an error is about the contents. Trees that were built by hand may contain what AWS
/// refuses in text, such as `a = a`, but never a syntax error.
fn is_refused_for_content(error: &ExpressionError) -> bool {
    !error.to_string().contains("Syntax error") && !error.to_string().contains("unused")
}

proptest! {
    #[test]
    fn conditions_survive_printing_and_parsing(condition in arbitrary::condition()) {
        let (text, parsed) = reparse(
            |printer| printer.condition(&condition),
            |text, placeholders| parse_condition(text, ExpressionKind::Condition, placeholders),
        );
        match parsed {
            Ok(parsed) => prop_assert_eq!(parsed, condition, "{}", text),
            Err(error) => prop_assert!(is_refused_for_content(&error), "{}: {}", error, text),
        }
    }

    #[test]
    fn conditions_without_operand_checks_always_survive(
        paths in prop::collection::vec(arbitrary::path(), 1..6),
        shape in prop::collection::vec(0_u8..4, 0..8),
    ) {
        let mut condition = Condition::AttributeExists(paths[0].clone());
        for (position, step) in shape.into_iter().enumerate() {
            let other = Condition::AttributeNotExists(paths[position % paths.len()].clone());
            condition = match step {
                0 => !condition,
                1 => condition.and(other),
                2 => condition.or(other),
                _ => other.and(condition),
            };
        }
        let (text, parsed) = reparse(
            |printer| printer.condition(&condition),
            |text, placeholders| parse_condition(text, ExpressionKind::Filter, placeholders),
        );
        prop_assert_eq!(parsed, Ok(condition), "{}", text);
    }

    #[test]
    fn updates_survive_printing_and_parsing(update in arbitrary::update()) {
        let (text, parsed) = reparse(|printer| printer.update(&update), parse_update);
        match parsed {
            Ok(parsed) => prop_assert_eq!(parsed, update, "{}", text),
            Err(error) => prop_assert!(is_refused_for_content(&error), "{}: {}", error, text),
        }
    }

    #[test]
    fn projections_survive_printing_and_parsing(projection in arbitrary::projection()) {
        let (text, parsed) = reparse(|printer| printer.projection(&projection), parse_projection);
        prop_assert_eq!(parsed, Ok(projection), "{}", text);
    }

    #[test]
    fn key_conditions_survive_printing_and_parsing(condition in arbitrary::key_condition()) {
        let (text, parsed) = reparse(|printer| printer.key_condition(&condition), parse_key_condition);
        prop_assert_eq!(parsed, Ok(condition), "{}", text);
    }
}
