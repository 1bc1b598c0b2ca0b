//! Key attribute values as bytes whose order is DynamoDB's order.
//!
//! Strings and binaries keep their bytes with `00` written as `00 FF`, closed by `00 00`; so a
//! shorter value sorts before every longer one that starts with it, and several values can follow
//! each other in one key. Numbers are two bytes of sign and exponent, then two digits a byte, closed
//! by a byte below every digit pair; negative numbers are complemented, so that they sort downwards.

use monotable_types::{AttributeValue, Number, NumberParts, ScalarType};

use super::Malformed;
use super::varint::{take, take_byte};

const ESCAPE: u8 = 0x00;
const ESCAPED_ZERO: u8 = 0xff;
const TERMINATOR: u8 = 0x00;

/// Sign and exponent of zero; positive numbers are above, negative ones below.
const ZERO_HEAD: u16 = 0x8000;
/// Smallest adjusted exponent is -130, which becomes 1.
const EXPONENT_BIAS: i32 = 131;

/// Appends a key value, closed so that another may follow.
///
/// Returns `false`, appending nothing, for a value that is not a string, number or binary.
pub(crate) fn encode(out: &mut Vec<u8>, value: &AttributeValue) -> bool {
    match value {
        AttributeValue::S(text) => encode_bytes(out, text.as_bytes()),
        AttributeValue::B(bytes) => encode_bytes(out, bytes),
        AttributeValue::N(number) => encode_number(out, number),
        _ => return false,
    }
    true
}

/// Appends bytes, escaped and closed.
pub(crate) fn encode_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    encode_prefix(out, bytes);
    out.extend_from_slice(&[ESCAPE, TERMINATOR]);
}

/// Appends bytes, escaped but open: every value that starts with `bytes` starts with the result.
pub(crate) fn encode_prefix(out: &mut Vec<u8>, bytes: &[u8]) {
    let mut rest = bytes;
    while let Some(zero) = rest.iter().position(|&byte| byte == ESCAPE) {
        out.extend_from_slice(&rest[..=zero]);
        out.push(ESCAPED_ZERO);
        rest = &rest[zero + 1..];
    }
    out.extend_from_slice(rest);
}

fn encode_number(out: &mut Vec<u8>, number: &Number) {
    let NumberParts { negative, coefficient, exponent } = number.parts();
    if coefficient == 0 {
        out.extend_from_slice(&ZERO_HEAD.to_be_bytes());
        return;
    }
    let mut digits = [0u8; 40];
    let mut count = 0;
    let mut left = coefficient;
    while left > 0 {
        digits[count] = (left % 10) as u8;
        left /= 10;
        count += 1;
    }
    // The exponent of the first digit, in -130..=125.
    let adjusted = i32::from(exponent) + count as i32 - 1;
    let magnitude = (adjusted + EXPONENT_BIAS) as u16;
    let flip = if negative { 0xff } else { 0x00 };
    let head = if negative { ZERO_HEAD - magnitude } else { ZERO_HEAD + magnitude };
    out.extend_from_slice(&head.to_be_bytes());
    let mut place = count;
    while place > 0 {
        let tens = digits[place - 1];
        let ones = if place > 1 { digits[place - 2] } else { 0 };
        out.push((tens * 10 + ones + 1) ^ flip);
        place = place.saturating_sub(2);
    }
    out.push(flip);
}

/// Reads one key value of the given type from the front of `input`.
pub(crate) fn decode(input: &mut &[u8], kind: ScalarType) -> Result<AttributeValue, Malformed> {
    match kind {
        ScalarType::S => String::from_utf8(decode_bytes(input)?)
            .map(AttributeValue::S)
            .map_err(|_| Malformed("key string is not UTF-8")),
        ScalarType::B => Ok(AttributeValue::B(decode_bytes(input)?)),
        ScalarType::N => decode_number(input).map(AttributeValue::N),
    }
}

/// Skips one key value of the given type at the front of `input`.
pub(crate) fn skip(input: &mut &[u8], kind: ScalarType) -> Result<(), Malformed> {
    match kind {
        ScalarType::S | ScalarType::B => loop {
            let zero = input
                .iter()
                .position(|&byte| byte == ESCAPE)
                .ok_or(Malformed("key value is not closed"))?;
            take(input, zero + 1)?;
            if take_byte(input)? == TERMINATOR {
                return Ok(());
            }
        },
        ScalarType::N => decode_number(input).map(drop),
    }
}

fn decode_bytes(input: &mut &[u8]) -> Result<Vec<u8>, Malformed> {
    let mut bytes = Vec::new();
    loop {
        let zero = input
            .iter()
            .position(|&byte| byte == ESCAPE)
            .ok_or(Malformed("key value is not closed"))?;
        bytes.extend_from_slice(take(input, zero)?);
        take_byte(input)?;
        match take_byte(input)? {
            TERMINATOR => return Ok(bytes),
            ESCAPED_ZERO => bytes.push(ESCAPE),
            _ => return Err(Malformed("unknown escape in key value")),
        }
    }
}

