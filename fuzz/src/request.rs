//! The request around a fuzzed expression: placeholders of every type, and items to use it on.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use monotable_expression::{ExpressionError, Placeholders};
use monotable_types::{AttributeValue, Item, item, limits, list, map, number, set};

type Names = BTreeMap<String, String>;
type Values = BTreeMap<String, AttributeValue>;

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    [("#a", "a"), ("#size", "size"), ("#odd", "né.[0] ")]
        .map(|(placeholder, name)| (placeholder.to_owned(), name.to_owned()))
        .into()
});

static VALUES: LazyLock<Values> = LazyLock::new(|| {
    item! {
        ":zero" => 0,
        ":one" => 1,
        ":half" => number!("-0.5"),
        ":huge" => number!("9.9999999999999999999999999999999999999E+125"),
        ":text" => "status",
        ":start" => "st",
        ":bytes" => AttributeValue::B(vec![0, 255]),
        ":true" => true,
        ":null" => AttributeValue::Null,
        ":list" => list![1, "two", list![]],
        ":map" => map! { "x" => 1, "a" => map! {} },
        ":names" => set!["ada", "bea"],
        ":numbers" => set![1, 2],
        ":blobs" => set![vec![1_u8], vec![]],
        ":type" => "SS",
    }
});

static ITEMS: LazyLock<Vec<Item>> = LazyLock::new(|| {
    vec![
        Item::new(),
        item! {
            "pk" => "status",
            "sk" => 7,
            "a" => map! { "x" => list![1, "two"], "a" => "deep" },
            "list" => list![0, map! { "x" => 1 }, set!["ada"], "st"],
            "map" => map! { "x" => true, "size" => AttributeValue::Null, "a" => list![list![1]] },
            "number" => number!("1E-130"),
            "names" => set!["ada", "cem"],
            "size" => AttributeValue::B(vec![0, 255, 1]),
            "né.[0] " => "",
        },
        item! { "pk" => 1, "sk" => "st", "number" => "text", "names" => set![1, 3], "list" => 1 },
    ]
});

/// Fresh placeholders, with a value of every type.
pub(crate) fn placeholders() -> Placeholders<'static> {
    Placeholders::new(Some(&NAMES), Some(&VALUES))
}

/// Items to evaluate expressions on: none of the attributes, all of them, all of other types.
pub(crate) fn items() -> &'static [Item] {
    &ITEMS
}

/// Parses, and lets every message be written: no error may panic while it says what is wrong.
pub(crate) fn parse<T>(
    parse: impl FnOnce(&mut Placeholders<'static>) -> Result<T, ExpressionError>,
) -> Option<T> {
    let mut placeholders = placeholders();
    let parsed = parse(&mut placeholders);
    match &parsed {
        Ok(_) => {
            let _ = placeholders.finish().map_err(|error| error.to_string());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    parsed.ok()
}

/// Parses what was printed, with the placeholders that the printer made up. `None` if the printed
/// text is longer than an expression may be, though the fuzzed one was not.
pub(crate) fn parse_printed<T>(
    text: &str,
    (names, values): (Names, Values),
    parse: impl FnOnce(&str, &mut Placeholders<'_>) -> Result<T, ExpressionError>,
) -> Option<T> {
    if text.len() > limits::EXPRESSION_BYTES_MAX {
        return None;
    }
    let names = Some(&names).filter(|names| !names.is_empty());
    let values = Some(&values).filter(|values| !values.is_empty());
    let mut placeholders = Placeholders::new(names, values);
    let parsed = parse(text, &mut placeholders);
    match (parsed, placeholders.finish()) {
        (Ok(tree), Ok(())) => Some(tree),
        (Err(error), _) | (_, Err(error)) => panic!("printed text does not parse: {text}: {error}"),
    }
}
