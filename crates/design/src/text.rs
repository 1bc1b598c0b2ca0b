//! Text in a `const` evaluation, where strings have no methods.
//!
//! The compiler's interpreter takes about a tenth of a microsecond a step and ten times that a call,
//! and these functions run for every pair of entities and patterns. So they call little, and look at
//! several bytes in one step.

/// Whether two texts are the same. Names that differ often do so in their last byte: `GSI1`, `GSI2`.
pub(crate) const fn equal(left: &str, right: &str) -> bool {
    match (left.as_bytes(), right.as_bytes()) {
        ([left_rest @ .., left], [right_rest @ .., right]) => {
            *left == *right && left_rest.len() == right_rest.len() && !differ(left_rest, right_rest)
        }
        ([], []) => true,
        _ => false,
    }
}

/// Whether a text begins with another.
pub(crate) const fn starts_with(text: &str, beginning: &str) -> bool {
    beginning.len() <= text.len() && !differ(text.as_bytes(), beginning.as_bytes())
}

/// Whether two texts differ at a place that both have.
pub(crate) const fn differ(left: &[u8], right: &[u8]) -> bool {
    let (mut left, mut right) = (left, right);
    loop {
        match (left, right) {
            ([a, b, c, d, left_rest @ ..], [e, f, g, h, right_rest @ ..]) => {
                if *a != *e || *b != *f || *c != *g || *d != *h {
                    return true;
                }
                (left, right) = (left_rest, right_rest);
            }
            ([a, left_rest @ ..], [b, right_rest @ ..]) => {
                if *a != *b {
                    return true;
                }
                (left, right) = (left_rest, right_rest);
            }
            _ => return false,
        }
    }
}

/// Whether a text is in a list.
pub(crate) const fn is_in(list: &[&str], text: &str) -> bool {
    let mut at = 0;
    while at < list.len() {
        if equal(list[at], text) {
            return true;
        }
        at += 1;
    }
    false
}