fn decode_number(input: &mut &[u8]) -> Result<Number, Malformed> {
    const BAD: Malformed = Malformed("key number is malformed");
    let head = u16::from_be_bytes([take_byte(input)?, take_byte(input)?]);
    if head == ZERO_HEAD {
        return Ok(Number::ZERO);
    }
    let negative = head < ZERO_HEAD;
    let flip = if negative { 0xff } else { 0x00 };
    let adjusted = i32::from(head.abs_diff(ZERO_HEAD)) - EXPONENT_BIAS;
    let mut coefficient = 0u128;
    let mut digits = 0;
    loop {
        let byte = take_byte(input)? ^ flip;
        if byte == 0 {
            break;
        }
        if byte > 100 || digits >= 40 {
            return Err(BAD);
        }
        coefficient = coefficient
            .checked_mul(100)
            .and_then(|shifted| shifted.checked_add(u128::from(byte - 1)))
            .ok_or(BAD)?;
        digits += 2;
    }
    let exponent = i16::try_from(adjusted - digits + 1).map_err(|_| BAD)?;
    // A trailing zero of the last pair is trimmed by `from_parts`.
    Number::from_parts(NumberParts { negative, coefficient, exponent }).map_err(|_| BAD)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn encoded(value: &AttributeValue) -> Vec<u8> {
        let mut out = Vec::new();
        assert!(encode(&mut out, value));
        out
    }

    fn number() -> impl Strategy<Value = Number> {
        (any::<bool>(), 0u128..10u128.pow(38), -160i16..90).prop_filter_map(
            "inside DynamoDB's range",
            |(negative, coefficient, exponent)| {
                Number::from_parts(NumberParts { negative, coefficient, exponent }).ok()
            },
        )
    }

    fn small_bytes() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(prop_oneof![Just(0u8), Just(1), Just(0xff), any::<u8>()], 0..6)
    }

    #[test]
    fn edges_of_the_number_range_keep_their_order() {
        let texts = [
            "-9.9999999999999999999999999999999999999E+125",
            "-100",
            "-10",
            "-9.5",
            "-9",
            "-1E-130",
            "0",
            "1E-130",
            "0.5",
            "9",
            "9.5",
            "10",
            "100",
            "9.9999999999999999999999999999999999999E+125",
        ];
        let keys: Vec<Vec<u8>> =
            texts.map(|text| encoded(&AttributeValue::N(text.parse().unwrap()))).into();
        assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
    }

    proptest! {
        #[test]
        fn numbers_keep_order_and_survive(a in number(), b in number()) {
            let (key_a, key_b) = (encoded(&a.into()), encoded(&b.into()));
            prop_assert_eq!(key_a.cmp(&key_b), a.cmp(&b));
            let mut input = key_a.as_slice();
            prop_assert_eq!(decode(&mut input, ScalarType::N), Ok(AttributeValue::N(a)));
            prop_assert!(input.is_empty());
        }

        #[test]
        fn binaries_keep_order_even_with_bytes_behind(
            a in small_bytes(), b in small_bytes(), tail in small_bytes(),
        ) {
            let (mut key_a, key_b) =
                (encoded(&AttributeValue::B(a.clone())), encoded(&AttributeValue::B(b.clone())));
            prop_assert_eq!(key_a.cmp(&key_b), a.cmp(&b));
            key_a.extend_from_slice(&tail);
            let mut input = key_a.as_slice();
            prop_assert_eq!(decode(&mut input, ScalarType::B), Ok(AttributeValue::B(a)));
            prop_assert_eq!(input, tail.as_slice());
        }

        #[test]
        fn a_value_starts_with_its_encoded_prefix(a in small_bytes(), b in small_bytes()) {
            let mut prefix = Vec::new();
            encode_prefix(&mut prefix, &b);
            let key = encoded(&AttributeValue::B(a.clone()));
            prop_assert_eq!(key.starts_with(&prefix), a.starts_with(&b));
        }

        #[test]
        fn skipping_is_decoding_without_the_value(bytes in small_bytes(), kind in 0..3) {
            let kind = [ScalarType::S, ScalarType::N, ScalarType::B][kind as usize];
            let (mut skipped, mut decoded) = (bytes.as_slice(), bytes.as_slice());
            if decode(&mut decoded, kind).is_ok() {
                prop_assert_eq!(skip(&mut skipped, kind), Ok(()));
                prop_assert_eq!(skipped, decoded);
            }
        }
    }
}
