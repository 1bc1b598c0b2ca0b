//! `NextToken`: the end of a page, bound to its statement and parameters.

use monotable_types::{AttributeValue, Item};
use sha2::{Digest, Sha256};

use super::problem::refused;
use crate::error::{Failure, Result};

const VERSION: u8 = 1;
const FINGERPRINT_BYTES: usize = 16;

/// The start of the next page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PageStart {
    /// The number of the range in the plan.
    pub(crate) range: u32,
    /// The last key that was read in this range.
    pub(crate) key: Option<Item>,
}

/// The statement and the parameters that a token is valid for, as a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint([u8; FINGERPRINT_BYTES]);

impl Fingerprint {
    /// Returns the fingerprint of a statement and its parameters.
    pub(crate) fn of(statement: &str, parameters: &[AttributeValue]) -> Self {
        let mut hash = Sha256::new();
        hash.update(statement.len().to_le_bytes());
        hash.update(statement);
        hash.update(format!("{parameters:?}"));
        let mut fingerprint = [0; FINGERPRINT_BYTES];
        fingerprint.copy_from_slice(&hash.finalize()[..FINGERPRINT_BYTES]);
        Self(fingerprint)
    }
}

impl PageStart {
    /// Encodes the start as a token.
    pub(crate) fn token(&self, fingerprint: Fingerprint) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend(fingerprint.0);
        bytes.extend(self.range.to_le_bytes());
        for (name, value) in self.key.iter().flatten() {
            write_part(&mut bytes, name.as_bytes());
            let (datatype, contents) = match value {
                AttributeValue::S(text) => (b'S', text.as_bytes().to_vec()),
                AttributeValue::N(number) => (b'N', number.to_string().into_bytes()),
                AttributeValue::B(binary) => (b'B', binary.clone()),
                // Keys have no other types.
                _ => continue,
            };
            bytes.push(datatype);
            write_part(&mut bytes, &contents);
        }
        base64_simd::STANDARD.encode_to_string(bytes)
    }

    /// Decodes a token.
    ///
    /// # Errors
    ///
    /// The token is malformed or was made for another fingerprint.
    pub(crate) fn of_token(token: &str, fingerprint: Fingerprint) -> Result<Self> {
        let bytes = base64_simd::STANDARD.decode_to_vec(token).map_err(|_| invalid())?;
        let mut rest = Rest(&bytes);
        if rest.take(1)? != [VERSION] {
            return Err(invalid());
        }
        let made_for = rest.take(FINGERPRINT_BYTES)?;
        let range = u32::from_le_bytes(rest.take(4)?.try_into().map_err(|_| invalid())?);
        let mut key = Item::new();
        while !rest.0.is_empty() {
            let name = String::from_utf8(rest.part()?.to_vec()).map_err(|_| invalid())?;
            let datatype = rest.take(1)?[0];
            let contents = rest.part()?;
            let text = || std::str::from_utf8(contents).map_err(|_| invalid());
            let value = match datatype {
                b'S' => AttributeValue::S(text()?.to_owned()),
                b'N' => AttributeValue::N(text()?.parse().map_err(|_| invalid())?),
                b'B' => AttributeValue::B(contents.to_vec()),
                _ => return Err(invalid()),
            };
            key.insert(name, value);
        }
        if made_for != fingerprint.0 {
            return Err(mismatched());
        }
        Ok(Self { range, key: (!key.is_empty()).then_some(key) })
    }
}

fn invalid() -> Failure {
    refused("Invalid NextToken")
}

/// Makes the error for a token of another statement.
pub(crate) fn mismatched() -> Failure {
    refused("NextToken does not match request")
}

fn write_part(bytes: &mut Vec<u8>, part: &[u8]) {
    // Names and key values are far shorter than the maximum.
    bytes.extend(u32::try_from(part.len()).unwrap_or(u32::MAX).to_le_bytes());
    bytes.extend(part);
}

/// The rest of a token that has not been read yet.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or_else(invalid)?;
        self.0 = rest;
        Ok(taken)
    }

    fn part(&mut self) -> Result<&'a [u8]> {
        let length = u32::from_le_bytes(self.take(4)?.try_into().map_err(|_| invalid())?);
        self.take(usize::try_from(length).map_err(|_| invalid())?)
    }
}

#[cfg(test)]
mod tests {
    use monotable_types::item;

    use super::*;

    #[test]
    fn a_token_is_decoded_to_its_start() {
        let fingerprint = Fingerprint::of("SELECT", &[1.into()]);
        let number: AttributeValue = AttributeValue::N("-1.5e20".parse().unwrap());
        for key in [
            None,
            Some(item! { "pk" => "a", "sk" => number, "b" => AttributeValue::B(vec![0, 255]) }),
        ] {
            let start = PageStart { range: 7, key };
            let token = start.token(fingerprint);
            assert_eq!(PageStart::of_token(&token, fingerprint), Ok(start));
        }
    }

    #[test]
    fn a_token_is_valid_only_for_its_statement() {
        let token = PageStart::default().token(Fingerprint::of("SELECT", &[1.into()]));
        for other in
            [Fingerprint::of("SELECT", &[2.into()]), Fingerprint::of("SELECT ", &[1.into()])]
        {
            assert_eq!(PageStart::of_token(&token, other), Err(mismatched()));
        }
    }

    #[test]
    fn malformed_tokens_are_refused() {
        let fingerprint = Fingerprint::of("SELECT", &[]);
        let token = PageStart { range: 0, key: Some(item! { "pk" => "a" }) }.token(fingerprint);
        let bytes = base64_simd::STANDARD.decode_to_vec(&token).unwrap();
        for length in (0..bytes.len()).filter(|length| *length != 1 + 16 + 4) {
            let cut = base64_simd::STANDARD.encode_to_string(&bytes[..length]);
            assert_eq!(PageStart::of_token(&cut, fingerprint), Err(invalid()), "{length}");
        }
        assert_eq!(PageStart::of_token("garbage!", fingerprint), Err(invalid()));
    }
}
