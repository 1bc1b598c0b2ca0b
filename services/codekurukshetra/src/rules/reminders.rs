//! Reminders before the event.

use std::time::Duration;

use monotable::model::time::Timestamp;

const HOUR: Duration = Duration::from_secs(60 * 60);

/// A reminder, one for each participant and kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reminder {
    /// 48 hours before the event.
    TwoDays,
    /// 24 hours before the event.
    OneDay,
    /// 2 hours before the event.
    TwoHours,
}

impl Reminder {
    /// All of them, the earliest first.
    pub const ALL: [Self; 3] = [Self::TwoDays, Self::OneDay, Self::TwoHours];

    /// Returns how many hours before the event it is sent.
    pub fn hours(self) -> u32 {
        match self {
            Self::TwoDays => 48,
            Self::OneDay => 24,
            Self::TwoHours => 2,
        }
    }

    /// Returns when it is sent.
    pub fn due_at(self, event_start: Timestamp) -> Timestamp {
        event_start - HOUR * self.hours()
    }

    /// Returns the reminder that is due; of those that were missed only the latest one is sent.
    pub fn due(event_start: Timestamp, now: Timestamp) -> Option<Self> {
        let is_due = |it: &Self| it.due_at(event_start) <= now;
        Self::ALL.into_iter().rev().find(is_due).filter(|_| now < event_start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_reminder_before_the_event_is_due() {
        let start: Timestamp = "2025-09-20T10:00:00Z".parse().unwrap();
        for (now, due) in [
            ("2025-09-18T09:59:59.999Z", None),
            ("2025-09-18T10:00:00Z", Some(Reminder::TwoDays)),
            ("2025-09-19T09:59:59Z", Some(Reminder::TwoDays)),
            ("2025-09-19T10:00:00Z", Some(Reminder::OneDay)),
            ("2025-09-20T08:00:00Z", Some(Reminder::TwoHours)),
            ("2025-09-20T09:59:59.999Z", Some(Reminder::TwoHours)),
            ("2025-09-20T10:00:00Z", None),
        ] {
            assert_eq!(Reminder::due(start, now.parse().unwrap()), due, "{now}");
        }
    }
}
