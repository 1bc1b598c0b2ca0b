//! Text in a `const` evaluation, where strings have no methods.

/// Whether two texts are the same.
pub(crate) const fn equal(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Whether a text begins with another.
pub(crate) const fn starts_with(text: &str, beginning: &str) -> bool {
    let (text, beginning) = (text.as_bytes(), beginning.as_bytes());
    if beginning.len() > text.len() {
        return false;
    }
    let mut at = 0;
    while at < beginning.len() {
        if text[at] != beginning[at] {
            return false;
        }
        at += 1;
    }
    true
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
