//! Times on the command line, with a unit.

use std::time::Duration;

/// The units, in milliseconds; those that end like another one come first.
const UNITS: [(&str, u64); 5] =
    [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

/// Reads a time such as `200ms`, `2s` or `24h`.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let unit = || {
        format!(
            "{text:?} is not a time; write a whole number and a unit (ms, s, m, h, d): 200ms or 2s"
        )
    };
    let found = UNITS.iter().find_map(|(name, ms)| Some((text.strip_suffix(name)?, ms)));
    let (digits, milliseconds) = found.ok_or_else(unit)?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(unit());
    }
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(*milliseconds));
    Ok(Duration::from_millis(number.ok_or_else(|| format!("{text} is too long"))?))
}

/// Writes a time with its largest unit that is not zero.
pub(crate) fn text(time: Duration) -> String {
    let (unit, milliseconds) = match time.as_secs() {
        0..60 => ("s", 1_000),
        60..3_600 => ("m", 60_000),
        3_600..86_400 => ("h", 3_600_000),
        _ => ("d", 86_400_000),
    };
    format!("{}{unit}", time.as_millis() / milliseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_with_their_largest_unit() {
        for (seconds, expected) in
            [(0, "0s"), (59, "59s"), (60, "1m"), (7_199, "1h"), (86_400, "1d"), (600_000, "6d")]
        {
            assert_eq!(text(Duration::from_secs(seconds)), expected);
        }
    }

    #[test]
    fn times_have_a_unit() {
        assert_eq!(parse("200ms"), Ok(Duration::from_millis(200)));
        assert_eq!(parse("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(parse("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(parse("24h"), parse("1d"));
        for text in ["", "5", "ms", "s", "1.5s", "-1s", "+1s", "5 ms", "5w", "x", "ſ"] {
            assert!(parse(text).unwrap_err().contains("200ms or 2s"), "{text}");
        }
        assert!(parse("99999999999999999999s").unwrap_err().contains("too long"));
        assert!(parse("18446744073709551615s").unwrap_err().contains("too long"));
    }
}
