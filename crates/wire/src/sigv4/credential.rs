//! `Credential=AKID/20261115/us-east-1/dynamodb/aws4_request`: the signer and the scope.

use super::error::SignatureError;
use super::timestamp::Timestamp;

/// The last element of every scope.
pub(super) const TERMINATOR: &str = "aws4_request";

/// The signer of a request, and the day, region and service of the signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Credential<'a> {
    /// The id of the key; public, unlike its secret.
    pub access_key_id: &'a str,
    /// The scope of the signature.
    pub scope: CredentialScope<'a>,
}

/// The day, region and service that a signature is valid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CredentialScope<'a> {
    /// The day in UTC, `20261115`.
    pub date: &'a str,
    /// The region, such as `us-east-1`.
    pub region: &'a str,
    /// The service, which must be `dynamodb`.
    pub service: &'a str,
    /// Always `aws4_request`.
    pub terminator: &'a str,
}

impl<'a> Credential<'a> {
    pub(super) fn parse(text: &'a str) -> Result<Self, SignatureError> {
        let mut elements = text.split('/');
        let mut next = || elements.next().filter(|element| !element.is_empty());
        let parsed = (next(), next(), next(), next(), next());
        match (parsed, elements.next()) {
            (
                (Some(access_key_id), Some(date), Some(region), Some(service), Some(terminator)),
                None,
            ) => {
                let scope = CredentialScope { date, region, service, terminator };
                Ok(Self { access_key_id, scope })
            }
            _ => Err(SignatureError::credential_elements(text)),
        }
    }
}

impl CredentialScope<'_> {
    /// Checks that the signature is for this service and for the day it was made. As on AWS, one
    /// text contains all errors.
    pub(super) fn check(&self, service: &str, signed: Timestamp) -> Result<(), SignatureError> {
        let mut text = String::new();
        if self.service != service {
            text += &format!("Credential should be scoped to correct service: '{service}'. ");
        }
        if self.terminator != TERMINATOR {
            text += &format!(
                "Credential should be scoped with a valid terminator: '{TERMINATOR}', not '{}'. ",
                self.terminator
            );
        }
        let day = signed.day().to_string();
        if self.date != day {
            text += &format!(
                "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date \
                 from HTTP: '{}' != '{day}', from '{signed}'.",
                self.date
            );
        }
        if text.is_empty() { Ok(()) } else { Err(SignatureError::InvalidSignature(text)) }
    }

    /// Appends the scope in the form that is signed.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        for (element, end) in [(self.date, "/"), (self.region, "/"), (self.service, "/")] {
            out.extend_from_slice(element.as_bytes());
            out.extend_from_slice(end.as_bytes());
        }
        out.extend_from_slice(self.terminator.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(credential: &str, expected: Expect) {
        let signed = Timestamp::parse_basic("20261115T093000Z").unwrap();
        let result = Credential::parse(credential)
            .and_then(|credential| credential.scope.check("dynamodb", signed));
        expected.assert_eq(&result.map_or_else(|error| error.to_string(), |()| "good".to_owned()));
    }

    #[test]
    fn a_scope_is_for_this_service_and_its_own_day() {
        check("AKID/20261115/us-east-1/dynamodb/aws4_request", expect!["good"]);
        check(
            "AKID/20261115/us-east-1/s3/aws4_request",
            expect!["Credential should be scoped to correct service: 'dynamodb'. "],
        );
        check(
            "AKID/20261114/us-east-1/s3/aws5",
            expect![
                "Credential should be scoped to correct service: 'dynamodb'. Credential should be scoped with a valid terminator: 'aws4_request', not 'aws5'. Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '20261114' != '20261115', from '20261115T093000Z'."
            ],
        );
    }

    #[test]
    fn a_credential_has_five_elements() {
        for credential in ["", "AKID", "a/b/c/d", "a/b/c/d/e/f", "a//c/d/e", "/b/c/d/e"] {
            assert_eq!(
                Credential::parse(credential),
                Err(SignatureError::credential_elements(credential))
            );
        }
        check(
            "AKID",
            expect![
                "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got 'AKID'"
            ],
        );
    }
}
