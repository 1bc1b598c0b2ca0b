//! Expressions from bytes: ASCII stands for itself, every other byte for a word of the language.
//!
//! Without this, a fuzzer that cannot see inside string comparisons would spend its life on texts
//! that end at the first token.

/// The words, in no particular order; the byte 0x80 is the first. Bytes behind the last one are
/// themselves, as characters of two bytes.
const WORDS: &[&str] = &[
    " = ",
    " <> ",
    " < ",
    " <= ",
    " > ",
    " >= ",
    " AND ",
    " OR ",
    "NOT ",
    " BETWEEN ",
    " IN (",
    "attribute_exists(",
    "attribute_not_exists(",
    "attribute_type(",
    "begins_with(",
    "contains(",
    "size(",
    "if_not_exists(",
    "list_append(",
    "SET ",
    " REMOVE ",
    " ADD ",
    " DELETE ",
    ", ",
    "(",
    ")",
    "[0]",
    "[1]",
    "[99999999999999999999]",
    ".#a",
    ".x",
    " + ",
    " - ",
    "pk",
    "sk",
    "list",
    "map",
    "number",
    "names",
    "absent",
    "#a",
    "#size",
    "#odd",
    "#none",
    ":zero",
    ":one",
    ":half",
    ":huge",
    ":text",
    ":start",
    ":bytes",
    ":true",
    ":null",
    ":list",
    ":map",
    ":names",
    ":numbers",
    ":blobs",
    ":type",
    ":none",
    "size",
    "status",
    "\u{10ffff}",
    "((((((((((((((((",
    "))))))))))))))))",
    "NOT NOT NOT NOT NOT NOT NOT NOT ",
];

/// The text that the bytes stand for.
pub(crate) fn from_bytes(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 4);
    for &byte in bytes {
        match WORDS.get(usize::from(byte).wrapping_sub(0x80)) {
            Some(word) => text.push_str(word),
            None => text.push(char::from(byte)),
        }
    }
    text
}

/// Bytes that stand for the text; ASCII is enough to write seeds in.
pub(crate) fn seeds(texts: &[&str]) -> Vec<Vec<u8>> {
    let words = (0..WORDS.len()).map(|word| vec![0x80 + word as u8]);
    texts.iter().map(|text| text.as_bytes().to_vec()).chain(words).collect()
}
