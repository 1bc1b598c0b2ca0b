//! Logs of matches by their keys: in one partition, or spread over several and read as one.

use monotable::model::rows::{Records, RuleOperation};
use monotable_kit::Problem;
use serde::de::DeserializeOwned;

use super::{Key, Kv};
use crate::table::MatchId;

/// The greatest number of six digits.
const SEQ_MAX: u32 = 999_999;

/// Events of a log in the order of their numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct EventPage<E> {
    /// The events.
    pub entries: Vec<LogEntry<E>>,
    /// Whether there are more after them.
    pub has_more: bool,
    /// The numbers of events among them that can't be read.
    pub unreadable: Vec<u32>,
}

/// An event of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry<E> {
    /// Its number.
    pub seq: u32,
    /// The event.
    pub event: E,
}

impl Kv {
    /// Returns the events of a match after a number, or from the first, up to a limit. A log that
    /// is spread over partitions is merged by number; other rows of the partition are ignored.
    ///
    /// # Errors
    ///
    /// Returns the errors of the table.
    pub async fn events<E>(
        &self,
        match_id: &MatchId,
        shards: u32,
        after: Option<u32>,
        limit: u32,
    ) -> Result<EventPage<E>, Problem>
    where
        E: DeserializeOwned + Send,
    {
        let mut page = EventPage { entries: Vec::new(), has_more: false, unreadable: Vec::new() };
        let first = after.map_or(0, |after| after.saturating_add(1));
        if first > SEQ_MAX {
            return Ok(page);
        }
        // After this number, some partition has not been read completely.
        let mut complete = SEQ_MAX;
        for records in log_records(match_id, shards, first) {
            let records = self.query(records.limit(limit)).await?;
            if let Some(next) = records.next {
                page.has_more = true;
                complete = complete.min(seq(&next).unwrap_or(SEQ_MAX));
            }
            page.unreadable.extend(records.unreadable.iter().filter_map(|row| seq(&row.sort)));
            page.entries.extend(records.entries.into_iter().filter_map(|entry| {
                Some(LogEntry { seq: seq(&entry.sort)?, event: entry.stored.value })
            }));
        }
        page.entries.retain(|entry| entry.seq <= complete);
        page.entries.sort_by_key(|entry| entry.seq);
        let limit = limit as usize;
        page.has_more |= page.entries.len() > limit;
        page.entries.truncate(limit);
        let last = if page.has_more {
            page.entries.last().map_or(complete, |entry| entry.seq)
        } else {
            SEQ_MAX
        };
        page.unreadable.retain(|seq| *seq <= last);
        page.unreadable.sort_unstable();
        Ok(page)
    }
}

/// Returns the queries for the rows of a log from a number on, one for each of its partitions.
pub(crate) fn log_records<E>(
    match_id: &MatchId,
    shards: u32,
    first: u32,
) -> Vec<RuleOperation<Key, Records<E>>> {
    let partitions = match shards {
        0 => vec![format!("match#{match_id}")],
        shards => (0..shards).map(|shard| format!("match#{match_id}#shard{shard}")).collect(),
    };
    let sort = |seq: u32| format!("log#{seq:06}");
    let records = |pk: &String| Key::records(pk).between(sort(first), sort(SEQ_MAX));
    partitions.iter().map(records).collect()
}

/// Returns the number in the sort key of an event.
pub(crate) fn seq(sort: &str) -> Option<u32> {
    let digits = sort.strip_prefix("log#")?;
    let is_number = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}
