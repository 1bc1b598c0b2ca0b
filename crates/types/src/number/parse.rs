//! Reads the text of a number: `[+-] digits [. digits] [(e|E) [+-] digits]`.
//!
//! AWS accepts and refuses these texts, as github.com/nubo-db/dynamodb-conformance and dynoxide's issue 109
//! record it: `+5`, `.5`, `5.`, `0001.23`, `1e+5` and `0e125` are numbers; whitespace, `NaN`,
//! `Infinity`, `1e`, `.`, the empty text and exponents of more than 64 bits are not; `0e126` is out
//! of range although it is zero. Leading and trailing zeros do not count as significant digits.
//!
//! Everything here is `const`, so that [`number!`](crate::number) reads its text at compile time.

use std::str::FromStr;

use super::convert::from_integer;
use super::{Fault, Number, NumberError};
use crate::limits::NUMBER_DIGITS_MAX;

/// Exponents are cut off here: far beyond the range of numbers and the length of any text, and
/// small enough that sums of a few of them cannot overflow.
const EXPONENT_CUT: u64 = 1 << 40;
/// AWS does not accept an exponent that does not fit into 64 bits. This many digits always fit into
/// an unsigned number, but may be too large for a signed one.
const EXPONENT_DIGITS_MAX: usize = 19;

impl FromStr for Number {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        parse(text.as_bytes()).map_err(|fault| fault.error(text))
    }
}

impl Number {
    /// Parses the argument of [`number!`](crate::number) in a `const` block, where text that is not
    /// a number does not compile.
    #[doc(hidden)]
    #[expect(clippy::panic, reason = "the panic is the compiler's error message")]
    pub const fn from_literal(text: &str) -> Self {
        match parse(text.as_bytes()) {
            Ok(number) => number,
            Err(_) => panic!("this is not a number that DynamoDB can hold"),
        }
    }
}

const fn parse(text: &[u8]) -> Result<Number, Fault> {
    let (negative, rest) = split_sign(text);
    if let Some(magnitude) = parse_small_integer(rest) {
        return Ok(from_integer(negative, magnitude));
    }
    let mut digits = Digits::NONE;
    let mut rest = digits.read(rest);
    let mut fraction_length = 0;
    if let [b'.', fraction @ ..] = rest {
        rest = digits.read(fraction);
        fraction_length = (fraction.len() - rest.len()) as i64;
    }
    if !digits.any {
        return Err(Fault::Malformed);
    }
    let exponent = match rest {
        [] => 0,
        [b'e' | b'E', exponent @ ..] => match parse_exponent(exponent) {
            Some(exponent) => exponent,
            None => return Err(Fault::Malformed),
        },
        _ => return Err(Fault::Malformed),
    };
    if digits.too_many {
        return Err(Fault::TooManyDigits);
    }
    if digits.coefficient == 0 {
        // AWS checks the exponent before the digits.
        return Number::zero_with_exponent(saturated(exponent));
    }
    let exponent = exponent - fraction_length + digits.zeros_left_out;
    Number::normalised(negative, digits.coefficient, saturated(exponent))
}

/// Parses the most frequent form of numbers: only digits, and few enough for 64 bits.
const fn parse_small_integer(text: &[u8]) -> Option<u64> {
    const LENGTH_MAX: usize = u64::MAX.ilog10() as usize;
    if text.is_empty() || text.len() > LENGTH_MAX {
        return None;
    }
    let mut magnitude = 0;
    let mut rest = text;
    while let [digit @ b'0'..=b'9', after @ ..] = rest {
        magnitude = magnitude * 10 + (*digit - b'0') as u64;
        rest = after;
    }
    if rest.is_empty() { Some(magnitude) } else { None }
}

/// Takes an optional sign off the front: whether it is a minus, and the rest.
const fn split_sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

const fn parse_exponent(text: &[u8]) -> Option<i64> {
    let (negative, mut rest) = split_sign(text);
    if rest.is_empty() {
        return None;
    }
    let mut magnitude: u64 = 0;
    while let [b'0', after @ ..] = rest {
        rest = after;
    }
    if rest.len() > EXPONENT_DIGITS_MAX {
        return None;
    }
    while let [digit @ b'0'..=b'9', after @ ..] = rest {
        magnitude = magnitude * 10 + (*digit - b'0') as u64;
        rest = after;
    }
    if magnitude > i64::MAX.unsigned_abs() + negative as u64 {
        return None;
    }
    let magnitude = if magnitude > EXPONENT_CUT { EXPONENT_CUT } else { magnitude } as i64;
    match rest {
        [] if negative => Some(-magnitude),
        [] => Some(magnitude),
        _ => None,
    }
}

/// Returns the nearest `i32`. Exponents that this changes are out of the range of numbers before
/// and after.
const fn saturated(exponent: i64) -> i32 {
    const LIMIT: i64 = 1_000_000;
    if exponent > LIMIT {
        LIMIT as i32
    } else if exponent < -LIMIT {
        -LIMIT as i32
    } else {
        exponent as i32
    }
}

