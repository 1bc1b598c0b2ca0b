//! Key values: any bytes decode to a value or an error, and values survive and keep their order.

use monotable_engine::fuzzing;
use monotable_types::{AttributeValue, number};

/// Checks the bytes; the first two say what they are and where they are cut in two.
pub fn check(bytes: &[u8]) {
    fuzzing::key_value_bytes(bytes);
}

/// Encoded keys of each type, and pairs of plain ones.
pub fn seeds() -> Vec<Vec<u8>> {
    let encoded: [(u8, AttributeValue); 7] = [
        (0, "".into()),
        (0, "text\0more".into()),
        (1, 0.into()),
        (1, number!("-12.5").into()),
        (1, number!("9.9999999999999999999999999999999999999E+125").into()),
        (1, number!("1E-130").into()),
        (2, AttributeValue::B(vec![0, 255, 0, 0, 1])),
    ];
    let encoded = encoded
        .iter()
        .map(|(kind, value)| [&[*kind, 4], fuzzing::encoded_key_value(value).as_slice()].concat());
    let pairs = (0..3).map(|kind| [&[kind, 4], b"\x01\x96ab\x01\x97ab\0\xff".as_slice()].concat());
    encoded.chain(pairs).collect()
}
