//! DynamoDB's number: an exact decimal of up to 38 significant digits, never a float.
//!
//! This file owns the representation, its invariant and the size. Parsing, printing, order,
//! arithmetic and conversions are in separate files.

mod arithmetic;
mod convert;
mod format;
mod order;
mod parse;

use crate::limits::NUMBER_DIGITS_MAX;

/// The highest power of ten a leading digit can have: the largest magnitude is 9.99…E+125.
const LEADING_EXPONENT_MAX: i32 = 125;
/// The lowest power of ten a leading digit can have: the smallest magnitude is 1E-130.
const LEADING_EXPONENT_MIN: i32 = -130;
/// The smallest coefficient that has too many digits.
const COEFFICIENT_END: u128 = 10_u128.pow(NUMBER_DIGITS_MAX);
/// No number counts for more than this in the size of an item.
const SIZE_BYTES_MAX: usize = 21;

/// An exact decimal number with DynamoDB's range: up to 38 significant digits, zero or of a magnitude
/// from 1E-130 to 9.9999999999999999999999999999999999999E+125.
///
/// The order is numeric, and numbers of equal value are equal however they were written.
///
/// ```
/// use monotable_types::Number;
///
/// let price: Number = "0012.50".parse()?;
/// assert_eq!(price.to_string(), "12.5");
/// assert_eq!(price.checked_add(Number::from(1))?.to_string(), "13.5");
/// assert!(price < Number::from(13));
/// # Ok::<(), monotable_types::NumberError>(())
/// ```
// The coefficient is two words rather than a `u128`, whose alignment of 16 would make this 32
// bytes and every attribute value 48 instead of 32.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Number {
    coefficient_high: u64,
    coefficient_low: u64,
    exponent: i16,
    negative: bool,
}

/// The exact parts of a number: (-1)^negative × coefficient × 10^exponent.
///
/// As [`Number::parts`] gives them, the coefficient has no trailing zeros, and zero is
/// `{ false, 0, 0 }`, so equal numbers have equal parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NumberParts {
    /// Whether the number is below zero.
    pub negative: bool,
    /// The significant digits as an integer.
    pub coefficient: u128,
    /// The power of ten of the last digit of the coefficient.
    pub exponent: i16,
}

/// The reason why DynamoDB can't hold a number. `Display` is AWS's text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// The text is empty.
    #[error("The parameter cannot be converted to a numeric value")]
    Empty,
    /// The text is not a number.
    #[error("The parameter cannot be converted to a numeric value: {0}")]
    Malformed(
        /// The text.
        String,
    ),
    /// More than 38 significant digits.
    #[error("Attempting to store more than 38 significant digits in a Number")]
    TooManyDigits,
    /// A magnitude above 9.99…E+125.
    #[error(
        "Number overflow. Attempting to store a number with magnitude larger than supported range"
    )]
    TooLarge,
    /// A magnitude below 1E-130, and not zero.
    #[error(
        "Number underflow. Attempting to store a number with magnitude smaller than supported range"
    )]
    TooSmall,
}

/// An error without its text. It owns nothing, so that numbers can be parsed at compile time.
#[derive(Clone, Copy)]
enum Fault {
    Malformed,
    TooManyDigits,
    TooLarge,
    TooSmall,
}

impl Fault {
    fn error(self, text: &str) -> NumberError {
        match self {
            Self::Malformed if text.is_empty() => NumberError::Empty,
            Self::Malformed => NumberError::Malformed(text.to_owned()),
            Self::TooManyDigits => NumberError::TooManyDigits,
            Self::TooLarge => NumberError::TooLarge,
            Self::TooSmall => NumberError::TooSmall,
        }
    }
}

impl Number {
    /// Zero.
    pub const ZERO: Self =
        Self { coefficient_high: 0, coefficient_low: 0, exponent: 0, negative: false };

    /// Returns whether this is zero.
    pub const fn is_zero(&self) -> bool {
        self.coefficient_low == 0 && self.coefficient_high == 0
    }

    /// Returns whether this is below zero.
    pub const fn is_negative(&self) -> bool {
        self.negative
    }

    /// Returns the number of significant digits: 1 for 100, 3 for 0.123, 1 for zero.
    pub const fn significant_digits(&self) -> u32 {
        digits(self.coefficient())
    }

    /// What the number counts for in the size of an item: one byte, one for each pair of digits
    /// that is not all zeros at an end, counted in pairs from the decimal point, and one for a
    /// minus sign; 21 at most. Zero is one byte.
    ///
    /// ```
    /// use monotable_types::number;
    ///
    /// assert_eq!(number!("12").size_bytes(), 2);
    /// assert_eq!(number!("-12").size_bytes(), 3);
    /// assert_eq!(number!("1.2").size_bytes(), 3); // 01 . 20
    /// assert_eq!(number!("1e100").size_bytes(), 2);
    /// ```
    // AWS documents "approximately" a byte per two significant digits and one more. The exact rule
    // is how base-100 digits with an exponent of 100 would be stored. It is what the calculator
    // github.com/zaccharles/dynamodb-calculator found, and it agrees with every literal that
    // github.com/nubo-db/dynoxide/pull/195 measured on AWS by bisecting the 400 KB limit.
    pub const fn size_bytes(&self) -> usize {
        if self.is_zero() {
            return 1;
        }
        let first_pair = self.leading_exponent().div_euclid(2);
        let last_pair = (self.exponent as i32).div_euclid(2);
        let bytes = (first_pair - last_pair + 1) as usize + 1 + self.negative as usize;
        if bytes > SIZE_BYTES_MAX { SIZE_BYTES_MAX } else { bytes }
    }

