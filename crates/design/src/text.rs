//! Text in a `const` evaluation, where strings have no methods.
//!
//! The compiler's interpreter needs about a tenth of a microsecond per step and ten times that per
//! call, and these functions run for every pair of entities and patterns. So they make few calls,
//! and compare several bytes in one step.

/// Returns whether two texts are the same. Names that differ often do so in their last byte: `GSI1`, `GSI2`.
pub(crate) const fn equal(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if let [.., one] = left
        && let [.., other] = right
        && *one != *other
    {
        return false;
    }
    left.len() == right.len() && !differ(left, right)
}

/// Returns whether a text begins with another.
pub(crate) const fn starts_with(text: &str, beginning: &str) -> bool {
    beginning.len() <= text.len() && !differ(text.as_bytes(), beginning.as_bytes())
}

/// Returns whether two texts differ at a position that both have. Most differ in their first byte.
pub(crate) const fn differ(left: &[u8], right: &[u8]) -> bool {
    if let [one, ..] = left
        && let [other, ..] = right
        && *one != *other
    {
        return true;
    }
    differ_later(left, right)
}

const fn differ_later(left: &[u8], right: &[u8]) -> bool {
    let (mut left, mut right) = (left, right);
    while let [a, b, c, d, left_rest @ ..] = left
        && let [e, f, g, h, right_rest @ ..] = right
    {
        if *a != *e || *b != *f || *c != *g || *d != *h {
            return true;
        }
        (left, right) = (left_rest, right_rest);
    }
    while let [one, left_rest @ ..] = left
        && let [other, right_rest @ ..] = right
    {
        if *one != *other {
            return true;
        }
        (left, right) = (left_rest, right_rest);
    }
    false
}

/// Returns whether a text is in a list.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_compared_like_everywhere_else() {
        let texts = [
            "",
            "A",
            "B",
            "GSI1",
            "GSI2",
            "GSI10",
            "TEAM#",
            "TEAM#ST",
            "TEAM#STATS",
            "TEAM#STATUS",
        ];
        for left in texts {
            for right in texts {
                assert_eq!(equal(left, right), left == right, "{left} {right}");
                assert_eq!(starts_with(left, right), left.starts_with(right), "{left} {right}");
                let is_apart = !left.starts_with(right) && !right.starts_with(left);
                assert_eq!(differ(left.as_bytes(), right.as_bytes()), is_apart, "{left} {right}");
            }
            assert!(is_in(&texts, left));
        }
        assert!(!is_in(&texts, "TEAM"));
    }
}
