//! The clock of a third: how the time since its start is shown.

use std::time::Duration;

use monotable_kit::View;

/// The latest minute that a goal can have.
pub const MINUTE_MAX: u16 = 180;

/// Returns the minute of a third that so much time after its start is in, from 0.
pub fn minute(elapsed: Duration) -> u16 {
    u16::try_from(elapsed.as_secs() / 60).unwrap_or(u16::MAX)
}

/// A minute of a third, as people read it.
#[derive(Clone, Debug, Default, PartialEq, Eq, View)]
pub struct ShownTime {
    /// The minute of the third, from 1; at most its length.
    #[view(example = 20)]
    pub third_minute: u8,
    /// The minute of stoppage time, from 1; 0 before it.
    #[view(example = 1)]
    pub stoppage_minute: u16,
    /// Both together.
    #[view(example = "20+1'")]
    pub display_time: String,
}

impl ShownTime {
    /// Shows a minute of a third with this length.
    pub fn of(game_minute: u16, third_length: u8) -> Self {
        let minute = game_minute.saturating_add(1);
        let stoppage_minute = minute.saturating_sub(third_length.into());
        let third_minute = u8::try_from(minute).unwrap_or(u8::MAX).min(third_length);
        let display_time = match stoppage_minute {
            0 => format!("{third_minute}'"),
            _ => format!("{third_minute}+{stoppage_minute}'"),
        };
        Self { third_minute, stoppage_minute, display_time }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(seconds: u64, expected: &str) {
        let shown = ShownTime::of(minute(Duration::from_secs(seconds)), 20);
        assert_eq!(shown.display_time, expected, "after {seconds} s");
    }

    #[test]
    fn stoppage_time_begins_when_the_length_of_the_third_is_over() {
        check(0, "1'");
        check(59, "1'");
        check(60, "2'");
        check(20 * 60 - 1, "20'");
        check(20 * 60, "20+1'");
        check(20 * 60 + 59, "20+1'");
        check(20 * 60 + 60, "20+2'");
    }

    #[test]
    fn the_parts_add_up() {
        for (game_minute, third_length) in [(0, 20), (19, 20), (20, 20), (64, 25), (180, 30)] {
            let shown = ShownTime::of(game_minute, third_length);
            assert_eq!(u16::from(shown.third_minute) + shown.stoppage_minute, game_minute + 1);
            assert!(shown.third_minute <= third_length);
        }
    }
}
