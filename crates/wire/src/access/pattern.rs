//! Names of tables with `*` for any characters: `league`, `hunt-*`, `*`.

/// One name of a table, or a pattern of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablePattern(Box<str>);

/// A pattern that no table's name could match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("names of tables have letters, digits, '_', '-' and '.'; '*' stands for any of them")]
pub struct InvalidTablePattern;

impl TablePattern {
    /// Reads a name or a pattern.
    pub fn parse(text: &str) -> Result<Self, InvalidTablePattern> {
        let valid = |byte| byte == b'*' || is_name_character(byte);
        if text.is_empty() || !text.bytes().all(valid) {
            return Err(InvalidTablePattern);
        }
        Ok(Self(text.into()))
    }

    /// The pattern of all names.
    pub fn every() -> Self {
        Self("*".into())
    }

    /// Whether this is the pattern of all names.
    pub(super) fn is_every(&self) -> bool {
        self.0.bytes().all(|byte| byte == b'*')
    }

    /// Whether a table's name matches: the text before the first `*` begins it, the text after the
    /// last one ends it, and the texts between follow each other in it.
    pub fn matches(&self, table: &str) -> bool {
        let Some((start, rest)) = self.0.split_once('*') else { return *self.0 == *table };
        let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
        let Some(mut left) = table.strip_prefix(start).and_then(|left| left.strip_suffix(end))
        else {
            return false;
        };
        for part in middle.split('*') {
            match left.find(part) {
                Some(place) => left = &left[place + part.len()..],
                None => return false,
            }
        }
        true
    }
}

/// The characters of tables' names.
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
