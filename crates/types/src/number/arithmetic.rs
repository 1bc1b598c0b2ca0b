//! Exact addition and subtraction, for `ADD` and `SET a = a + b`.
//!
//! Nothing is ever rounded: a result that DynamoDB cannot hold is an error.

use super::{Number, NumberError};

impl Number {
    /// The exact sum.
    ///
    /// # Errors
    /// [`NumberError::TooManyDigits`], [`NumberError::TooLarge`] or [`NumberError::TooSmall`] if
    /// DynamoDB cannot hold the sum.
    pub fn checked_add(self, other: Self) -> Result<Self, NumberError> {
        if self.is_zero() {
            return Ok(other);
        }
        if other.is_zero() {
            return Ok(self);
        }
        let (high, low) = if self.exponent >= other.exponent {
            (self, other)
        } else {
            (other, self)
        };
        let shift = high.exponent.abs_diff(low.exponent).into();
        // Both coefficients at the exponent of the lower one. If that overflows, the result has
        // more than 38 digits: the aligned coefficient is over 3.4E+38 and the other below 1E+38,
        // so the result is over 2.4E+38, and its last digit, that of the lower one, is not zero.
        let aligned = 10_u128
            .checked_pow(shift)
            .and_then(|scale| high.coefficient().checked_mul(scale))
            .ok_or(NumberError::TooManyDigits)?;
        let exponent = low.exponent.into();
        if high.negative == low.negative {
            let sum = aligned
                .checked_add(low.coefficient())
                .ok_or(NumberError::TooManyDigits)?;
            Self::normalised(high.negative, sum, exponent)
        } else if aligned >= low.coefficient() {
            Self::normalised(high.negative, aligned - low.coefficient(), exponent)
        } else {
            Self::normalised(low.negative, low.coefficient() - aligned, exponent)
        }
    }

    /// The exact difference.
    ///
    /// # Errors
    /// As [`checked_add`](Self::checked_add).
    pub fn checked_sub(self, other: Self) -> Result<Self, NumberError> {
        self.checked_add(-other)
    }
}

/// Every number has a negative, so this cannot fail.
impl std::ops::Neg for Number {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            negative: !self.negative && !self.is_zero(),
            ..self
        }
    }
}
