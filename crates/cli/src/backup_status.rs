//! The state of a server's backups: for `/ready`, `/metrics` and the start page.

use std::time::Duration;

use monotable_lifecycle::{BackupHealth, Lifecycle, Schedule};
use monotable_metrics::{Kind, Page};

use crate::duration;

/// A backup is late when it is older than this multiple of the interval.
const LATE: u32 = 2;

/// The scheduled backups of a server.
pub(crate) struct BackupStatus {
    pub(crate) lifecycle: Lifecycle,
    pub(crate) schedule: Schedule,
}

/// A sentence for operators.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Notice {
    pub(crate) is_good: bool,
    pub(crate) text: String,
}

impl BackupStatus {
    /// Returns the age of the newest backup, and the result of the last drill.
    pub(crate) fn notice(&self) -> Notice {
        match self.lifecycle.backup_health() {
            Ok(health) => notice(&health, &self.schedule, self.lifecycle.database().now_ms()),
            Err(error) => {
                Notice { is_good: false, text: format!("The backups can't be read: {error}.") }
            }
        }
    }

    /// Writes the metrics.
    pub(crate) fn write_metrics(&self, page: &mut Page) {
        let Ok(health) = self.lifecycle.backup_health() else { return };
        let mut gauge =
            |name, help, value: u64| page.metric(name, Kind::Gauge, help).value(&[], value);
        if let Some(newest_ms) = health.newest_ms {
            let help = "The moment of the newest backup of all tables.";
            gauge("monotable_backup_newest_timestamp_seconds", help, newest_ms / 1_000);
        }
        let help = "1 while the newest scheduled backup could not be made.";
        gauge("monotable_backup_failing", help, health.failure.is_some().into());
        if let Some(drill) = health.drill {
            let help = "When the newest backup was last restored and compared.";
            gauge("monotable_drill_timestamp_seconds", help, drill.end_ms / 1_000);
            let help = "1 if everything was right in the last drill.";
            gauge("monotable_drill_passed", help, drill.failure.is_none().into());
            let help = "Items that the last drill restored and compared.";
            gauge("monotable_drill_items", help, drill.items);
        }
    }
}

fn notice(health: &BackupHealth, schedule: &Schedule, now_ms: u64) -> Notice {
    let age = |ms: u64| Duration::from_millis(now_ms.saturating_sub(ms));
    let mut is_good = health.failure.is_none();
    let mut text = match health.newest_ms {
        None => "There is no backup yet".to_owned(),
        Some(newest_ms) => {
            is_good &= age(newest_ms) <= schedule.backup_every * LATE;
            format!("The newest backup is {} old", duration::text(age(newest_ms)))
        }
    };
    if health.failure.is_some() {
        text += ", and the one after it failed: see the log";
    }
    if let Some(drill) = &health.drill {
        is_good &= drill.failure.is_none();
        let result = if drill.failure.is_none() { "passed" } else { "failed" };
        text += &format!("; the last drill {result} {} ago", duration::text(age(drill.end_ms)));
    }
    Notice { is_good, text: text + "." }
}

#[cfg(test)]
mod tests {
    use monotable_lifecycle::Drill;

    use super::*;

    const HOUR_MS: u64 = 3_600_000;

    fn check(health: &BackupHealth, is_good: bool, text: &str) {
        let schedule = Schedule {
            backup_every: Duration::from_millis(24 * HOUR_MS),
            keep: 7,
            drill_every: None,
            history: None,
        };
        let found = notice(health, &schedule, 100 * HOUR_MS);
        assert_eq!(found, Notice { is_good, text: text.to_owned() });
    }

    #[test]
    fn a_notice_is_good_while_backups_are_new_and_drills_pass() {
        check(&BackupHealth::default(), true, "There is no backup yet.");
        let newest =
            |hour: u64| BackupHealth { newest_ms: Some(hour * HOUR_MS), ..BackupHealth::default() };
        check(&newest(90), true, "The newest backup is 10h old.");
        check(&newest(40), false, "The newest backup is 2d old.");
        let failing = BackupHealth { failure: Some("disk full".to_owned()), ..newest(99) };
        check(
            &failing,
            false,
            "The newest backup is 1h old, and the one after it failed: see the log.",
        );
        let drill = |failure: Option<&str>| Drill {
            backup_id: "x".to_owned(),
            backup_ms: 1,
            end_ms: 100 * HOUR_MS - 90_000,
            tables: 1,
            items: 2,
            failure: failure.map(str::to_owned),
        };
        let drilled = |failure| BackupHealth { drill: Some(drill(failure)), ..newest(90) };
        check(&drilled(None), true, "The newest backup is 10h old; the last drill passed 1m ago.");
        check(
            &drilled(Some("x")),
            false,
            "The newest backup is 10h old; the last drill failed 1m ago.",
        );
    }
}
