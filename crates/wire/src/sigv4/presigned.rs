//! Signatures in the query string: `X-Amz-Algorithm=...&X-Amz-Credential=...`.
//!
//! Only text, like the `Authorization` header: knows neither keys nor the clock.

use super::authorization::{ALGORITHM, Authorization, SignatureLocation};
use super::credential::Credential;
use super::error::SignatureError;
use super::percent::decode;
use super::signed_headers::SignedHeaders;
use super::timestamp::Timestamp;

const ALGORITHM_NAME: &str = "X-Amz-Algorithm";
const CREDENTIAL: &str = "X-Amz-Credential";
/// The one parameter that a signature cannot cover.
pub(super) const SIGNATURE: &str = "X-Amz-Signature";
const SIGNED_HEADERS: &str = "X-Amz-SignedHeaders";
const DATE: &str = "X-Amz-Date";
const EXPIRES: &str = "X-Amz-Expires";
const SECURITY_TOKEN: &str = "X-Amz-Security-Token";

/// The longest lifetime of a presigned request on AWS: a week.
const LIFETIME_SECONDS_MAX: i64 = 604_800;

/// The decoded parameters of a query string that belong to its signature.
#[derive(Debug, Default)]
pub(super) struct Presigned {
    algorithm: Option<String>,
    credential: Option<String>,
    signature: Option<String>,
    signed_headers: Option<String>,
    date: Option<String>,
    expires: Option<String>,
    security_token: Option<String>,
}

impl Presigned {
    /// Reads a query string; returns `None` if it contains no signature.
    pub(super) fn find(query: &str) -> Result<Option<Self>, SignatureError> {
        let mut found = Self::default();
        let mut announced = false;
        for parameter in query.split('&') {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let name = decode(name);
            let Ok(name) = std::str::from_utf8(&name) else { continue };
            announced |= name == ALGORITHM_NAME;
            let place = match name {
                ALGORITHM_NAME => &mut found.algorithm,
                CREDENTIAL => &mut found.credential,
                SIGNATURE => &mut found.signature,
                SIGNED_HEADERS => &mut found.signed_headers,
                DATE => &mut found.date,
                EXPIRES => &mut found.expires,
                SECURITY_TOKEN => &mut found.security_token,
                _ => continue,
            };
            if place.is_some() {
                return Err(SignatureError::repeated(name));
            }
            *place = Some(String::from_utf8_lossy(&decode(value)).into_owned());
        }
        Ok(announced.then_some(found))
    }

