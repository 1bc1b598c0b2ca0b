//! Percent-encoding with SigV4's own set of unreserved characters.

use std::borrow::Cow;

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Appends `bytes` with everything encoded but letters, digits and `-._~`.
pub(super) fn encode(bytes: &[u8], out: &mut Vec<u8>) {
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(byte);
        } else {
            out.extend([b'%', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
        }
    }
}

/// Decodes a text. A `%` that starts no code stands for itself, and so does `+`: signers encode a
/// space as `%20`.
pub(super) fn decode(text: &str) -> Cow<'_, [u8]> {
    if !text.contains('%') {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut rest = text.as_bytes();
    let mut decoded = Vec::with_capacity(rest.len());
    while let [first, after @ ..] = rest {
        let (byte, left) = code(rest).unwrap_or((*first, after));
        decoded.push(byte);
        rest = left;
    }
    Cow::Owned(decoded)
}

/// Decodes the code at the start of `text`, and returns the byte and the rest.
fn code(text: &[u8]) -> Option<(u8, &[u8])> {
    match text {
        [b'%', high, low, after @ ..] => Some((digit(*high)? << 4 | digit(*low)?, after)),
        _ => None,
    }
}

fn digit(character: u8) -> Option<u8> {
    char::from(character).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn invalid_codes_stand_for_themselves() {
        for (text, bytes) in [
            ("a%20b", &b"a b"[..]),
            ("a+b", b"a+b"),
            ("%e1%88%B4", "ሴ".as_bytes()),
            ("100%", b"100%"),
            ("%4", b"%4"),
            ("%zz%41", b"%zzA"),
        ] {
            assert_eq!(decode(text).as_ref(), bytes, "{text}");
        }
    }

    proptest! {
        #[test]
        fn decoding_undoes_encoding(bytes: Vec<u8>) {
            let mut encoded = Vec::new();
            encode(&bytes, &mut encoded);
            let encoded = String::from_utf8(encoded).unwrap();
            prop_assert_eq!(decode(&encoded).into_owned(), bytes);
        }
    }
}
