//! The parsed `Authorization` header: the client's claims, before anything is verified.
//!
//! Only text: knows neither keys nor the clock.

use super::credential::Credential;
use super::error::{DateHeader, SignatureError};
use super::signed_headers::SignedHeaders;
use super::timestamp::Timestamp;

/// The only supported algorithm.
pub(super) const ALGORITHM: &str = "AWS4-HMAC-SHA256";

/// The prefix of signatures. AWS treats a header with another prefix as if there were no signature.
const PREFIX: &[u8] = b"AWS4-";

/// A complete signature, from the `Authorization` header or from the query string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Authorization<'a> {
    /// The signer and the scope.
    pub credential: Credential<'a>,
    /// The headers that the signature covers.
    pub signed_headers: SignedHeaders<'a>,
    /// The signature as it was sent.
    pub signature: &'a str,
    pub(super) signed_at: Timestamp,
    pub(super) location: SignatureLocation,
}

/// The part of the request that contains the signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SignatureLocation {
    /// In the `Authorization` header.
    Header,
    /// In the query string, with an optional lifetime.
    Query { lifetime_seconds: Option<i64> },
}

/// The header that contains the time of the signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestDate<'a> {
    /// `X-Amz-Date`, which is used if both are there.
    AmzDate(&'a [u8]),
    /// `Date`.
    Date(&'a [u8]),
    /// Neither.
    Absent,
}

impl<'a> Authorization<'a> {
    /// Parses an `Authorization` header. Any bytes are allowed; nothing is verified.
    pub fn parse(header: &'a [u8], date: RequestDate<'a>) -> Result<Self, SignatureError> {
        let header = header.trim_ascii();
        let text = match std::str::from_utf8(header) {
            Ok(text) if header.starts_with(PREFIX) => text,
            _ => return Err(SignatureError::MissingAuthenticationToken),
        };
        let (algorithm, parameters) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        let Parameters { credential, signed_headers, signature } =
            Parameters::parse(parameters, text)?;
        let (Some(credential), Some(signature), Some(signed_headers), Some(signed_at)) =
            (credential, signature, signed_headers, date.read())
        else {
            let parameters = [
                ("Credential", credential),
                ("Signature", signature),
                ("SignedHeaders", signed_headers),
            ];
            let missing: Vec<_> =
                parameters.iter().filter(|(_, value)| value.is_none()).map(|(n, _)| *n).collect();
            return Err(SignatureError::header_requires(&missing, date.is_there(), text));
        };
        if algorithm != ALGORITHM {
            return Err(SignatureError::unsupported_algorithm(algorithm));
        }
        Ok(Self {
            credential: Credential::parse(credential)?,
            signed_headers: SignedHeaders::parse(signed_headers)?,
            signature,
            signed_at: signed_at?,
            location: SignatureLocation::Header,
        })
    }
}

/// The three parameters, each at most once. An empty one counts as missing.
#[derive(Default)]
struct Parameters<'a> {
    credential: Option<&'a str>,
    signed_headers: Option<&'a str>,
    signature: Option<&'a str>,
}

impl<'a> Parameters<'a> {
    /// Splits the text at commas, at spaces, or at both, as AWS does.
    fn parse(text: &'a str, authorization: &str) -> Result<Self, SignatureError> {
        let mut parameters = Self::default();
        for part in text.split([',', ' ', '\t']).filter(|part| !part.is_empty()) {
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| SignatureError::not_a_pair(part, authorization))?;
            let place = match name {
                "Credential" => &mut parameters.credential,
                "SignedHeaders" => &mut parameters.signed_headers,
                "Signature" => &mut parameters.signature,
                _ => continue,
            };
            if place.is_some() {
                return Err(SignatureError::repeated(name));
            }
            *place = Some(value).filter(|value| !value.is_empty());
        }
        Ok(parameters)
    }
}

