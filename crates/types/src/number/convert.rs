//! Numbers from and to the integers of Rust. Conversions from and to floats are left out on purpose.

use super::Number;

/// Makes a number of an integer of at most 64 bits, which is always in range.
pub(super) const fn from_integer(negative: bool, mut magnitude: u64) -> Number {
    if magnitude == 0 {
        return Number::ZERO;
    }
    let mut exponent = 0;
    while magnitude.is_multiple_of(10) {
        magnitude /= 10;
        exponent += 1;
    }
    Number { coefficient_high: 0, coefficient_low: magnitude, exponent, negative }
}

macro_rules! from_integers {
    ($signed:ty: $($narrow_signed:ty),*; $unsigned:ty: $($narrow_unsigned:ty),*) => {
        $(impl From<$narrow_signed> for Number {
            fn from(integer: $narrow_signed) -> Self {
                let integer = integer as $signed;
                from_integer(integer < 0, integer.unsigned_abs())
            }
        })*
        $(impl From<$narrow_unsigned> for Number {
            fn from(integer: $narrow_unsigned) -> Self {
                from_integer(false, integer as $unsigned)
            }
        })*
    };
}

from_integers!(i64: i8, i16, i32, i64, isize; u64: u8, u16, u32, u64, usize);

impl Number {
    /// Returns the number as an `i64`, if it is an integer in its range.
    pub fn to_i64(&self) -> Option<i64> {
        let magnitude = self.magnitude_u64()?;
        if self.negative {
            0_i64.checked_sub_unsigned(magnitude)
        } else {
            magnitude.try_into().ok()
        }
    }

    /// Returns the number as a `u64`, if it is an integer in its range.
    pub fn to_u64(&self) -> Option<u64> {
        if self.negative { None } else { self.magnitude_u64() }
    }

    fn magnitude_u64(&self) -> Option<u64> {
        if self.coefficient_high != 0 {
            return None;
        }
        let scale = 10_u64.checked_pow(self.exponent.try_into().ok()?)?;
        self.coefficient_low.checked_mul(scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number;

    #[test]
    fn integers_are_converted_back() {
        for integer in [0, 1, -1, 10, -1200, i64::MAX, i64::MIN] {
            assert_eq!(Number::from(integer).to_i64(), Some(integer));
        }
        assert_eq!(Number::from(u64::MAX).to_u64(), Some(u64::MAX));
        assert_eq!(Number::from(u64::MAX).to_i64(), None);
        assert_eq!(Number::from(-1).to_u64(), None);
    }

    #[test]
    fn other_numbers_do_not_convert() {
        assert_eq!(number!("1.5").to_i64(), None);
        assert_eq!(number!("0.0").to_i64(), Some(0));
        assert_eq!(number!("1e18").to_i64(), Some(1_000_000_000_000_000_000));
        assert_eq!(number!("1e19").to_i64(), None);
        assert_eq!(number!("1e19").to_u64(), Some(10_000_000_000_000_000_000));
        assert_eq!(number!("1e125").to_u64(), None);
    }
}
