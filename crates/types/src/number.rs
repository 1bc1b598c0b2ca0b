//! DynamoDB's number: an exact decimal of up to 38 significant digits, never a float.
//!
//! This file owns the representation, its invariant and the order. Reading text, printing it and
//! arithmetic have a file each.

mod arithmetic;
mod convert;
mod format;
mod parse;

use std::cmp::Ordering;
use std::hash::Hash;

use crate::limits::NUMBER_DIGITS_MAX;

/// The highest power of ten a leading digit can have: the largest magnitude is 9.99…E+125.
const LEADING_EXPONENT_MAX: i32 = 125;
/// The lowest power of ten a leading digit can have: the smallest magnitude is 1E-130.
const LEADING_EXPONENT_MIN: i32 = -130;
/// The smallest coefficient that has too many digits.
const COEFFICIENT_END: u128 = 10_u128.pow(NUMBER_DIGITS_MAX);

/// An exact decimal number as DynamoDB has it: up to 38 significant digits, zero or of a magnitude
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

/// Why something is not a number DynamoDB can hold. `Display` is AWS's text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// There is no text.
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

impl Number {
    /// Zero.
    pub const ZERO: Self = Self {
        coefficient_high: 0,
        coefficient_low: 0,
        exponent: 0,
        negative: false,
    };

    /// Whether this is zero.
    pub const fn is_zero(&self) -> bool {
        self.coefficient_low == 0 && self.coefficient_high == 0
    }

    /// Whether this is below zero.
    pub const fn is_negative(&self) -> bool {
        self.negative
    }

    /// The number of significant digits: 1 for 100, 3 for 0.123, 1 for zero.
    pub const fn significant_digits(&self) -> u32 {
        match self.coefficient().checked_ilog10() {
            Some(log) => log + 1,
            None => 1,
        }
    }

    /// What the number counts for in the size of an item.
    pub const fn size_bytes(&self) -> usize {
        if self.is_zero() {
            return 1;
        }
        self.significant_digits().div_ceil(2) as usize + 1 + self.negative as usize
    }

    /// The exact parts, for codecs.
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

    /// The number with these parts, which need not be in the form [`parts`](Self::parts) gives.
    ///
    /// # Errors
    /// [`NumberError::TooManyDigits`], [`NumberError::TooLarge`] or [`NumberError::TooSmall`] if
    /// DynamoDB cannot hold the number.
    pub const fn from_parts(parts: NumberParts) -> Result<Self, NumberError> {
        Self::normalised(parts.negative, parts.coefficient, parts.exponent as i32)
    }

    const fn coefficient(&self) -> u128 {
        (self.coefficient_high as u128) << 64 | self.coefficient_low as u128
    }

    /// The power of ten of the leading digit; meaningless for zero.
    const fn leading_exponent(&self) -> i32 {
        self.exponent as i32 + self.significant_digits() as i32 - 1
    }

    /// Brings a coefficient and exponent into the one form a number has, and checks the range.
    const fn normalised(
        negative: bool,
        mut coefficient: u128,
        mut exponent: i32,
    ) -> Result<Self, NumberError> {
        if coefficient == 0 {
            return Ok(Self::ZERO);
        }
        while coefficient.is_multiple_of(10) {
            coefficient /= 10;
            exponent += 1;
        }
        if coefficient >= COEFFICIENT_END {
            return Err(NumberError::TooManyDigits);
        }
        let leading_exponent = exponent + coefficient.ilog10() as i32;
        if leading_exponent > LEADING_EXPONENT_MAX {
            return Err(NumberError::TooLarge);
        }
        if leading_exponent < LEADING_EXPONENT_MIN {
            return Err(NumberError::TooSmall);
        }
        Ok(Self {
            coefficient_high: (coefficient >> 64) as u64,
            coefficient_low: coefficient as u64,
            exponent: exponent as i16,
            negative,
        })
    }

    fn cmp_magnitude(&self, other: &Self) -> Ordering {
        if self.exponent == other.exponent {
            return self.coefficient().cmp(&other.coefficient());
        }
        match (self.is_zero(), other.is_zero()) {
            (true, _) => return Ordering::Less,
            (_, true) => return Ordering::Greater,
            (false, false) => {}
        }
        // With leading digits at the same place, the coefficients are at most 38 digits when
        // brought to the same length, so the multiplication cannot overflow.
        self.leading_exponent()
            .cmp(&other.leading_exponent())
            .then_with(|| {
                let shift = self.exponent.abs_diff(other.exponent).into();
                let scale = 10_u128.pow(shift);
                if self.exponent > other.exponent {
                    (self.coefficient() * scale).cmp(&other.coefficient())
                } else {
                    self.coefficient().cmp(&(other.coefficient() * scale))
                }
            })
    }
}

impl Default for Number {
    fn default() -> Self {
        Self::ZERO
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.cmp_magnitude(other),
            (true, true) => other.cmp_magnitude(self),
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
        }
    }
}
