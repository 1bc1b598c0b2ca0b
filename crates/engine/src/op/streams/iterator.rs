//! Shard iterators: opaque text with the position to continue at, valid for 15 minutes.
//!
//! `<stream ARN>|1|<hex of table number, sequence number, time of issue>`. The table number
//! distinguishes a stream from one of the same name in a table that was deleted and recreated.

use crate::error::{Error, Result};
use crate::layout::row_key::TableId;
use crate::table::iso_text;

/// The version of the text.
const VERSION: &str = "1";
/// How long an iterator is valid.
const VALID_MS: u64 = 15 * 60 * 1000;
const TABLE_DIGITS: usize = 8;
const NUMBER_DIGITS: usize = 16;

/// The content of an iterator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShardIterator {
    pub(super) stream_arn: String,
    pub(super) table: TableId,
    /// The first record to read.
    pub(super) sequence: u64,
    pub(super) issued_ms: u64,
}

impl ShardIterator {
    pub(super) fn to_text(&self) -> String {
        let Self { stream_arn, table, sequence, issued_ms } = self;
        format!("{stream_arn}|{VERSION}|{table:08x}{sequence:016x}{issued_ms:016x}")
    }

    /// Parses an iterator; anything other than the output of [`to_text`](Self::to_text) is refused.
    pub(super) fn parse(text: &str) -> Result<Self> {
        Self::parse_parts(text).ok_or_else(|| Error::validation("Invalid ShardIterator"))
    }

    fn parse_parts(text: &str) -> Option<Self> {
        let (rest, numbers) = text.rsplit_once('|')?;
        let (stream_arn, version) = rest.rsplit_once('|')?;
        let lower_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let well_formed = version == VERSION
            && numbers.len() == TABLE_DIGITS + 2 * NUMBER_DIGITS
            && numbers.bytes().all(lower_hex);
        if !well_formed {
            return None;
        }
        let (table, numbers) = numbers.split_at(TABLE_DIGITS);
        let (sequence, issued_ms) = numbers.split_at(NUMBER_DIGITS);
        Some(Self {
            stream_arn: stream_arn.to_owned(),
            table: TableId::from_str_radix(table, 16).ok()?,
            sequence: u64::from_str_radix(sequence, 16).ok()?,
            issued_ms: u64::from_str_radix(issued_ms, 16).ok()?,
        })
    }

    /// Refuses an iterator that was issued too long ago.
    pub(super) fn check_age(&self, now_ms: u64) -> Result<()> {
        if now_ms.saturating_sub(self.issued_ms) > VALID_MS {
            Err(Error::ExpiredIterator(format!(
                "The iterator was created at time {} while right now it is {} which is further in \
                 the future than the tolerated delay of {VALID_MS} milliseconds.",
                iso_text(self.issued_ms),
                iso_text(now_ms)
            )))
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iterator() -> ShardIterator {
        ShardIterator {
            stream_arn: "arn:aws:dynamodb:us-east-1:123456789012:table/teams/stream/x".to_owned(),
            table: 7,
            sequence: 4711,
            issued_ms: 1_791_500_851_275,
        }
    }

    #[test]
    fn an_iterator_reads_back() {
        assert_eq!(ShardIterator::parse(&iterator().to_text()), Ok(iterator()));
    }

    #[test]
    fn hostile_text_is_refused() {
        let text = iterator().to_text();
        let mut hostile: Vec<String> = ["", "|", "||", "a|1|", "a|1|é"].map(String::from).to_vec();
        hostile.push(text.replace("|1|", "|2|"));
        hostile.push(format!("{text}0"));
        hostile.push(text[..text.len() - 1].to_owned());
        hostile.push(format!("{}+", &text[..text.len() - 1]));
        hostile.push(format!("{}é", &text[..text.len() - 2]));
        hostile.push(text.replace("00000007", "é000007"));
        for text in hostile {
            let message = ShardIterator::parse(&text).unwrap_err().to_string();
            assert_eq!(message, "Invalid ShardIterator", "{text}");
        }
    }

    #[test]
    fn an_iterator_is_valid_for_15_minutes() {
        let iterator = iterator();
        assert_eq!(iterator.check_age(iterator.issued_ms + VALID_MS), Ok(()));
        assert_eq!(iterator.check_age(0), Ok(()));
        let error = iterator.check_age(iterator.issued_ms + VALID_MS + 1).unwrap_err();
        assert_eq!(error.code(), "ExpiredIteratorException");
    }
}
