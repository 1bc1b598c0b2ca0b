//! The numeric order, which sort keys and comparisons in expressions use.

use std::cmp::Ordering;

use super::Number;

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

impl Number {
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
        self.leading_exponent().cmp(&other.leading_exponent()).then_with(|| {
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

#[cfg(test)]
mod tests {
    use crate::number;

    #[test]
    fn order_is_numeric() {
        let sorted = [
            number!("-1e125"),
            number!("-10"),
            number!("-9.5"),
            number!("-1e-130"),
            number!("0"),
            number!("1e-130"),
            number!("0.99999999999999999999999999999999999999"),
            number!("1"),
            number!("1.0000000000000000000000000000000000001"),
            number!("9"),
            number!("10"),
            number!("99999999999999999999999999999999999999"),
            number!("1e38"),
            number!("9.9999999999999999999999999999999999999e125"),
        ];
        for (index, left) in sorted.iter().enumerate() {
            for (other, right) in sorted.iter().enumerate() {
                assert_eq!(left.cmp(right), index.cmp(&other), "{left} {right}");
            }
        }
    }
}
