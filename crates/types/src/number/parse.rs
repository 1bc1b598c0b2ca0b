//! Reads the text of a number: `[+-] digits [. digits] [(e|E) [+-] digits]`.

use std::str::FromStr;

use super::{Number, NumberError};
use crate::limits::NUMBER_DIGITS_MAX;

/// Exponents are cut here, far outside the range of numbers, so that no text can overflow.
const EXPONENT_CUT: i64 = 1 << 40;

impl FromStr for Number {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        if text.is_empty() {
            return Err(NumberError::Empty);
        }
        let malformed = || NumberError::Malformed(text.to_owned());
        let (negative, rest) = sign(text.as_bytes());
        let mut digits = Digits::default();
        let rest = digits.integer(rest);
        let rest = match rest {
            [b'.', fraction @ ..] => digits.fraction(fraction),
            _ => rest,
        };
        if digits.read == 0 {
            return Err(malformed());
        }
        let exponent = match rest {
            [] => 0,
            [b'e' | b'E', exponent @ ..] => read_exponent(exponent).ok_or_else(malformed)?,
            _ => return Err(malformed()),
        };
        digits.number(negative, exponent)
    }
}

/// Takes an optional sign off the front: whether it is a minus, and the rest.
fn sign(bytes: &[u8]) -> (bool, &[u8]) {
    match bytes {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, bytes),
    }
}

fn read_exponent(bytes: &[u8]) -> Option<i64> {
    let (negative, digits) = sign(bytes);
    if digits.is_empty() {
        return None;
    }
    let mut magnitude: i64 = 0;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        magnitude = (magnitude * 10 + i64::from(digit)).min(EXPONENT_CUT);
    }
    Some(if negative { -magnitude } else { magnitude })
}

/// The digits of the number read so far. Zeros wait in `zeros` until a digit follows them, so that
/// leading and trailing zeros cost nothing.
#[derive(Default)]
struct Digits {
    coefficient: u128,
    significant: i64,
    zeros: i64,
    /// How many digits were read, zeros included.
    read: i64,
    /// How many of them stood behind the point.
    fraction: i64,
    too_many: bool,
}

impl Digits {
    fn integer<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let mut rest = bytes;
        while let [byte @ b'0'..=b'9', after @ ..] = rest {
            self.push(byte - b'0');
            rest = after;
        }
        rest
    }

    fn fraction<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let before = self.read;
        let rest = self.integer(bytes);
        self.fraction = self.read - before;
        rest
    }

    fn push(&mut self, digit: u8) {
        self.read += 1;
        if digit == 0 {
            if self.significant > 0 {
                self.zeros += 1;
            }
            return;
        }
        self.significant += self.zeros + 1;
        if self.significant > i64::from(NUMBER_DIGITS_MAX) {
            self.too_many = true;
            self.zeros = 0;
            return;
        }
        // At most 37 zeros here, since the significant digits are at most 38.
        let scale = 10_u128.pow(self.zeros as u32 + 1);
        self.coefficient = self.coefficient * scale + u128::from(digit);
        self.zeros = 0;
    }

    fn number(&self, negative: bool, exponent: i64) -> Result<Number, NumberError> {
        if self.too_many {
            return Err(NumberError::TooManyDigits);
        }
        let exponent = exponent + self.zeros - self.fraction;
        // Far inside `i32`, far outside the range of numbers.
        let exponent = exponent.clamp(-1_000_000, 1_000_000) as i32;
        Number::normalised(negative, self.coefficient, exponent)
    }
}
