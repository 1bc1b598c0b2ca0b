//! Times as DynamoDB writes them into stream labels: ISO 8601, UTC, with milliseconds.

const DAY_MS: u64 = 24 * 60 * 60 * 1000;
/// Days of 400 years, after which the calendar repeats.
const ERA_DAYS: u64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const EPOCH_DAYS: u64 = 719_468;

/// `2026-10-08T23:07:31.275`, from milliseconds since the epoch.
pub(crate) fn iso_text(moment_ms: u64) -> String {
    let (year, month, day) = date(moment_ms / DAY_MS);
    let time_ms = moment_ms % DAY_MS;
    let (seconds, milliseconds) = (time_ms / 1000, time_ms % 1000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milliseconds:03}")
}

/// Year, month and day. Counting years from March puts the leap day last, so that the lengths of
/// months follow one formula: five months are 153 days.
fn date(days_since_epoch: u64) -> (u64, u64, u64) {
    let days = days_since_epoch + EPOCH_DAYS;
    let (era, day_of_era) = (days / ERA_DAYS, days % ERA_DAYS);
    let leap_days = day_of_era / 1460 + day_of_era / (ERA_DAYS - 1);
    let year_of_era = (day_of_era - leap_days + day_of_era / 36_524) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_printed_as_dynamodb_prints_them() {
        let moments = [
            (0, "1970-01-01T00:00:00.000"),
            (951_782_400_000, "2000-02-29T00:00:00.000"),
            (951_868_799_999, "2000-02-29T23:59:59.999"),
            (951_868_800_000, "2000-03-01T00:00:00.000"),
            (1_709_164_800_000, "2024-02-29T00:00:00.000"),
            (1_735_689_599_999, "2024-12-31T23:59:59.999"),
            (1_791_500_851_275, "2026-10-08T23:07:31.275"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000"),
        ];
        for (moment_ms, text) in moments {
            assert_eq!(iso_text(moment_ms), text);
        }
    }

    #[test]
    fn dates_follow_each_other_for_a_thousand_years() {
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for days in 0..365_250 {
            assert_eq!(date(days), (year, month, day));
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let month_days = match month {
                2 if leap => 29,
                2 => 28,
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            day += 1;
            if day > month_days {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
    }

    #[test]
    fn a_broken_clock_is_printed_too() {
        assert!(iso_text(u64::MAX).ends_with(".615"));
    }
}