    /// Returns the complete signature.
    ///
    /// # Errors
    ///
    /// Names the missing parameters. An empty one counts as missing.
    pub(super) fn authorization(&self) -> Result<Authorization<'_>, SignatureError> {
        let parameters = [
            (ALGORITHM_NAME, &self.algorithm),
            (CREDENTIAL, &self.credential),
            (SIGNATURE, &self.signature),
            (SIGNED_HEADERS, &self.signed_headers),
            (DATE, &self.date),
        ];
        let values =
            parameters.map(|(_, value)| value.as_deref().filter(|value| !value.is_empty()));
        let [Some(algorithm), Some(credential), Some(signature), Some(signed_headers), Some(date)] =
            values
        else {
            let named = parameters.iter().zip(values);
            let missing: Vec<_> =
                named.filter(|(_, value)| value.is_none()).map(|((name, _), _)| *name).collect();
            return Err(SignatureError::query_requires(&missing));
        };
        if algorithm != ALGORITHM {
            return Err(SignatureError::unsupported_algorithm(algorithm));
        }
        Ok(Authorization {
            credential: Credential::parse(credential)?,
            signed_headers: SignedHeaders::parse(signed_headers)?,
            signature,
            signed_at: Timestamp::parse_basic(date)
                .ok_or_else(|| SignatureError::unreadable_date(date))?,
            location: SignatureLocation::Query { lifetime_seconds: self.lifetime_seconds()? },
        })
    }

    fn lifetime_seconds(&self) -> Result<Option<i64>, SignatureError> {
        let Some(text) = &self.expires else { return Ok(None) };
        match text.parse() {
            Ok(seconds) if (1..=LIFETIME_SECONDS_MAX).contains(&seconds) => Ok(Some(seconds)),
            _ => Err(SignatureError::unreadable_lifetime(text)),
        }
    }

    pub(super) fn has_token(&self) -> bool {
        self.security_token.is_some()
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;

    fn check(query: &str, expected: Expect) {
        let answer = match Presigned::find(query) {
            Ok(None) => "no signature".to_owned(),
            Ok(Some(presigned)) => match presigned.authorization() {
                Ok(authorization) => format!("{authorization:?}"),
                Err(error) => format!("{}: {error}", error.code()),
            },
            Err(error) => format!("{}: {error}", error.code()),
        };
        expected.assert_eq(&answer);
    }

    #[test]
    fn only_the_algorithm_marks_a_presigned_request() {
        check("", expect!["no signature"]);
        check("X-Amz-Algorith", expect!["no signature"]);
        check(
            "X-Amz-Credential=a&X-Amz-Signature=b&X-Amz-SignedHeaders=c&X-Amz-Date=d",
            expect!["no signature"],
        );
    }

    #[test]
    fn missing_parameters_are_listed() {
        check(
            "X-Amz-Algorithm",
            expect![
                "IncompleteSignatureException: AWS query-string parameters must include 'X-Amz-Algorithm'. AWS query-string parameters must include 'X-Amz-Credential'. AWS query-string parameters must include 'X-Amz-Signature'. AWS query-string parameters must include 'X-Amz-SignedHeaders'. AWS query-string parameters must include 'X-Amz-Date'. Re-examine the query-string parameters."
            ],
        );
        check(
            "X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c&X-Amz-Date=d",
            expect![
                "IncompleteSignatureException: AWS query-string parameters must include 'X-Amz-SignedHeaders'. Re-examine the query-string parameters."
            ],
        );
    }

    #[test]
    fn a_complete_signature_is_read() {
        let complete = "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=k%2Fd%2Fr%2Fs%2Ft&\
                        X-Amz-Signature=ab&X-Amz-SignedHeaders=host%3Bx&X-Amz-Date=20261115T093000Z";
        check(
            complete,
            expect![[
                r#"Authorization { credential: Credential { access_key_id: "k", scope: CredentialScope { date: "d", region: "r", service: "s", terminator: "t" } }, signed_headers: SignedHeaders("host;x"), signature: "ab", signed_at: Timestamp(2026-11-15T09:30:00), location: Query { lifetime_seconds: None } }"#
            ]],
        );
        check(
            &format!("{complete}&X-Amz-Expires=60"),
            expect![[
                r#"Authorization { credential: Credential { access_key_id: "k", scope: CredentialScope { date: "d", region: "r", service: "s", terminator: "t" } }, signed_headers: SignedHeaders("host;x"), signature: "ab", signed_at: Timestamp(2026-11-15T09:30:00), location: Query { lifetime_seconds: Some(60) } }"#
            ]],
        );
        check(
            &format!("{complete}&X-Amz-Expires=604801"),
            expect![
                "IncompleteSignatureException: X-Amz-Expires must be a number of seconds between 1 and 604800, got '604801'"
            ],
        );
        check(
            &format!("{complete}&X-Amz-Expires=-1"),
            expect![
                "IncompleteSignatureException: X-Amz-Expires must be a number of seconds between 1 and 604800, got '-1'"
            ],
        );
        check(
            &format!("{complete}&X-Amz-Date=20261115T093000Z"),
            expect!["InvalidSignatureException: Found 'X-Amz-Date' more than once."],
        );
        check(
            &complete.replace("SHA256", "SHA1"),
            expect!["IncompleteSignatureException: Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA1'."],
        );
        check(
            &complete.replace("20261115T", "20261115"),
            expect![
                "IncompleteSignatureException: Date must be in ISO-8601 'basic format'. Got '20261115093000Z'. See http://en.wikipedia.org/wiki/ISO_8601"
            ],
        );
    }

    proptest! {
        #[test]
        fn arbitrary_queries_never_panic(query: String) {
            let query = format!("X-Amz-Algorithm=AWS4-HMAC-SHA256&{query}");
            let _ = Presigned::find(&query).map(|found| found.map(|it| it.authorization().is_ok()));
        }
    }
}
