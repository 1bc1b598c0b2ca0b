//! Signatures, and the one place where they are compared.

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// The 32 bytes of a SHA-256 or of an HMAC with it.
pub(super) type Hash = [u8; 32];

/// A signature: 32 bytes, sent as 64 hexadecimal digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signature(Hash);

impl Signature {
    pub(super) fn new(bytes: Hash) -> Self {
        Self(bytes)
    }

    /// Reads exactly 64 lower-case digits, the only form of a signature.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).ok()?;
        let is_lower_case = !text.bytes().any(|byte| byte.is_ascii_uppercase());
        is_lower_case.then_some(Self(bytes))
    }

    /// Returns whether both are equal, in constant time, so that a signature cannot be guessed byte
    /// by byte.
    pub(super) fn matches(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

/// Returns the SHA-256 of the bytes.
pub(super) fn hash(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}

/// Returns the bytes as lower-case hexadecimal digits.
pub(super) fn hex(bytes: &Hash) -> [u8; 64] {
    let mut digits = [0; 64];
    // Encoding fails only if the buffer does not have two digits for each byte.
    let _ = hex::encode_to_slice(bytes, &mut digits);
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_has_one_valid_form() {
        let digits = hex(&hash(b""));
        let text = std::str::from_utf8(&digits).unwrap();
        assert_eq!(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert!(Signature::parse(text).unwrap().matches(&Signature::new(hash(b""))));
        for other in [text.to_uppercase(), format!("{text}0"), text[1..].to_owned()] {
            assert!(Signature::parse(&other).is_none(), "{other}");
        }
    }

    #[test]
    fn one_bit_makes_another_signature() {
        let signature = Signature::new(hash(b""));
        for bit in 0..256 {
            let mut bytes = hash(b"");
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(!signature.matches(&Signature::new(bytes)), "bit {bit}");
        }
    }
}
