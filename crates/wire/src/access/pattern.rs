//! Names of tables with `*` for any characters: `league`, `hunt-*`, `*`.

/// One name of a table, or a pattern of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablePattern(Box<str>);

/// The error of a pattern that cannot match any table name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("names of tables have letters, digits, '_', '-' and '.'; '*' stands for any of them")]
pub struct InvalidTablePattern;

impl TablePattern {
    /// Parses a name or a pattern.
    pub fn parse(text: &str) -> Result<Self, InvalidTablePattern> {
        let valid = |byte| byte == b'*' || is_name_character(byte);
        if text.is_empty() || !text.bytes().all(valid) {
            return Err(InvalidTablePattern);
        }
        Ok(Self(text.into()))
    }

    /// Returns the pattern that matches every name.
    pub fn every() -> Self {
        Self("*".into())
    }

    /// Returns whether this is the pattern that matches every name.
    pub(super) fn is_every(&self) -> bool {
        self.0.bytes().all(|byte| byte == b'*')
    }

    /// Returns whether the pattern matches a table name.
    pub fn matches(&self, table: &str) -> bool {
        matches_wildcards(&self.0, table)
    }
}

/// Returns whether a text matches a pattern in which `*` stands for any characters and `?` for any
/// one.
pub(super) fn matches_wildcards(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut at, mut reached) = (0, 0);
    // Where to continue when the text after the last `*` does not match: one byte later.
    let mut retry = None;
    while reached < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                retry = Some((at, reached));
                at += 1;
            }
            Some(&byte) if byte == b'?' || byte == text[reached] => {
                at += 1;
                reached += 1;
            }
            _ => {
                let Some((star, from)) = retry else { return false };
                retry = Some((star, from + 1));
                at = star + 1;
                reached = from + 1;
            }
        }
    }
    pattern[at..].iter().all(|&byte| byte == b'*')
}

/// Returns whether table names may contain the character.
pub(super) fn is_name_character(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, matching, other) in [
            ("league", &["league"][..], &["", "leagu", "leagues", "League"][..]),
            ("*", &["", "league", "a.b-c_d"], &[]),
            ("hunt-*", &["hunt-", "hunt-1", "hunt-1-a"], &["hunt", "ahunt-1"]),
            ("*-log", &["a-log", "-log"], &["a-logs", "log"]),
            ("a*b*c", &["abc", "a1b2c", "abbc", "abcbc"], &["ac", "acb", "bac", "abcd"]),
            ("a*a", &["aa", "aba"], &["a", "ab"]),
            ("a**b", &["ab", "axb"], &["a", "b"]),
            ("*x*x*", &["xx", "axbxc"], &["x", "axb"]),
        ] {
            let pattern = TablePattern::parse(pattern).unwrap();
            matching.iter().for_each(|name| assert!(pattern.matches(name), "{pattern:?} {name}"));
            other.iter().for_each(|name| assert!(!pattern.matches(name), "{pattern:?} {name}"));
        }
    }

    #[test]
    fn patterns_have_the_characters_of_names() {
        for text in ["", "a b", "table/a", "arn:a", "a?", "é"] {
            assert_eq!(TablePattern::parse(text), Err(InvalidTablePattern), "{text:?}");
        }
    }
}
