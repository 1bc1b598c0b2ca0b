//! A second implementation of decimal numbers, as slow and plain as possible: signed integers of
//! 1000 decimal digits, half of them after the point. It shares no code and no algorithm with
//! `Number`.

use std::cmp::Ordering;

const LENGTH: usize = 1000;
const FRACTION: usize = 500;

/// A number with its digits in an array, the most significant first.
#[derive(Clone, Debug)]
pub(crate) struct FixedPoint {
    negative: bool,
    digits: Vec<u8>,
}

/// The result of storing a number in DynamoDB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// DynamoDB stores it and prints this text.
    Text(String),
    TooManyDigits,
    TooLarge,
    TooSmall,
}

impl FixedPoint {
    /// Returns the number `0.digits × 10^exponent`.
    pub(crate) fn new(negative: bool, digits: &[u8], exponent: i32) -> Self {
        let mut places = vec![0; LENGTH];
        for (index, digit) in digits.iter().enumerate() {
            let place = (LENGTH - FRACTION) as i32 - exponent + index as i32;
            if *digit != 0 {
                places[usize::try_from(place).unwrap()] = *digit;
            }
        }
        Self { negative, digits: places }
    }

    pub(crate) fn add(&self, other: &Self) -> Self {
        if self.negative == other.negative {
            let mut digits = vec![0; LENGTH];
            let mut carry = 0;
            for place in (0..LENGTH).rev() {
                let sum = self.digits[place] + other.digits[place] + carry;
                digits[place] = sum % 10;
                carry = sum / 10;
            }
            return Self { negative: self.negative, digits };
        }
        let (larger, smaller) =
            if self.digits >= other.digits { (self, other) } else { (other, self) };
        let mut digits = vec![0; LENGTH];
        let mut borrow = 0;
        for place in (0..LENGTH).rev() {
            let difference = 10 + larger.digits[place] - smaller.digits[place] - borrow;
            digits[place] = difference % 10;
            borrow = 1 - difference / 10;
        }
        Self { negative: larger.negative, digits }
    }

    pub(crate) fn negated(&self) -> Self {
        Self { negative: !self.negative, digits: self.digits.clone() }
    }

    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let difference = self.add(&other.negated());
        match (difference.first(), difference.negative) {
            (None, _) => Ordering::Equal,
            (Some(_), true) => Ordering::Less,
            (Some(_), false) => Ordering::Greater,
        }
    }

    pub(crate) fn held(&self) -> Held {
        let (Some(first), Some(last)) = (self.first(), self.last()) else {
            return Held::Text("0".to_owned());
        };
        // The digit of the ones has the power 0; powers decrease to the right.
        let power = (LENGTH - FRACTION) as i32 - 1 - first as i32;
        if last - first + 1 > 38 {
            Held::TooManyDigits
        } else if power > 125 {
            Held::TooLarge
        } else if power < -130 {
            Held::TooSmall
        } else {
            Held::Text(self.text(first, last))
        }
    }

    fn text(&self, first: usize, last: usize) -> String {
        let point = LENGTH - FRACTION;
        let mut text = if self.negative { "-".to_owned() } else { String::new() };
        for place in first.min(point - 1)..=last.max(point - 1) {
            if place == point {
                text.push('.');
            }
            text.push(char::from(b'0' + self.digits[place]));
        }
        text
    }

    fn first(&self) -> Option<usize> {
        self.digits.iter().position(|digit| *digit != 0)
    }

    fn last(&self) -> Option<usize> {
        self.digits.iter().rposition(|digit| *digit != 0)
    }
}
