//! Single values: each is normalized, or the sentence describes valid values.

use std::ops::RangeInclusive;

use monotable::model::key::{KeyError, check_identifier};
use monotable::model::time::{Date, Timestamp};
use serde_json::Number;

/// What is wrong, to be read after the name of the field.
type Settled = Result<(), String>;

/// Texts that may have more characters than this may have several lines.
pub(crate) const LINE_LENGTH_MAX: usize = 200;

/// Integers up to here are exact as floating-point numbers.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

pub(super) fn text(text: &mut String, length: &RangeInclusive<usize>) -> Settled {
    let is_long = *length.end() > LINE_LENGTH_MAX;
    if text.chars().any(|character| character.is_control() && !(is_long && character == '\n')) {
        return Err(if is_long {
            "may have no control characters but line feeds".to_owned()
        } else {
            "may have no control characters".to_owned()
        });
    }
    let trimmed = text.trim();
    if trimmed.len() != text.len() {
        *text = trimmed.to_owned();
    }
    // The number of bytes decides for nearly every text: there are never more characters than
    // bytes.
    if text.len() <= *length.end() && *length.start() <= 1 {
        return if text.len() < *length.start() {
            Err("must not be empty".to_owned())
        } else {
            Ok(())
        };
    }
    match text.chars().count() {
        0 if *length.start() > 0 => Err("must not be empty".to_owned()),
        count if length.contains(&count) => Ok(()),
        _ => Err(format!("must have {} characters", length_in_words(length))),
    }
}

/// Returns whether a text is an identifier.
pub(crate) fn id(text: &str) -> Settled {
    check_identifier(text).map_err(|error| match error {
        KeyError::Empty => "must not be empty".to_owned(),
        _ => "must be 1 to 128 letters, digits and ._~@+:-".to_owned(),
    })
}

pub(super) fn instant(text: &mut String) -> Settled {
    match read_instant(text.trim()) {
        Some(instant) => {
            *text = instant.to_string();
            Ok(())
        }
        None => Err("must be an instant such as 2026-01-31T09:30:00Z".to_owned()),
    }
}

/// Parses an instant of RFC 3339, whose seconds may have any number of digits.
fn read_instant(text: &str) -> Option<Timestamp> {
    const DIGITS_MAX: usize = 9;
    if let Ok(instant) = text.parse() {
        return Some(instant);
    }
    let (seconds, rest) = text.split_once('.')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let finer = digits.checked_sub(DIGITS_MAX).filter(|finer| *finer > 0)?;
    let (kept, offset) = (&rest[..digits - finer], &rest[digits..]);
    format!("{seconds}.{kept}{offset}").parse().ok()
}

pub(super) fn day(text: &mut String) -> Settled {
    match text.trim().parse::<Date>() {
        Ok(day) => {
            *text = day.to_string();
            Ok(())
        }
        Err(_) => Err("must be a day such as 2026-01-31".to_owned()),
    }
}

pub(super) fn word(text: &mut String, words: &[&str]) -> Settled {
    let said = text.trim();
    match words.iter().find(|word| word.eq_ignore_ascii_case(said)) {
        Some(word) if word == text => Ok(()),
        Some(word) => {
            *text = (*word).to_owned();
            Ok(())
        }
        None => Err(format!("must be one of {}", words.join(", "))),
    }
}

pub(super) fn integer(number: &mut Number, range: &RangeInclusive<i64>) -> Settled {
    let whole = match number.as_i64() {
        Some(whole) => whole,
        // 5.0 is the integer 5, as in JSON Schema.
        None => match number.as_f64() {
            Some(float) if float.fract() == 0.0 && float.abs() <= EXACT_MAX => float as i64,
            Some(float) if float.fract() == 0.0 => return Err(outside(range)),
            _ => return Err("must be a whole number".to_owned()),
        },
    };
    if !range.contains(&whole) {
        return Err(outside(range));
    }
    *number = whole.into();
    Ok(())
}

pub(super) fn number(number: &Number, range: &RangeInclusive<f64>) -> Settled {
    match number.as_f64() {
        Some(float) if range.contains(&float) => Ok(()),
        _ => Err(format!("must be from {} to {}", range.start(), range.end())),
    }
}

pub(super) fn list_length(count: usize, length: &RangeInclusive<usize>) -> Settled {
    if length.contains(&count) {
        Ok(())
    } else {
        Err(format!("must have {} elements", length_in_words(length)))
    }
}

fn outside(range: &RangeInclusive<i64>) -> String {
    format!("must be {}", range_in_words(range))
}

/// Describes a range.
pub(super) fn range_in_words(range: &RangeInclusive<i64>) -> String {
    match (*range.start(), *range.end()) {
        (start, i64::MAX) => format!("at least {start}"),
        (i64::MIN, end) => format!("at most {end}"),
        (start, end) => format!("from {start} to {end}"),
    }
}

/// Describes a length.
pub(super) fn length_in_words(length: &RangeInclusive<usize>) -> String {
    match (*length.start(), *length.end()) {
        (start, end) if start == end => format!("exactly {start}"),
        (start, usize::MAX) => format!("at least {start}"),
        (0, end) => format!("at most {end}"),
        (start, end) => format!("{start} to {end}"),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(length: RangeInclusive<usize>, texts: &[&str], expected: Expect) {
        let messages = texts.iter().map(|sent| {
            let mut kept = (*sent).to_owned();
            match text(&mut kept, &length) {
                Ok(()) => format!("{sent:?} -> {kept:?}\n"),
                Err(why) => format!("{sent:?} {why}\n"),
            }
        });
        expected.assert_eq(&messages.collect::<String>());
    }

    #[test]
    fn a_line_has_no_control_characters() {
        let texts =
            [" a\u{200d}b\u{2028}", "a\nb", "a\n", "a\tb", "\0", "a\u{1b}[31m", "\u{7f}", "\u{85}"];
        check(
            0..=200,
            &texts,
            expect![[r#"
            " a\u{200d}b\u{2028}" -> "a\u{200d}b"
            "a\nb" may have no control characters
            "a\n" may have no control characters
            "a\tb" may have no control characters
            "\0" may have no control characters
            "a\u{1b}[31m" may have no control characters
            "\u{7f}" may have no control characters
            "\u{85}" may have no control characters
        "#]],
        );
    }

    #[test]
    fn a_long_text_has_lines_and_no_other_control_characters() {
        let texts = ["\n a\n\nb \n", "\n", "a\r\nb", "a\tb", "a\u{85}"];
        check(
            1..=201,
            &texts,
            expect![[r#"
            "\n a\n\nb \n" -> "a\n\nb"
            "\n" must not be empty
            "a\r\nb" may have no control characters but line feeds
            "a\tb" may have no control characters but line feeds
            "a\u{85}" may have no control characters but line feeds
        "#]],
        );
    }
}
