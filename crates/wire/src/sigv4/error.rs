//! The errors of signatures, with AWS's exception names and messages.
//!
//! All texts of signature errors are in this file. It knows nothing of how a request is read.
//!
//! The messages come from public responses of AWS: those for missing parts from dynalite's tests
//! against AWS (`test/connection.js`), those for the scope and the clock from the IAM user guide
//! ("Troubleshoot signed requests for AWS APIs") and from responses of DynamoDB quoted in the
//! issues of AWS's SDKs.

use std::fmt;

use super::timestamp::Timestamp;

/// The reason why a request was not authenticated. The status of all of them is 400.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignatureError {
    /// The request has no signature at all.
    MissingAuthenticationToken,
    /// A part of the signature is missing or unreadable.
    IncompleteSignature(String),
    /// The signature is complete, but not for this service, day, time or set of headers.
    InvalidSignature(String),
    /// The signature is not the one that the secret key gives.
    SignatureMismatch,
    /// No configured key has this access key id, or the request carries a session token.
    UnrecognizedClient,
}

impl SignatureError {
    /// Returns the HTTP status.
    pub fn status(&self) -> u16 {
        400
    }

    /// Returns AWS's name of the exception.
    pub fn code(&self) -> &'static str {
        match self {
            Self::MissingAuthenticationToken => "MissingAuthenticationTokenException",
            Self::IncompleteSignature(_) => "IncompleteSignatureException",
            Self::InvalidSignature(_) | Self::SignatureMismatch => "InvalidSignatureException",
            Self::UnrecognizedClient => "UnrecognizedClientException",
        }
    }

    /// Makes the error for an `Authorization` header without parameters, or a request without a
    /// signing time.
    pub(super) fn header_requires(
        parameters: &[&str],
        date: DateHeader,
        authorization: &str,
    ) -> Self {
        let mut text = String::new();
        for parameter in parameters {
            text += &format!("Authorization header requires '{parameter}' parameter. ");
        }
        if date == DateHeader::Absent {
            text += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' \
                     header. ";
        }
        Self::IncompleteSignature(format!("{text}Authorization={authorization}"))
    }

    /// Makes the error for a query string that contains only a part of a signature.
    pub(super) fn query_requires(parameters: &[&str]) -> Self {
        let mut text = String::new();
        for parameter in parameters {
            text += &format!("AWS query-string parameters must include '{parameter}'. ");
        }
        Self::IncompleteSignature(text + "Re-examine the query-string parameters.")
    }

    pub(super) fn not_a_pair(part: &str, authorization: &str) -> Self {
        Self::IncompleteSignature(format!(
            "'{part}' not a valid key=value pair (missing equal-sign) in Authorization header: \
             '{authorization}'."
        ))
    }

    pub(super) fn unsupported_algorithm(algorithm: &str) -> Self {
        Self::IncompleteSignature(format!("Unsupported AWS 'algorithm': '{algorithm}'."))
    }

    pub(super) fn credential_elements(credential: &str) -> Self {
        Self::IncompleteSignature(format!(
            "Credential must have exactly 5 slash-delimited elements, e.g. \
             keyid/date/region/service/term, got '{credential}'"
        ))
    }

    pub(super) fn unreadable_date(date: &str) -> Self {
        Self::IncompleteSignature(format!(
            "Date must be in ISO-8601 'basic format'. Got '{date}'. See \
             http://en.wikipedia.org/wiki/ISO_8601"
        ))
    }

    pub(super) fn unreadable_lifetime(seconds: &str) -> Self {
        Self::IncompleteSignature(format!(
            "X-Amz-Expires must be a number of seconds between 1 and 604800, got '{seconds}'"
        ))
    }

    pub(super) fn both_places() -> Self {
        Self::InvalidSignature(
            "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP \
             header."
                .to_owned(),
        )
    }

    /// Makes the error for two values where one is allowed. AWS's message for this case is not
    /// known.
    pub(super) fn repeated(name: &str) -> Self {
        Self::InvalidSignature(format!("Found '{name}' more than once."))
    }

    pub(super) fn unsigned_header(name: &str) -> Self {
        Self::InvalidSignature(format!("{name} must be a 'SignedHeader' in the AWS Authorization."))
    }

    pub(super) fn expired(signed: Timestamp, now: Timestamp, lifetime_seconds: i64) -> Self {
        Self::InvalidSignature(format!(
            "Signature expired: {signed} is now earlier than {} ({now} - {})",
            now.plus(-lifetime_seconds),
            Span(lifetime_seconds)
        ))
    }

    pub(super) fn not_yet_current(signed: Timestamp, now: Timestamp, skew_seconds: i64) -> Self {
        Self::InvalidSignature(format!(
            "Signature not yet current: {signed} is still later than {} ({now} + {})",
            now.plus(skew_seconds),
            Span(skew_seconds)
        ))
    }
}

impl fmt::Display for SignatureError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::MissingAuthenticationToken => "Request is missing Authentication Token",
            Self::IncompleteSignature(text) | Self::InvalidSignature(text) => text,
            Self::SignatureMismatch => {
                "The request signature we calculated does not match the signature you provided. \
                 Check your AWS Secret Access Key and signing method. Consult the service \
                 documentation for details."
            }
            Self::UnrecognizedClient => "The security token included in the request is invalid.",
        })
    }
}

impl std::error::Error for SignatureError {}

/// Whether a header contains the signing time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DateHeader {
    Present,
    Absent,
}

/// A number of seconds as AWS prints it: `5 min.`
struct Span(i64);

impl fmt::Display for Span {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 % 60 {
            0 => write!(formatter, "{} min.", self.0 / 60),
            _ => write!(formatter, "{} sec.", self.0),
        }
    }
}
