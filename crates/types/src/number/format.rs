//! Prints numbers as DynamoDB does: all digits in plain decimal notation, never an exponent.
//!
//! AWS writes out even 1e100 as a one and a hundred zeros (github.com/boto/boto3/issues/2500) and
//! 1.00000000000000007629769841092E+50 as 51 digits (issues/4636 there).

use std::fmt::{self, Write};
use std::str;

use super::Number;

/// The longest text: `0.`, 129 zeros after the point and 38 digits. The sign is not part of it.
const TEXT_LENGTH_MAX: usize = 2 + 129 + 38;

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(integer) = self.to_i64() {
            return fmt::Display::fmt(&integer, formatter);
        }
        let mut text = Text::EMPTY;
        self.write_magnitude(&mut text)?;
        formatter.pad_integral(!self.negative, "", text.as_str()?)
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Number {
    fn write_magnitude(&self, text: &mut Text) -> fmt::Result {
        let coefficient = self.coefficient();
        if self.exponent >= 0 {
            write!(text, "{coefficient}")?;
            return text.write_zeros(self.exponent.unsigned_abs().into());
        }
        let fraction_length = self.exponent.unsigned_abs().into();
        let digits = self.significant_digits() as usize;
        if digits <= fraction_length {
            text.write_str("0.")?;
            text.write_zeros(fraction_length - digits)?;
            write!(text, "{coefficient}")
        } else {
            write!(text, "{coefficient}")?;
            text.insert_point(digits - fraction_length)
        }
    }
}

/// Text on the stack, so that printing a number allocates nothing.
struct Text {
    bytes: [u8; TEXT_LENGTH_MAX],
    length: usize,
}

impl Text {
    const EMPTY: Self = Self { bytes: [b'0'; TEXT_LENGTH_MAX], length: 0 };

    fn write_zeros(&mut self, count: usize) -> fmt::Result {
        // The bytes not yet written are zeros already.
        self.length += count;
        if self.length <= TEXT_LENGTH_MAX { Ok(()) } else { Err(fmt::Error) }
    }

    fn insert_point(&mut self, position: usize) -> fmt::Result {
        let length = self.length;
        self.write_zeros(1)?;
        self.bytes.copy_within(position..length, position + 1);
        self.bytes[position] = b'.';
        Ok(())
    }

    fn as_str(&self) -> Result<&str, fmt::Error> {
        str::from_utf8(&self.bytes[..self.length]).map_err(|_| fmt::Error)
    }
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.length + text.len();
        let target = self.bytes.get_mut(self.length..end).ok_or(fmt::Error)?;
        target.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number;

    #[test]
    fn no_number_prints_with_an_exponent() {
        assert_eq!(number!("1.5e2").to_string(), "150");
        assert_eq!(number!("1e20").to_string(), "100000000000000000000");
        assert_eq!(number!("-12.5e-1").to_string(), "-1.25");
        assert_eq!(number!("-1.25e-1").to_string(), "-0.125");
        assert_eq!(number!("1e-3").to_string(), "0.001");
        assert_eq!(number!("-1e125").to_string(), format!("-1{}", "0".repeat(125)));
    }

    #[test]
    fn the_longest_text_fits() {
        let digits = "12345678901234567890123456789012345678";
        let longest = format!("-0.{}{digits}", "0".repeat(129));
        let number: Number = longest.parse().unwrap();
        assert_eq!(number.to_string(), longest);
        assert_eq!(longest.len(), 1 + TEXT_LENGTH_MAX);
    }

    #[test]
    fn width_pads_like_an_integer() {
        assert_eq!(
            format!("{:>6}|{:<6}|{:06}", number!("1.5"), number!("-2.5"), number!("-3.5")),
            { "   1.5|-2.5  |-003.5" }
        );
        assert_eq!(format!("{:>4}", number!("12")), "  12");
    }
}
