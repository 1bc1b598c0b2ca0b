//! Times on the command line, with a unit.

use std::time::Duration;

/// Reads a time such as `200ms` or `2s`.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let unit = || format!("{text:?} is not a time; write a whole number and a unit: 200ms or 2s");
    let (digits, milliseconds) = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(digits), _) => (digits, 1),
        (None, Some(digits)) => (digits, 1_000),
        (None, None) => return Err(unit()),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(unit());
    }
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(milliseconds));
    Ok(Duration::from_millis(number.ok_or_else(|| format!("{text} is too long"))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit() {
        assert_eq!(parse("200ms"), Ok(Duration::from_millis(200)));
        assert_eq!(parse("2s"), Ok(Duration::from_secs(2)));
        for text in ["", "5", "ms", "s", "1.5s", "-1s", "+1s", "5 ms", "5m", "x", "ſ"] {
            assert!(parse(text).unwrap_err().contains("200ms or 2s"), "{text}");
        }
        assert!(parse("99999999999999999999s").unwrap_err().contains("too long"));
        assert!(parse("18446744073709551615s").unwrap_err().contains("too long"));
    }
}
