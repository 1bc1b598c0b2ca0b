//! Exact addition and subtraction, for `ADD` and `SET a = a + b`.
//!
//! Nothing is ever rounded: a result that DynamoDB cannot hold is an error.

use super::{Fault, Number, NumberError};

impl Number {
    /// Returns the exact sum.
    ///
    /// ```
    /// use monotable_types::{NumberError, number};
    ///
    /// assert_eq!(number!("0.1").checked_add(number!("0.2")), Ok(number!("0.3")));
    /// assert_eq!(number!("1e50").checked_add(number!("1")), Err(NumberError::TooManyDigits));
    /// ```
    ///
    /// # Errors
    /// [`NumberError::TooManyDigits`], [`NumberError::TooLarge`] or [`NumberError::TooSmall`] if
    /// DynamoDB cannot hold the sum.
    pub fn checked_add(self, other: Self) -> Result<Self, NumberError> {
        // Counters are small integers.
        if let (Some(left), Some(right)) = (self.to_i64(), other.to_i64())
            && let Some(sum) = left.checked_add(right)
        {
            return Ok(sum.into());
        }
        self.add(other).map_err(|fault| fault.error(""))
    }

    /// Returns the exact difference.
    ///
    /// # Errors
    /// As [`checked_add`](Self::checked_add).
    pub fn checked_sub(self, other: Self) -> Result<Self, NumberError> {
        self.checked_add(-other)
    }

    fn add(self, other: Self) -> Result<Self, Fault> {
        if self.is_zero() {
            return Ok(other);
        }
        if other.is_zero() {
            return Ok(self);
        }
        let (high, low) =
            if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        // Both coefficients at the exponent of the lower one. If that overflows, the result has
        // more than 38 digits: the aligned coefficient is over 3.4E+38 and the other below 1E+38,
        // so the result is over 2.4E+38, and its last digit, that of the lower one, is not zero.
        let aligned = 10_u128
            .checked_pow(high.exponent.abs_diff(low.exponent).into())
            .and_then(|scale| high.coefficient().checked_mul(scale))
            .ok_or(Fault::TooManyDigits)?;
        let exponent = low.exponent.into();
        if high.negative == low.negative {
            let sum = aligned.checked_add(low.coefficient()).ok_or(Fault::TooManyDigits)?;
            Self::normalised(high.negative, sum, exponent)
        } else if aligned >= low.coefficient() {
            Self::normalised(high.negative, aligned - low.coefficient(), exponent)
        } else {
            Self::normalised(low.negative, low.coefficient() - aligned, exponent)
        }
    }
}

/// Every number has a negative, so this cannot fail.
impl std::ops::Neg for Number {
    type Output = Self;

    fn neg(self) -> Self {
        Self { negative: !self.negative && !self.is_zero(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(left: &str, right: &str, sum: Result<&str, NumberError>) {
        let (left, right): (Number, Number) = (left.parse().unwrap(), right.parse().unwrap());
        let sum = sum.map(|text| text.parse().unwrap());
        assert_eq!(left.checked_add(right), sum, "{left} + {right}");
        assert_eq!(right.checked_add(left), sum, "{right} + {left}");
        assert_eq!(left.checked_sub(-right), sum, "{left} - -{right}");
        assert_eq!((-left).checked_sub(right), sum.map(|sum| -sum), "-{left} - {right}");
    }

    #[test]
    fn small_integers_add() {
        check("41", "1", Ok("42"));
        check("5", "-5", Ok("0"));
        check("9", "1", Ok("10"));
        check("100", "1", Ok("101"));
        check("-3", "10", Ok("7"));
    }

    #[test]
    fn sums_beyond_64_bits_are_exact() {
        check("9223372036854775807", "1", Ok("9223372036854775808"));
        check("10000000000000000000000", "1", Ok("10000000000000000000001"));
        check("1e38", "-1", Ok("99999999999999999999999999999999999999"));
        check("0.1", "0.2", Ok("0.3"));
        check("1e-130", "-1.5e-130", Err(NumberError::TooSmall));
    }

    #[test]
    fn a_sum_that_needs_39_digits_is_refused() {
        check("99999999999999999999999999999999999999", "1", Ok("1e38"));
        check("99999999999999999999999999999999999999", "2", Err(NumberError::TooManyDigits));
        check("99999999999999999999999999999999999999", "0.1", Err(NumberError::TooManyDigits));
        check("1e50", "1", Err(NumberError::TooManyDigits));
        check("1e50", "-1", Err(NumberError::TooManyDigits));
        check("9e125", "1e-130", Err(NumberError::TooManyDigits));
        check("4e38", "99999999999999999999999999999999999999", Err(NumberError::TooManyDigits));
    }

    #[test]
    fn a_sum_beyond_the_magnitude_is_an_overflow() {
        check("9e125", "9e125", Err(NumberError::TooLarge));
        check("9.9e125", "1e125", Err(NumberError::TooLarge));
        check("9e125", "9e124", Ok("9.9e125"));
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(-Number::ZERO, Number::ZERO);
        check("0", "1e-130", Ok("1e-130"));
    }
}
