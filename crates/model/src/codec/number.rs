//! Converts between Rust's and DynamoDB's numbers without losing a digit.

use monotable_types::{Number, NumberParts};

use super::CodecError;

/// The largest integer up to which `f64` represents all integers exactly.
const F64_INTEGER_MAX: u128 = 1 << f64::MANTISSA_DIGITS;
/// The largest power of ten that `f64` represents exactly.
const F64_POWER_MAX: usize = 22;
const F64_POWERS: [f64; F64_POWER_MAX + 1] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

pub(super) fn from_u128(integer: u128) -> Result<Number, CodecError> {
    from_parts(false, integer)
}

pub(super) fn from_i128(integer: i128) -> Result<Number, CodecError> {
    from_parts(integer < 0, integer.unsigned_abs())
}

fn from_parts(negative: bool, coefficient: u128) -> Result<Number, CodecError> {
    Number::from_parts(NumberParts { negative, coefficient, exponent: 0 })
        .map_err(|error| CodecError::unfit(error.to_string()))
}

/// Returns the shortest decimal that reads back as the same float.
pub(super) fn from_f64(float: f64) -> Result<Number, CodecError> {
    // Integers, which most floats in items are, need no detour through text.
    if float.abs() < F64_INTEGER_MAX as f64 && float.fract() == 0.0 {
        return Ok(Number::from(float as i64));
    }
    from_float_text(float.is_finite(), &format!("{float:e}"))
}

/// Returns the shortest decimal that reads back as the same float.
pub(super) fn from_f32(float: f32) -> Result<Number, CodecError> {
    from_float_text(float.is_finite(), &format!("{float:e}"))
}

fn from_float_text(is_finite: bool, text: &str) -> Result<Number, CodecError> {
    if !is_finite {
        return Err(CodecError::unfit(format!("{text} is not a number that DynamoDB can hold")));
    }
    text.parse().map_err(|error| CodecError::unfit(format!("{text}: {error}")))
}

pub(super) fn to_u128(number: &Number) -> Option<u128> {
    let parts = number.parts();
    if parts.negative { None } else { magnitude(parts) }
}

pub(super) fn to_i128(number: &Number) -> Option<i128> {
    let parts = number.parts();
    let magnitude = magnitude(parts)?;
    if parts.negative {
        0_i128.checked_sub_unsigned(magnitude)
    } else {
        i128::try_from(magnitude).ok()
    }
}

fn magnitude(parts: NumberParts) -> Option<u128> {
    let scale = 10_u128.checked_pow(parts.exponent.try_into().ok()?)?;
    parts.coefficient.checked_mul(scale)
}

/// Returns the nearest float.
pub(super) fn to_f64(number: &Number) -> f64 {
    let NumberParts { negative, coefficient, exponent } = number.parts();
    let power = usize::from(exponent.unsigned_abs());
    if coefficient <= F64_INTEGER_MAX && power <= F64_POWER_MAX {
        // Both operands are exact, so the result is rounded only once: it is the nearest float.
        let (whole, scale) = (coefficient as f64, F64_POWERS[power]);
        let float = if exponent < 0 { whole / scale } else { whole * scale };
        return if negative { -float } else { float };
    }
    text(number.parts()).parse().unwrap_or(f64::NAN)
}

/// Returns the nearest float.
pub(super) fn to_f32(number: &Number) -> f32 {
    // Parsing avoids `f64`, which would round twice.
    text(number.parts()).parse().unwrap_or(f32::NAN)
}

fn text(parts: NumberParts) -> String {
    let sign = if parts.negative { "-" } else { "" };
    format!("{sign}{}e{}", parts.coefficient, parts.exponent)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn floats_are_written_in_shortest_decimal_form() {
        assert_eq!(from_f64(0.1).unwrap().to_string(), "0.1");
        assert_eq!(from_f32(0.1).unwrap().to_string(), "0.1");
        assert_eq!(from_f64(-0.0).unwrap().to_string(), "0");
        assert_eq!(from_f64(12.0).unwrap().to_string(), "12");
    }

    #[test]
    fn floats_out_of_range_are_refused() {
        for float in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e126, 1e-131] {
            assert!(from_f64(float).is_err(), "{float}");
        }
        assert!(from_f32(f32::NAN).is_err());
        assert!(from_u128(u128::MAX).is_err());
        assert!(from_i128(10_i128.pow(38)).is_ok());
        assert!(from_i128(10_i128.pow(38) + 1).is_err());
    }

    proptest! {
        #[test]
        fn integers_of_38_digits_are_read_back(integer in -(10_i128.pow(38)) + 1..10_i128.pow(38)) {
            let number = from_i128(integer).unwrap();
            prop_assert_eq!(to_i128(&number), Some(integer));
            prop_assert_eq!(to_u128(&number), u128::try_from(integer).ok());
        }

        #[test]
        fn floats_are_read_back(float in any::<f64>()) {
            prop_assume!(float == 0.0 || (1e-130..1e125).contains(&float.abs()));
            prop_assert_eq!(to_f64(&from_f64(float).unwrap()), float);
        }

        #[test]
        fn short_floats_are_read_back(float in any::<f32>()) {
            prop_assert_eq!(to_f32(&from_f32(float).unwrap()), float);
        }

        #[test]
        fn the_fast_conversion_to_a_float_equals_the_slow_one(
            coefficient in -(1_i64 << 53)..=(1 << 53), exponent in -22..=22,
        ) {
            let number: Number = format!("{coefficient}e{exponent}").parse().unwrap();
            prop_assert_eq!(to_f64(&number), text(number.parts()).parse::<f64>().unwrap());
        }
    }
}