/// The digits read so far, on both sides of the point.
struct Digits {
    /// The first 38 digits from the first that is not zero.
    coefficient: u128,
    /// How many digits that is.
    length: u32,
    /// How many zeros followed them.
    zeros_left_out: i64,
    /// Whether another digit followed them.
    too_many: bool,
    /// Whether there was any digit, zeros included.
    any: bool,
}

impl Digits {
    const NONE: Self =
        Self { coefficient: 0, length: 0, zeros_left_out: 0, too_many: false, any: false };

    /// Reads digits off the front of the text and returns the rest.
    const fn read<'text>(&mut self, text: &'text [u8]) -> &'text [u8] {
        let mut rest = text;
        while let [digit @ b'0'..=b'9', after @ ..] = rest {
            self.any = true;
            self.push(*digit - b'0');
            rest = after;
        }
        rest
    }

    const fn push(&mut self, digit: u8) {
        if self.length == NUMBER_DIGITS_MAX {
            self.zeros_left_out += 1;
            self.too_many |= digit != 0;
        } else if digit != 0 || self.length != 0 {
            self.coefficient = self.coefficient * 10 + digit as u128;
            self.length += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, printed: Result<&str, &str>) {
        let number = text.parse::<Number>();
        let number = number.map(|number| number.to_string()).map_err(|error| error.to_string());
        assert_eq!(number.as_deref().map_err(String::as_str), printed, "{text}");
    }

    const TOO_LARGE: Result<&str, &str> = Err(
        "Number overflow. Attempting to store a number with magnitude larger than supported range",
    );
    const TOO_SMALL: Result<&str, &str> = Err(
        "Number underflow. Attempting to store a number with magnitude smaller than supported range",
    );
    const TOO_MANY: Result<&str, &str> =
        Err("Attempting to store more than 38 significant digits in a Number");

    #[test]
    fn every_form_of_a_number_reads() {
        check("3", Ok("3"));
        check("-9999999999999999999", Ok("-9999999999999999999"));
        check("99999999999999999999", Ok("99999999999999999999"));
        check("+3", Ok("3"));
        check("-7.1234", Ok("-7.1234"));
        check(".123", Ok("0.123"));
        check("5.", Ok("5"));
        check("0001.2300", Ok("1.23"));
        check("1e2", Ok("100"));
        check("1.5E+3", Ok("1500"));
        check("15e-1", Ok("1.5"));
        check("-17.4E37", Ok("-174000000000000000000000000000000000000"));
    }

    #[test]
    fn zero_is_zero_whatever_its_sign_but_its_exponent_is_in_range() {
        for text in
            ["0", "-0", "+0.000", "0e125", "-0.00e-130", "00000", "0e000000000000000000000001"]
        {
            check(text, Ok("0"));
        }
        check("0e126", TOO_LARGE);
        check("-0e-131", TOO_SMALL);
    }

    #[test]
    fn other_text_is_refused_and_repeated() {
        for text in [
            "NaN",
            "Infinity",
            "-",
            "+",
            ".",
            "e5",
            "1e",
            "1e+",
            "1e1.5",
            "1.2.3",
            "--1",
            "1+2",
            " 1",
            "1 ",
            "1_000",
            "0x10",
            "1,5",
            "١",
            "1e5 ",
            "1e99999999999999999999999",
            "1e-99999999999999999999",
            "1e9223372036854775808",
            "1e-9223372036854775809",
        ] {
            check(
                text,
                Err(&format!("The parameter cannot be converted to a numeric value: {text}")),
            );
        }
        check("", Err("The parameter cannot be converted to a numeric value"));
    }

    #[test]
    fn thirty_eight_digits_are_the_most() {
        let digits = "12345678901234567890123456789012345678";
        check(digits, Ok(digits));
        check(&format!("{digits}9"), TOO_MANY);
        check(&format!("-0.{digits}1"), TOO_MANY);
        check(&format!("1{}1", "0".repeat(37)), TOO_MANY);
        check(&format!("1{}1", "0".repeat(60_000)), TOO_MANY);
    }

    #[test]
    fn zeros_at_the_ends_do_not_count_as_digits() {
        let digits = "12345678901234567890123456789012345678";
        check(&format!("000{digits}000"), Ok(&format!("{digits}000")));
        check(&format!("{digits}.000"), Ok(digits));
        check(&format!("0.000{digits}000"), Ok(&format!("0.000{digits}")));
        check(&format!("{}5", "0".repeat(100_000)), Ok("5"));
        check(&format!("5{}e-100000", "0".repeat(100_000)), Ok("5"));
        check(&format!(".{}5e100001", "0".repeat(100_000)), Ok("5"));
    }

    #[test]
    fn magnitudes_end_where_dynamodb_ends_them() {
        let largest = format!("{}{}", "9".repeat(38), "0".repeat(88));
        check("9.9999999999999999999999999999999999999e125", Ok(&largest));
        check("1e-130", Ok(&format!("0.{}1", "0".repeat(129))));
        for text in ["1e126", "-1e126", "10e125", "1.0e100000000", "1e9223372036854775807"] {
            check(text, TOO_LARGE);
        }
        for text in ["1e-131", "-1e-131", "0.9e-130", "1e-999999999", "1e-9223372036854775808"] {
            check(text, TOO_SMALL);
        }
    }
}