    /// Returns the exact parts, for codecs.
    ///
    /// ```
    /// use monotable_types::{Number, NumberParts};
    ///
    /// let parts = Number::from(-1200).parts();
    /// assert_eq!(parts, NumberParts { negative: true, coefficient: 12, exponent: 2 });
    /// assert_eq!(Number::from_parts(parts), Ok(Number::from(-1200)));
    /// ```
    pub const fn parts(&self) -> NumberParts {
        NumberParts {
            negative: self.negative,
            coefficient: self.coefficient(),
            exponent: self.exponent,
        }
    }

    /// Returns the number with these parts, which need not be in the form [`parts`](Self::parts) gives.
    ///
    /// # Errors
    /// [`NumberError::TooManyDigits`], [`NumberError::TooLarge`] or [`NumberError::TooSmall`] if
    /// DynamoDB cannot hold the number.
    pub fn from_parts(parts: NumberParts) -> Result<Self, NumberError> {
        Self::normalised(parts.negative, parts.coefficient, parts.exponent.into())
            .map_err(|fault| fault.error(""))
    }

    /// Returns zero, if DynamoDB accepts it with this exponent.
    const fn zero_with_exponent(exponent: i32) -> Result<Self, Fault> {
        if exponent > LEADING_EXPONENT_MAX {
            return Err(Fault::TooLarge);
        }
        if exponent < LEADING_EXPONENT_MIN {
            return Err(Fault::TooSmall);
        }
        Ok(Self::ZERO)
    }

    const fn coefficient(&self) -> u128 {
        (self.coefficient_high as u128) << 64 | self.coefficient_low as u128
    }

    /// Returns the power of ten of the leading digit; meaningless for zero.
    const fn leading_exponent(&self) -> i32 {
        self.exponent as i32 + self.significant_digits() as i32 - 1
    }

    /// Brings a coefficient and exponent into the one form a number has, and checks the range.
    const fn normalised(negative: bool, coefficient: u128, exponent: i32) -> Result<Self, Fault> {
        if coefficient == 0 {
            return Ok(Self::ZERO);
        }
        let (coefficient, zeros) = without_trailing_zeros(coefficient);
        if coefficient >= COEFFICIENT_END {
            return Err(Fault::TooManyDigits);
        }
        let exponent = exponent + zeros;
        let leading_exponent = exponent + digits(coefficient) as i32 - 1;
        if leading_exponent > LEADING_EXPONENT_MAX {
            return Err(Fault::TooLarge);
        }
        if leading_exponent < LEADING_EXPONENT_MIN {
            return Err(Fault::TooSmall);
        }
        Ok(Self {
            coefficient_high: (coefficient >> 64) as u64,
            coefficient_low: coefficient as u64,
            exponent: exponent as i16,
            negative,
        })
    }
}

/// Returns the number of digits of the coefficient; one for zero. Division of 64 bits is far cheaper than of
/// 128, and most coefficients are small.
const fn digits(coefficient: u128) -> u32 {
    let log = if coefficient <= u64::MAX as u128 {
        (coefficient as u64).checked_ilog10()
    } else {
        coefficient.checked_ilog10()
    };
    match log {
        Some(log) => log + 1,
        None => 1,
    }
}

/// Takes the trailing zeros off a coefficient other than zero, and counts them.
const fn without_trailing_zeros(mut coefficient: u128) -> (u128, i32) {
    let mut zeros = 0;
    while coefficient > u64::MAX as u128 {
        if !coefficient.is_multiple_of(10) {
            return (coefficient, zeros);
        }
        coefficient /= 10;
        zeros += 1;
    }
    let mut small = coefficient as u64;
    while small.is_multiple_of(10) {
        small /= 10;
        zeros += 1;
    }
    (small as u128, zeros)
}

impl Default for Number {
    fn default() -> Self {
        Self::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number;

    fn check_size(text: &str, bytes: usize) {
        let number: Number = text.parse().unwrap();
        assert_eq!(number.size_bytes(), bytes, "{text}");
    }

    #[test]
    fn size_counts_pairs_of_digits() {
        check_size("0", 1);
        check_size("-0", 1);
        check_size("7", 2);
        check_size("27", 2);
        check_size("461", 3);
        check_size("4611", 3);
        check_size("99999999999999999999999999999999999999", 20);
    }

    #[test]
    fn size_starts_pairs_at_the_decimal_point() {
        check_size("1.5", 3);
        check_size("100.5", 4);
        check_size("0.15", 2);
        check_size("3.14159", 5);
        check_size("120", 3);
        check_size("0.015", 3);
    }

    #[test]
    fn size_leaves_out_zeros_at_the_ends() {
        check_size("0042", 2);
        check_size("1000000", 2);
        check_size("1e125", 2);
        check_size("0.0000001", 2);
        check_size("1010", 3);
    }

    #[test]
    fn size_counts_a_minus_but_never_passes_21() {
        check_size("-42", 3);
        check_size("-12345", 5);
        check_size("9.9999999999999999999999999999999999999", 21);
        check_size("-9.9999999999999999999999999999999999999", 21);
    }

    #[test]
    fn parts_outside_the_range_are_refused() {
        let number = |coefficient, exponent| {
            Number::from_parts(NumberParts { negative: false, coefficient, exponent })
        };
        assert_eq!(number(u128::MAX, 0), Err(NumberError::TooManyDigits));
        assert_eq!(number(1, i16::MAX), Err(NumberError::TooLarge));
        assert_eq!(number(1, i16::MIN), Err(NumberError::TooSmall));
        assert_eq!(number(10_u128.pow(38), 0), Ok(number!("1e38")));
        assert_eq!(number(0, 77), Ok(Number::ZERO));
    }
}
