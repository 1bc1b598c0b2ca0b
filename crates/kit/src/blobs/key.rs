//! Keys of blobs: paths with the same meaning in every store.

use std::fmt;
use std::str::FromStr;

/// Characters of a key.
const LENGTH_MAX: usize = 512;
/// Characters of a segment.
const SEGMENT_LENGTH_MAX: usize = 128;

/// The key of a blob: segments separated by slashes, such as `team-1/photos/7.jpg`. A segment has
/// letters, digits, `_`, `-` and `.`, and does not begin with a dot, so that a key is a path below
/// a directory on every system.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobKey(String);

/// A text that is not the key of a blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a key has segments of 1 to 128 letters, digits, `_`, `-` and `.` that do not begin with a dot, with slashes \
     between them, and 512 characters at most"
)]
pub struct BlobKeyError;

impl BlobKey {
    /// Returns the text of the key.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the segments of the key.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/')
    }

    /// Prepends a segment to the key.
    pub(super) fn within(&self, segment: &str) -> Result<Self, BlobKeyError> {
        format!("{segment}/{}", self.0).parse()
    }

    /// Returns the key without its first segment.
    pub(super) fn without_first_segment(&self) -> Option<Self> {
        self.0.split_once('/').map(|(_, rest)| Self(rest.to_owned()))
    }
}

impl FromStr for BlobKey {
    type Err = BlobKeyError;

    fn from_str(text: &str) -> Result<Self, BlobKeyError> {
        let is_segment = |segment: &str| {
            let is_known = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
            (1..=SEGMENT_LENGTH_MAX).contains(&segment.len())
                && !segment.starts_with('.')
                && segment.bytes().all(is_known)
        };
        let is_key = text.len() <= LENGTH_MAX && text.split('/').all(is_segment);
        if is_key { Ok(Self(text.to_owned())) } else { Err(BlobKeyError) }
    }
}

impl fmt::Display for BlobKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_a_path_below_a_directory() {
        let longest = "a".repeat(128);
        for text in ["a", "a/b", "Team-1/photo_2/1790000000_x.jpg", "a..b", "a.", &longest] {
            assert_eq!(text.parse::<BlobKey>().unwrap().as_str(), text);
        }
        let (long_segment, long) = ("a".repeat(129), ["a"; 257].join("/"));
        for text in [
            "",
            "/",
            "/a",
            "a/",
            "a//b",
            ".",
            "..",
            "../a",
            "a/../b",
            "a/./b",
            "a/.b",
            ".a",
            "a\\b",
            "..\\a",
            "C:",
            "a b",
            "a\0",
            "a\n",
            "é",
            "%2e%2e/a",
            "~a",
            "a:b",
            "CON ",
            &long_segment,
            &long,
        ] {
            assert_eq!(text.parse::<BlobKey>(), Err(BlobKeyError), "{text:?}");
        }
    }

    #[test]
    fn a_key_of_a_service_is_below_its_name() {
        let key: BlobKey = "a/b".parse().unwrap();
        let within = key.within("shop").unwrap();
        assert_eq!(within.as_str(), "shop/a/b");
        assert_eq!(within.without_first_segment(), Some(key));
        assert_eq!("a".parse::<BlobKey>().unwrap().without_first_segment(), None);
        assert!("a/b".parse::<BlobKey>().unwrap().within("..").is_err());
    }
}
