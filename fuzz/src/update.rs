//! UpdateExpression: parse, apply, print, parse again.

use monotable_expression::{Printer, parse_update};

use crate::{request, text};

/// Checks the bytes as an update; see [`text`] for how they are one.
pub fn check(bytes: &[u8]) {
    let text = text::from_bytes(bytes);
    let Some(update) = request::parse(|placeholders| parse_update(&text, placeholders)) else {
        return;
    };
    for before in request::items() {
        let mut after = before.clone();
        match update.apply(&mut after) {
            Ok(()) => {
                let updated = update.project_updated(&after);
                let roots = updated.keys().all(|name| after.contains_key(name));
                assert!(roots, "UPDATED_NEW names what is not there: {text}");
                for (name, value) in before {
                    if update.paths().all(|path| path.root != *name) {
                        assert_eq!(after.get(name), Some(value), "{name} is not named: {text}");
                    }
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    let mut printer = Printer::new();
    let printed = printer.update(&update);
    if let Some(parsed) = request::parse_printed(&printed, printer.finish(), parse_update) {
        assert_eq!(parsed, update, "{printed}");
    }
}

/// Every form of the language.
pub fn seeds() -> Vec<Vec<u8>> {
    text::seeds(&[
        "SET pk = :text, #a.x[0] = sk + :one, number = number - :half",
        "SET list = list_append(if_not_exists(absent, :list), list) REMOVE map.x, list[1]",
        "ADD sk :one, names :names DELETE map :names",
        "set #size = if_not_exists(#size, :zero) + :one remove #odd add number :huge delete names :names",
        "SET list[9] = :map, map.new = :null, a.x[0] = a.x[1]",
    ])
}
