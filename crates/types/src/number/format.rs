//! Prints numbers as DynamoDB does: plain decimal notation.

use std::fmt;

use super::Number;

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.coefficient().to_string();
        let exponent = i32::from(self.exponent);
        let text = if exponent >= 0 {
            format!("{digits}{}", "0".repeat(exponent as usize))
        } else {
            let fraction = exponent.unsigned_abs() as usize;
            let padded = format!("{digits:0>width$}", width = fraction + 1);
            let (integer, fraction) = padded.split_at(padded.len() - fraction);
            format!("{integer}.{fraction}")
        };
        formatter.pad_integral(!self.negative, "", &text)
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
