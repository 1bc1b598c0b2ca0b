//! What organisers read afterwards: how levels and teams did.

use std::collections::BTreeMap;

use crate::table::{Level, LevelId, Team, TeamLevel};

/// How a level did.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelReport {
    /// Teams that have arrived.
    pub arrivals: usize,
    /// Teams that have cleared it.
    pub cleared: usize,
    /// The median of the milliseconds that teams needed.
    pub median_ms: Option<u64>,
    /// The part of the teams that have arrived that was given a clue or the map.
    pub hint_rate: f64,
}

/// Returns how long a team was at a level, if it has cleared it. Pauses do not count, as far as the rows know them.
pub fn split_ms(level: &TeamLevel, before: Option<&TeamLevel>) -> Option<u64> {
    match (level.elapsed_ms, before.and_then(|before| before.elapsed_ms)) {
        (Some(end), Some(start)) => Some(end.saturating_sub(start)),
        (Some(end), None) if before.is_none() => Some(end),
        _ => {
            let (start, end) = (level.started_at?, level.completed_at?);
            u64::try_from(end.as_ms() - start.as_ms()).ok()
        }
    }
}

/// Returns the value in the middle of a sorted list; between two values, their mean.
fn median(sorted: &[u64]) -> Option<u64> {
    let (one, other) =
        (sorted.get(sorted.len().checked_sub(1)? / 2)?, sorted.get(sorted.len() / 2)?);
    Some(u64::midpoint(*one, *other))
}

/// Returns how the levels did, by the routes of all teams, each in its order.
pub fn levels(levels: &[Level], routes: &[(Team, Vec<TeamLevel>)]) -> Vec<(LevelId, LevelReport)> {
    let mut by_level: BTreeMap<&LevelId, Vec<(&TeamLevel, Option<u64>)>> = BTreeMap::new();
    for (_, route) in routes {
        let mut before = None;
        for level in route {
            let split = split_ms(level, before).filter(|_| level.skipped != Some(true));
            by_level.entry(&level.level_id).or_default().push((level, split));
            before = Some(level);
        }
    }
    let report = |level: &Level| {
        let walked = by_level.get(&level.id).map_or(&[][..], Vec::as_slice);
        let arrived = walked.iter().filter(|(row, _)| row.started_at.is_some()).count();
        let hinted = walked.iter().filter(|(row, _)| row.hints_used > 0 || row.map_at.is_some());
        let mut splits: Vec<u64> = walked.iter().filter_map(|(_, split)| *split).collect();
        splits.sort_unstable();
        let report = LevelReport {
            arrivals: arrived,
            cleared: walked.iter().filter(|(row, _)| row.completed_at.is_some()).count(),
            median_ms: median(&splits),
            hint_rate: if arrived == 0 { 0.0 } else { hinted.count() as f64 / arrived as f64 },
        };
        (level.id.clone(), report)
    };
    levels.iter().map(report).collect()
}