impl RequestDate<'_> {
    fn is_there(self) -> DateHeader {
        match self {
            Self::AmzDate(_) | Self::Date(_) => DateHeader::Present,
            Self::Absent => DateHeader::Absent,
        }
    }

    fn read(self) -> Option<Result<Timestamp, SignatureError>> {
        let (value, parse): (_, fn(&str) -> Option<Timestamp>) = match self {
            Self::AmzDate(value) => (value, Timestamp::parse_basic),
            Self::Date(value) => (value, Timestamp::parse_date_header),
            Self::Absent => return None,
        };
        let text = String::from_utf8_lossy(value.trim_ascii());
        Some(parse(&text).ok_or_else(|| SignatureError::unreadable_date(&text)))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;

    const DATE: RequestDate<'static> = RequestDate::AmzDate(b"20261115T093000Z");

    fn check(header: &str, date: RequestDate<'_>, expected: Expect) {
        let answer = match Authorization::parse(header.as_bytes(), date) {
            Ok(authorization) => format!("{authorization:?}"),
            Err(error) => format!("{}: {error}", error.code()),
        };
        expected.assert_eq(&answer);
    }

    #[test]
    fn the_parts_of_a_header() {
        check(
            "AWS4-HMAC-SHA256 Credential=AKID/20261115/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=ab",
            DATE,
            expect![[
                r#"Authorization { credential: Credential { access_key_id: "AKID", scope: CredentialScope { date: "20261115", region: "us-east-1", service: "dynamodb", terminator: "aws4_request" } }, signed_headers: SignedHeaders("host;x-amz-date"), signature: "ab", signed_at: Timestamp(2026-11-15T09:30:00), location: Header }"#
            ]],
        );
    }

    #[test]
    fn missing_parameters_are_listed() {
        check(
            "AWS4",
            DATE,
            expect!["MissingAuthenticationTokenException: Request is missing Authentication Token"],
        );
        check(
            "AWS4-",
            RequestDate::Absent,
            expect![
                "IncompleteSignatureException: Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter. Authorization header requires 'SignedHeaders' parameter. Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. Authorization=AWS4-"
            ],
        );
        let date = RequestDate::Date(b"a");
        check(
            "AWS4- Signature=b Credential=a",
            date,
            expect![
                "IncompleteSignatureException: Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4- Signature=b Credential=a"
            ],
        );
        check(
            "AWS4- Signature=b,Credential=a",
            date,
            expect![
                "IncompleteSignatureException: Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4- Signature=b,Credential=a"
            ],
        );
        check(
            "AWS4- Signature=b, Credential=a",
            date,
            expect![
                "IncompleteSignatureException: Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4- Signature=b, Credential=a"
            ],
        );
        check(
            "AWS4-HMAC-SHA256 Credential=, SignedHeaders=a, Signature=b",
            DATE,
            expect![
                "IncompleteSignatureException: Authorization header requires 'Credential' parameter. Authorization=AWS4-HMAC-SHA256 Credential=, SignedHeaders=a, Signature=b"
            ],
        );
    }

    #[test]
    fn unreadable_parameters_are_named() {
        check(
            "AWS4- Signature=b,Credential=a,SignedHeaders=c",
            DATE,
            expect!["IncompleteSignatureException: Unsupported AWS 'algorithm': 'AWS4-'."],
        );
        check(
            "AWS4-HMAC-SHA256 Credential Signature=b",
            DATE,
            expect![
                "IncompleteSignatureException: 'Credential' not a valid key=value pair (missing equal-sign) in Authorization header: 'AWS4-HMAC-SHA256 Credential Signature=b'."
            ],
        );
        check(
            "AWS4-HMAC-SHA256 Signature=b, Signature=b",
            DATE,
            expect!["InvalidSignatureException: Found 'Signature' more than once."],
        );
        let complete = "AWS4-HMAC-SHA256 Credential=k/d/r/s/t, SignedHeaders=host, Signature=b";
        check(
            complete,
            RequestDate::Date(b"a"),
            expect![
                "IncompleteSignatureException: Date must be in ISO-8601 'basic format'. Got 'a'. See http://en.wikipedia.org/wiki/ISO_8601"
            ],
        );
        check(
            complete,
            RequestDate::AmzDate(b"Sun, 30 Aug 2015 12:36:00 GMT"),
            expect![
                "IncompleteSignatureException: Date must be in ISO-8601 'basic format'. Got 'Sun, 30 Aug 2015 12:36:00 GMT'. See http://en.wikipedia.org/wiki/ISO_8601"
            ],
        );
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(header: Vec<u8>, date: Vec<u8>) {
            let _ = Authorization::parse(&header, RequestDate::Date(&date));
            let _ = Authorization::parse(&[PREFIX, &header].concat(), RequestDate::AmzDate(&date));
        }

        #[test]
        fn fragments_of_headers_never_panic(
            header in "AWS4-(HMAC-SHA256)?( ?(Credential|SignedHeaders|Signature)?=?[a-z/;]{0,9},?){0,9}"
        ) {
            let _ = Authorization::parse(header.as_bytes(), DATE);
        }
    }
}
