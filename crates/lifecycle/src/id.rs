//! Identifiers of backups, exports and imports, and the ARNs that end with them.

use std::sync::atomic::{AtomicU64, Ordering};

use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128_with_seed};

/// The kind of resource in an ARN behind the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Backup,
    Export,
    Import,
    BulkOperation,
}

impl Kind {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Backup => "backup",
            Self::Export => "export",
            Self::Import => "import",
            Self::BulkOperation => "bulk-operation",
        }
    }
}

/// Creates unique identifiers.
#[derive(Debug, Default)]
pub(crate) struct Ids(AtomicU64);

impl Ids {
    /// Returns an identifier in AWS's form: the time in 14 digits, and 8 hexadecimal digits.
    pub(crate) fn next(&self, now_ms: u64, subject: &str) -> String {
        let count = self.0.fetch_add(1, Ordering::Relaxed);
        let bits = xxh3_64_with_seed(subject.as_bytes(), now_ms.rotate_left(20) ^ count);
        format!("{now_ms:014}-{:08x}", bits as u32)
    }
}

/// Returns `<table ARN>/<kind>/<id>`.
pub(crate) fn arn(table_arn: &str, kind: Kind, id: &str) -> String {
    format!("{table_arn}/{}/{id}", kind.word())
}

/// Splits an ARN of this kind into the table's ARN and the identifier.
pub(crate) fn parse_arn(arn: &str, kind: Kind) -> Option<(&str, &str)> {
    let (rest, id) = arn.rsplit_once('/')?;
    let table_arn = rest.strip_suffix(kind.word())?.strip_suffix('/')?;
    let is_id = id.len() == 23
        && id.bytes().enumerate().all(|(at, byte)| match at {
            14 => byte == b'-',
            _ => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
        });
    is_id.then_some((table_arn, id))
}

/// Returns 26 characters of base 32, as AWS names the files of exports.
pub(crate) fn file_stem(id: &str, number: u32) -> String {
    const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let bits = xxh3_128_with_seed(id.as_bytes(), u64::from(number));
    (0..26)
        .map(|at| char::from(ALPHABET[(bits >> (125_u32.saturating_sub(5 * at))) as usize & 31]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "arn:aws:dynamodb:us-east-1:123456789012:table/league";

    #[test]
    fn arns_of_each_kind_are_read_back_and_others_are_not() {
        let id = Ids::default().next(1_791_500_851_275, "league");
        assert_eq!(&id[..15], "01791500851275-");
        for kind in [Kind::Backup, Kind::Export, Kind::Import, Kind::BulkOperation] {
            let arn = arn(TABLE, kind, &id);
            assert_eq!(parse_arn(&arn, kind), Some((TABLE, id.as_str())));
            let other = if kind == Kind::Backup { Kind::Export } else { Kind::Backup };
            assert_eq!(parse_arn(&arn, other), None);
        }
        for bad in ["../..", "01791500851275-../../etc", "x", ""] {
            assert_eq!(parse_arn(&format!("{TABLE}/backup/{bad}"), Kind::Backup), None, "{bad}");
        }
    }

    #[test]
    fn identifiers_and_file_names_differ() {
        let ids = Ids::default();
        let made: std::collections::BTreeSet<String> =
            (0..1000).map(|_| ids.next(7, "league")).collect();
        assert_eq!(made.len(), 1000);
        let stems: std::collections::BTreeSet<String> =
            (0..1000).map(|number| file_stem("id", number)).collect();
        assert_eq!(stems.len(), 1000);
        assert!(stems.iter().all(|stem| stem.len() == 26));
    }
}
