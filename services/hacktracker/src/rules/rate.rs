//! Rates as exact fractions. They are rounded once, when they are shown, and never converted to
//! floating point before.

use std::cmp::Ordering;
use std::fmt;

use monotable_kit::{FieldType, Kind};
use serde::{Serialize, Serializer};

/// A fraction of whole numbers: a rate before it is rounded.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    numerator: u128,
    denominator: u128,
}

impl Rate {
    /// Returns the rate of two counts, or `None` for a denominator of 0.
    pub fn of(numerator: u64, denominator: u64) -> Option<Self> {
        let rate = Self { numerator: numerator.into(), denominator: denominator.into() };
        (denominator > 0).then_some(rate)
    }

    /// Returns the sum of two rates, still exact.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            numerator: self.numerator * other.denominator + other.numerator * self.denominator,
            denominator: self.denominator * other.denominator,
        }
    }

    /// Returns the rate in thousandths, a half rounded up.
    pub fn thousandths(self) -> u64 {
        let doubled = 2 * self.denominator;
        let rounded = (2000 * self.numerator + self.denominator) / doubled;
        u64::try_from(rounded).unwrap_or(u64::MAX)
    }
}

impl PartialEq for Rate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Rate {}

impl PartialOrd for Rate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rate {
    fn cmp(&self, other: &Self) -> Ordering {
        let (one, two) = (self.numerator * other.denominator, other.numerator * self.denominator);
        one.cmp(&two)
    }
}

/// `0.333`
impl fmt::Display for Rate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let thousandths = self.thousandths();
        write!(formatter, "{}.{:03}", thousandths / 1000, thousandths % 1000)
    }
}

/// A number with three decimals: the shortest text of the nearest float has exactly these digits.
impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.thousandths() as f64 / 1000.0)
    }
}

impl FieldType for Rate {
    fn kind() -> Kind {
        f64::kind()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(numerator: u64, denominator: u64, expected: &str) {
        let shown = Rate::of(numerator, denominator).map(|rate| {
            let json = serde_json::to_string(&rate).unwrap();
            assert_eq!(json.parse::<f64>().unwrap(), rate.to_string().parse::<f64>().unwrap());
            rate.to_string()
        });
        assert_eq!(shown.as_deref().unwrap_or("none"), expected);
    }

    #[test]
    fn a_half_is_rounded_up() {
        check(1, 3, "0.333");
        check(2, 3, "0.667");
        check(1, 2000, "0.001");
        check(999, 2_000_000, "0.000");
        // 0.0625 and 0.1875 end in exactly a half thousandth.
        check(1, 16, "0.063");
        check(3, 16, "0.188");
        check(4, 1, "4.000");
        check(0, 7, "0.000");
        check(0, 0, "none");
        check(5, 0, "none");
    }

    #[test]
    fn a_sum_is_rounded_once() {
        let third = Rate::of(1, 3).unwrap();
        // 0.3333… + 0.1666… is a half; the rounded ones would give 0.500 too, but thirds do not.
        assert_eq!(third.plus(third).to_string(), "0.667");
        assert_eq!(third.plus(Rate::of(1, 6).unwrap()), Rate::of(1, 2).unwrap());
    }

    #[test]
    fn fractions_are_compared_by_value() {
        assert!(Rate::of(333, 1000) < Rate::of(1, 3));
        assert_eq!(Rate::of(2, 6), Rate::of(1, 3));
    }
}
