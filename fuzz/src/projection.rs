//! ProjectionExpression: parse, apply, print, parse again.

use monotable_expression::{Printer, parse_projection};

use crate::{request, text};

/// Checks the bytes as a projection; see [`text`] for how they are one.
pub fn check(bytes: &[u8]) {
    let text = text::from_bytes(bytes);
    let Some(projection) = request::parse(|placeholders| parse_projection(&text, placeholders))
    else {
        return;
    };
    for item in request::items() {
        let projected = projection.apply(item);
        for (name, value) in &projected {
            let mut paths = projection.paths.iter().filter(|path| path.root == *name);
            match paths.next().map(|path| path.is_attribute()) {
                Some(true) => assert_eq!(item.get(name), Some(value), "{text}"),
                Some(false) => assert_eq!(
                    item.get(name).map(|value| value.type_name()),
                    Some(value.type_name()),
                    "{text}"
                ),
                None => panic!("{name} was not asked for: {text}"),
            }
        }
        for path in projection.paths.iter().filter(|path| path.is_attribute()) {
            assert_eq!(projected.get(&path.root), item.get(&path.root), "{text}");
        }
    }
    let mut printer = Printer::new();
    let printed = printer.projection(&projection);
    if let Some(parsed) = request::parse_printed(&printed, printer.finish(), parse_projection) {
        assert_eq!(parsed, projection, "{printed}");
    }
}

/// Every form of the language.
pub fn seeds() -> Vec<Vec<u8>> {
    text::seeds(&["pk, sk,#a", "a.x[0], a.x[1], map.#a[0][0]", "list[3],list[1].x,#odd , #size"])
}
