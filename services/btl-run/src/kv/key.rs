//! Keys that programs choose, and which of them belong to the game.

use monotable::model::RuleKey;
use monotable_kit::Problem;

/// The sort key of all rows of the older key-value service.
const SINGLE_SORT: &str = "v0";
/// The maximum size of a partition key, and of a sort key, in bytes.
const PK_BYTES_MAX: usize = 2048;
const SK_BYTES_MAX: usize = 1024;
/// Characters of a key of one part.
const SINGLE_CHARACTERS_MAX: usize = 512;

/// The prefixes of partition keys whose rows the game writes.
const OWNED: [&str; 10] =
    ["match#", "invite#", "user#", "rate#", "lock#", "idem#", "budget#", "due#", "task#", "AUTH_"];

/// The prefixes of partition keys whose rows only the game may see.
const PRIVATE: [&str; 7] = ["user#", "rate#", "lock#", "idem#", "due#", "task#", "AUTH_"];

/// The key of a value: any row of the table. Programs with a service token choose it.
#[derive(RuleKey, Clone, Debug, PartialEq, Eq, Hash)]
#[rule(
    Record,
    Counter,
    pk = "{pk}",
    sk = "{sk}",
    formerly = value,
    allow(K01, because = "administrators repair the rows of the game by their keys"),
    allow(K03, because = "programs choose their keys"),
    allow(K11, because = "an empty key is refused when it is made")
)]
pub struct Key {
    pk: String,
    sk: String,
}

impl Key {
    /// Returns a key of two parts.
    ///
    /// # Errors
    /// Returns 400 for a part that is empty, too long, or has control characters or surrounding
    /// spaces.
    pub fn new(pk: impl Into<String>, sk: impl Into<String>) -> Result<Self, Problem> {
        let key = Self { pk: pk.into(), sk: sk.into() };
        check("pk", &key.pk, PK_BYTES_MAX)?;
        check("sk", &key.sk, SK_BYTES_MAX)?;
        Ok(key)
    }

    /// Returns a key of one part, as in the older key-value service.
    ///
    /// # Errors
    ///
    /// Returns 400 for anything but 1 to 512 letters, digits and `:_.-`.
    pub fn single(key: &str) -> Result<Self, Problem> {
        let is_character =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'_' | b'.' | b'-');
        let is_key =
            (1..=SINGLE_CHARACTERS_MAX).contains(&key.len()) && key.bytes().all(is_character);
        if is_key {
            Ok(Self { pk: key.to_owned(), sk: SINGLE_SORT.to_owned() })
        } else {
            let text = "must be 1 to 512 letters, digits, colons, underscores, periods and hyphens";
            Err(Problem::field("key", text))
        }
    }

    /// Returns the partition key.
    pub fn pk(&self) -> &str {
        &self.pk
    }

    /// Returns the sort key.
    pub fn sk(&self) -> &str {
        &self.sk
    }

    /// Returns whether the game writes the row, so that others must not.
    pub fn is_owned(&self) -> bool {
        OWNED.iter().any(|prefix| self.pk.starts_with(prefix))
    }

    /// Returns whether the row is private. For a match that is everything except the summaries of
    /// its days: seeds and hashes of tokens, actions before their turn is resolved, the users of
    /// players, messages among allies.
    pub fn is_private(&self) -> bool {
        is_private_partition(&self.pk)
            || self.pk.starts_with("match#") && !self.sk.starts_with("summary#")
    }
}

/// Checks a partition key that comes without a sort key.
///
/// # Errors
/// Returns the errors of [`Key::new`].
pub(crate) fn check_partition(pk: &str) -> Result<(), Problem> {
    check("pk", pk, PK_BYTES_MAX)
}

/// Returns whether all rows of a partition are private: stored responses, tokens of locks, users
/// and addresses.
pub(crate) fn is_private_partition(pk: &str) -> bool {
    PRIVATE.iter().any(|prefix| pk.starts_with(prefix))
}

fn check(name: &str, part: &str, bytes_max: usize) -> Result<(), Problem> {
    let text = match part {
        "" => "must not be empty".to_owned(),
        part if part.len() > bytes_max => format!("must have at most {bytes_max} bytes"),
        part if part.chars().any(char::is_control) => "must have no control characters".to_owned(),
        part if part.contains(char::MAX) => "must not contain U+10FFFF".to_owned(),
        part if part.trim() != part => "must have no spaces around it".to_owned(),
        _ => return Ok(()),
    };
    Err(Problem::field(name, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_one_part_have_few_characters() {
        for key in ["user:john", "a", "A.b_c-9", &"x".repeat(512)] {
            let found = Key::single(key).unwrap();
            assert_eq!((found.pk(), found.sk(), found.is_owned()), (key, "v0", false));
        }
        for key in ["", "match#m1", "a b", "ä", "a/b", "a%23", &"x".repeat(513)] {
            assert_eq!(Key::single(key).unwrap_err().code, "VALIDATION", "{key}");
        }
    }

    #[test]
    fn keys_of_two_parts_are_texts_that_a_table_takes() {
        assert!(Key::new("match#m1#shard0", "log#000001").is_ok());
        assert!(Key::new("x".repeat(2048), "y".repeat(1024)).is_ok());
        let (long_pk, long_sk) = ("x".repeat(2049), "y".repeat(1025));
        for (pk, sk) in [
            ("", "a"),
            ("a", ""),
            (long_pk.as_str(), "a"),
            ("a", long_sk.as_str()),
            ("a\n", "a"),
            ("a", "\u{7f}"),
            (" a", "a"),
            ("a", "a "),
        ] {
            assert_eq!(Key::new(pk, sk).unwrap_err().code, "VALIDATION", "{pk:?} {sk:?}");
        }
    }

    #[test]
    fn the_key_decides_what_belongs_to_the_game_and_what_is_private() {
        let key = |pk: &str, sk: &str| Key::new(pk, sk).unwrap();
        for owned in OWNED {
            assert!(key(&format!("{owned}1"), "x").is_owned());
        }
        for free in ["settings#1", "matches", "xmatch#1", "Match#1"] {
            assert!(!key(free, "x").is_owned(), "{free}");
        }
        for (pk, sk) in [
            ("match#m", "secret"),
            ("match#m", "ally#a#000001"),
            ("match#m", "state"),
            ("match#m", "log#000001"),
            ("match#m#shard0", "log#000001"),
            ("idem#m", "k"),
            ("lock#match#m", "v"),
            ("user#u", "profile"),
            ("rate#ip:10.0.0.1", "join#1"),
            ("AUTH_SESSION#1", "METADATA"),
        ] {
            assert!(key(pk, sk).is_private(), "{pk} {sk}");
        }
        for (pk, sk) in [("match#m", "summary#1"), ("budget#m", "tokens"), ("settings", "secret")] {
            assert!(!key(pk, sk).is_private(), "{pk} {sk}");
        }
    }
}
