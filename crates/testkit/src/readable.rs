//! Debug texts of operations, shortened for readers.

/// Debug text without default fields, and with long runs of one letter, which large values consist
/// of, as the letter and its count.
pub(crate) fn abbreviated(text: &str) -> String {
    const SILENT: [&str; 9] = [
        "substitutions: Substitutions { names: None, values: None }",
        "return_values: None",
        "return_on_condition_failure: None",
        "return_consumed_capacity: None",
        "return_item_collection_metrics: None",
        "direction: Forward",
        "consistency: Eventual",
        "spelling: Tree",
        "reasons: []",
    ];
    const ABSENT: [&str; 11] = [
        "condition",
        "filter",
        "projection",
        "select",
        "limit",
        "exclusive_start_key",
        "segment",
        "index_name",
        "update",
        "item",
        "refused",
    ];
    let mut plain = text.to_owned();
    for silent in SILENT {
        plain = plain.replace(&format!(", {silent}"), "");
    }
    for absent in ABSENT {
        plain = plain.replace(&format!(", {absent}: None"), "");
    }
    let mut short = String::new();
    let mut letters = plain.chars().peekable();
    while let Some(letter) = letters.next() {
        let mut count = 1_usize;
        while letters.next_if_eq(&letter).is_some() {
            count += 1;
        }
        if count > 40 {
            short.push_str(&format!("{letter}×{count}"));
        } else {
            short.extend(std::iter::repeat_n(letter, count));
        }
    }
    short
}
