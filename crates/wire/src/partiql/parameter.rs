//! Reading a parameter. Numbers are read as everywhere, but what AWS says of one that is out of
//! range is what Java's `BigDecimal` makes of it.

use monotable_types::{AttributeValue, Number, NumberError};

use crate::error::Result;
use crate::field::Holder;
use crate::json::{Kind, Reader, Syntax};
use crate::value::{Problem, read_value};

/// One above the power of ten of the largest number's first digit, as Java counts.
const MAGNITUDE_MAX: i32 = 126;
/// The same of the smallest number.
const MAGNITUDE_MIN: i32 = -129;

/// Reads one parameter. In place of a value that is none there is something, and the problem.
pub(super) fn read_parameter(reader: &mut Reader<'_>) -> Result<(AttributeValue, Option<Problem>)> {
    let mut again = reader.clone();
    let (value, problem) = read_value(reader, Holder::Collection)?;
    let is_range = |text: &str| {
        [NumberError::TooLarge, NumberError::TooSmall].iter().any(|error| error.to_string() == text)
    };
    let problem = match problem {
        Some(Problem::Contents(text)) if is_range(&text) => {
            let error = match find_number(&mut again) {
                Err(Stop::At(number)) => java_error(&number),
                Ok(()) | Err(Stop::Syntax) => None,
            };
            Some(Problem::Contents(error.map_or(text, |error| error.to_string())))
        }
        other => other,
    };
    Ok((value, problem))
}

/// Why the search for a number ended.
enum Stop {
    At(String),
    Syntax,
}

impl From<Syntax> for Stop {
    fn from(_: Syntax) -> Self {
        Self::Syntax
    }
}

/// Stops at the first number that is out of range. Whatever is nested too deeply for the stack would
/// have been the problem before the number, so the way to it is short.
fn find_number(reader: &mut Reader<'_>) -> Result<(), Stop> {
    match reader.kind()? {
        Kind::Object => reader.object(|reader, name| match (name.as_ref(), reader.kind()?) {
            ("N", Kind::String) => check_number(reader),
            ("NS", Kind::Array) => reader.array(|reader| match reader.kind()? {
                Kind::String => check_number(reader),
                _ => Ok(reader.skip()?),
            }),
            _ => find_number(reader),
        }),
        Kind::Array => reader.array(find_number),
        _ => Ok(reader.skip()?),
    }
}

fn check_number(reader: &mut Reader<'_>) -> Result<(), Stop> {
    let text = reader.string()?;
    match text.parse::<Number>() {
        Err(NumberError::TooLarge | NumberError::TooSmall) => Err(Stop::At(text.into_owned())),
        _ => Ok(()),
    }
}

/// What AWS says of a number that is out of range.
fn java_error(text: &str) -> Option<NumberError> {
    let malformed = || Some(NumberError::Malformed(text.to_owned()));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let Ok(exponent) = exponent.parse::<i32>() else {
        return malformed();
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let scale = i64::try_from(fraction.len()).ok()? - i64::from(exponent);
    let Ok(scale) = i32::try_from(scale) else {
        return malformed();
    };
    let digits = format!("{}{fraction}", whole.trim_start_matches(['+', '-']));
    let precision = i32::try_from(digits.trim_start_matches('0').len().max(1)).ok()?;
    // The difference wraps around, which turns the very largest numbers into the smallest.
    match precision.wrapping_sub(scale) {
        magnitude if magnitude > MAGNITUDE_MAX => Some(NumberError::TooLarge),
        magnitude if magnitude < MAGNITUDE_MIN => Some(NumberError::TooSmall),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, expected: NumberError) {
        let mut reader = Reader::new(json.as_bytes()).unwrap();
        let (_, problem) = read_parameter(&mut reader).unwrap();
        assert_eq!(problem, Some(Problem::Contents(expected.to_string())), "{json}");
    }

    #[test]
    fn exponents_are_those_of_java() {
        let malformed = |text: &str| NumberError::Malformed(text.to_owned());
        for text in ["1e99999999999", "-1e99999999999", "1e-99999999999", "1e2147483648"] {
            check(&format!(r#"{{"N":"{text}"}}"#), malformed(text));
        }
        check(r#"{"N":"1e-2147483648"}"#, malformed("1e-2147483648"));
        check(r#"{"N":"1e2147483647"}"#, NumberError::TooSmall);
        check(r#"{"N":"1e126"}"#, NumberError::TooLarge);
        check(r#"{"N":"0.01e-129"}"#, NumberError::TooSmall);
        check(r#"{"N":""}"#, NumberError::Empty);
    }

    #[test]
    fn the_number_is_found_wherever_it_is() {
        let far = "1e99999999999";
        for json in [
            format!(r#"{{"L":[{{"N":"1"}},{{"N":"{far}"}}]}}"#),
            format!(r#"{{"M":{{"N":{{"S":"x"}},"x":{{"N":"{far}"}}}}}}"#),
            format!(r#"{{"NS":["1","{far}"]}}"#),
        ] {
            check(&json, NumberError::Malformed(far.to_owned()));
        }
    }
}
