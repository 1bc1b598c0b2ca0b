//! Properties of the expression languages, checked on random trees, items and texts.
//!
//! A failing case prints its shrunken input; `PROPTEST_CASES` sets how many are tried.

mod agreement;
mod arbitrary;
mod round_trip;
mod total;
