//! The pages of the guide and the README, for the compiler: every snippet in them is a test.

macro_rules! pages {
    ($($name:ident $file:literal;)*) => {$(
        #[doc = include_str!(concat!("../../../docs/guide/", $file))]
        mod $name {}
    )*};
}

#[doc = include_str!("../../../README.md")]
mod readme {}

pages! {
    first_table "1-first-table.md";
    keys_and_indexes "2-keys-and-indexes.md";
    reading "3-reading.md";
    writing "4-writing.md";
    rules_as_rows "5-rules-as-rows.md";
    expiry_and_codecs "6-expiry-and-codecs.md";
    backends "7-backends.md";
    diagnostics "8-diagnostics.md";
    documents "9-documents.md";
}
