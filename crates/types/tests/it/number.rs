//! `Number` against [`FixedPoint`]: reading, printing, order, arithmetic, size.

use monotable_types::{Number, NumberError};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::fixed_point::{FixedPoint, Held};

/// The text of a number, and its meaning.
#[derive(Clone, Debug)]
struct Written {
    text: String,
    meaning: FixedPoint,
}

fn digits(length_max: usize) -> impl Strategy<Value = Vec<u8>> {
    // Zeros and nines are where carries and trimming happen.
    vec(prop_oneof![3 => 0_u8..=9, 2 => Just(0), 1 => Just(9)], 1..=length_max)
}

/// Digits with the point anywhere among them, and an exponent.
fn written(
    length_max: usize,
    exponents: std::ops::RangeInclusive<i32>,
) -> impl Strategy<Value = Written> {
    (
        digits(length_max),
        any::<prop::sample::Index>(),
        exponents,
        0..3_usize,
        0..3_u8,
        any::<bool>(),
    )
        .prop_map(|(digits, point, exponent, sign, exponent_sign, upper)| {
            let point = point.index(digits.len() + 1);
            let mut text = ["", "+", "-"][sign].to_owned();
            for (index, digit) in digits.iter().enumerate() {
                if index == point {
                    text.push('.');
                }
                text.push(char::from(b'0' + digit));
            }
            let letter = if upper { 'E' } else { 'e' };
            match (exponent, exponent_sign) {
                (0, 0) => {}
                (0.., 1) => text += &format!("{letter}+{exponent}"),
                (..0, 1) => text += &format!("{letter}-0{}", -exponent),
                _ => text += &format!("{letter}{exponent}"),
            }
            let meaning = FixedPoint::new(sign == 2, &digits, point as i32 + exponent);
            Written { text, meaning }
        })
}

fn any_written() -> impl Strategy<Value = Written> {
    prop_oneof![
        written(20, -30..=30),
        written(45, -180..=140),
        written(38, -140..=-120),
        written(38, 80..=130),
    ]
}

/// Generates two numbers near enough to each other that sums are often exact.
fn pair() -> impl Strategy<Value = (Written, Written)> {
    (-140..=110_i32).prop_flat_map(|base| {
        let near = || written(19, base - 10..=base + 10);
        let full = || written(38, base - 2..=base + 2);
        prop_oneof![(near(), near()), (full(), full()), (near(), full())]
    })
}

fn held(result: Result<Number, NumberError>) -> Held {
    match result {
        Ok(number) => Held::Text(number.to_string()),
        Err(NumberError::TooManyDigits) => Held::TooManyDigits,
        Err(NumberError::TooLarge) => Held::TooLarge,
        Err(NumberError::TooSmall) => Held::TooSmall,
        Err(error) => panic!("{error}"),
    }
}

fn parse(written: &Written) -> Option<Number> {
    written.text.parse().ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn text_reads_and_prints_as_its_meaning(written in any_written()) {
        // Zero is refused with an exponent out of range, which is not part of its meaning.
        let is_zero = written.meaning.held() == Held::Text("0".to_owned());
        prop_assume!(!(is_zero && written.text.contains(['e', 'E'])));
        prop_assert_eq!(held(written.text.parse()), written.meaning.held());
    }

    #[test]
    fn printed_text_reads_back_and_parts_rebuild(written in any_written()) {
        if let Some(number) = parse(&written) {
            let text = number.to_string();
            prop_assert_eq!(text.parse(), Ok(number));
            prop_assert_eq!(Number::from_parts(number.parts()), Ok(number));
            prop_assert_eq!(number.is_negative(), text.starts_with('-'));
            prop_assert_eq!(number.is_zero(), text == "0");
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            let significant = digits.trim_matches('0').len().max(1);
            prop_assert_eq!(number.significant_digits() as usize, significant);
        }
    }

    #[test]
    fn order_is_that_of_the_values((left, right) in prop_oneof![pair(), (any_written(), any_written())]) {
        if let (Some(left_number), Some(right_number)) = (parse(&left), parse(&right)) {
            let order = left.meaning.compare(&right.meaning);
            prop_assert_eq!(left_number.cmp(&right_number), order);
            prop_assert_eq!(left_number == right_number, order.is_eq());
        }
    }

    #[test]
    fn sums_and_differences_are_exact((left, right) in prop_oneof![pair(), (any_written(), any_written())]) {
        if let (Some(left_number), Some(right_number)) = (parse(&left), parse(&right)) {
            prop_assert_eq!(
                held(left_number.checked_add(right_number)),
                left.meaning.add(&right.meaning).held()
            );
            prop_assert_eq!(
                held(left_number.checked_sub(right_number)),
                left.meaning.add(&right.meaning.negated()).held()
            );
        }
    }

    #[test]
    fn integers_convert_exactly(left in any::<i64>(), right in any::<i64>()) {
        let (left_number, right_number) = (Number::from(left), Number::from(right));
        prop_assert_eq!(left_number.to_string(), left.to_string());
        prop_assert_eq!(left_number.to_i64(), Some(left));
        prop_assert_eq!(left_number.cmp(&right_number), left.cmp(&right));
        let sum = i128::from(left) + i128::from(right);
        prop_assert_eq!(left_number.checked_add(right_number).unwrap().to_string(), sum.to_string());
    }

    #[test]
    fn size_is_the_pairs_of_digits_around_the_point(written in any_written()) {
        if let Some(number) = parse(&written) {
            prop_assert_eq!(number.size_bytes(), size_of_text(&number.to_string()));
        }
    }

    #[test]
    fn no_text_panics(text in "[-+.eE0-9 x]{0,60}|\\PC{0,20}") {
        if let Ok(number) = text.parse::<Number>() {
            prop_assert_eq!(number.to_string().parse(), Ok(number));
        }
    }
}

/// Returns the size by writing the digits in pairs and cutting off the pairs of zeros.
fn size_of_text(text: &str) -> usize {
    let unsigned = text.trim_start_matches('-');
    if unsigned == "0" {
        return 1;
    }
    let (integer, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let mut paired = "0".repeat(integer.len() % 2) + integer + fraction;
    paired += &"0".repeat(fraction.len() % 2);
    let pairs: Vec<&[u8]> = paired.as_bytes().chunks(2).collect();
    let counts = |pair: &&[u8]| *pair != b"00";
    let first = pairs.iter().position(counts).unwrap();
    let last = pairs.iter().rposition(counts).unwrap();
    (1 + last - first + 1 + usize::from(text.starts_with('-'))).min(21)
}
