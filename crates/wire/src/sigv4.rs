//! The server's side of AWS Signature Version 4: verifies who signed a request.
//!
//! [`verify`] takes a request as it was received, the keys and the time, and returns the identity
//! of the signer or AWS's error. It knows no sockets, no clock and no operations;
//! [`access`](crate::access) decides what the identity may do.
//!
//! ```
//! use monotable_wire::access::Permissions;
//! use monotable_wire::sigv4::{AccessKey, KeyRing, SecretKey, SignedRequest, verify};
//!
//! let mut keys = KeyRing::new();
//! let secret = SecretKey::new("a secret of the reporting job");
//! keys.insert(AccessKey::new("AKIAREPORTING", secret, "reporting", Permissions::everything()))?;
//!
//! let request =
//!     SignedRequest { method: "POST", path: "/", query: "", headers: &[], body: b"{}" };
//! let refused = verify(&request, &keys, 1_794_700_800).unwrap_err();
//! assert_eq!(refused.code(), "MissingAuthenticationTokenException");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod authorization;
mod canonical;
mod credential;
mod error;
mod key_ring;
mod percent;
mod presigned;
mod signature;
mod signed_headers;
mod signing_key;
mod timestamp;
#[cfg(test)]
mod vectors;

pub use authorization::{Authorization, RequestDate};
pub use credential::{Credential, CredentialScope};
pub use error::SignatureError;
pub use key_ring::{AccessKey, DuplicateAccessKey, KeyRing, SecretKey};
pub use signed_headers::SignedHeaders;

use authorization::SignatureLocation;
use presigned::Presigned;
use signature::{Signature, hash, hex};
use signing_key::SigningKey;
use timestamp::Timestamp;

use monotable_engine::Database;

use crate::access::{Denied, Principal};
use crate::policy;
use crate::touch::Touch;

/// The service in the scope of every signature.
const SERVICE: &str = "dynamodb";

/// The largest difference between the clocks of client and server. "In most cases, a request must
/// reach AWS within five minutes of the time stamp in the request" (IAM user guide, "AWS Signature
/// Version 4 for API requests"); DynamoDB's messages contain `5 min.` (aws-sdk-js-v3 issue 7605).
const SKEW_SECONDS_MAX: i64 = 300;

/// A request as it was received, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct SignedRequest<'a> {
    /// `POST`
    pub method: &'a str,
    /// The path as it was sent, without the query string.
    pub path: &'a str,
    /// The text after `?`, possibly empty.
    pub query: &'a str,
    /// All headers in their order, names in any case.
    pub headers: &'a [(&'a str, &'a [u8])],
    /// The whole body.
    pub body: &'a [u8],
}

/// The signer of a request.
#[derive(Clone, Debug)]
pub struct Identity<'k> {
    /// The key of the signature.
    pub key: &'k AccessKey,
    /// The region of the signature.
    pub region: Box<str>,
}

impl Identity<'_> {
    /// Checks that the key may do all of this, by its own permissions and by the policies of what
    /// is touched.
    pub(crate) fn authorize(
        &self,
        database: &Database,
        touches: &[Touch<'_>],
    ) -> Result<(), Denied> {
        let account = database.account();
        let principal = Principal { name: self.key.name(), account, region: &self.region };
        let verdict = |touch: &Touch<'_>| policy::verdict(database, principal, touch);
        self.key.permissions().authorize_with_policy(principal, touches, verdict)
    }
}

/// Verifies the signature of `request` and returns its signer. Cheap checks come first: text, then
/// the clock, then the hashes.
pub fn verify<'k>(
    request: &SignedRequest<'_>,
    keys: &'k KeyRing,
    now_unix_seconds: i64,
) -> Result<Identity<'k>, SignatureError> {
    verify_for(SERVICE, request, keys, Timestamp::from_unix_seconds(now_unix_seconds))
}

fn verify_for<'k>(
    service: &str,
    request: &SignedRequest<'_>,
    keys: &'k KeyRing,
    now: Timestamp,
) -> Result<Identity<'k>, SignatureError> {
    let headers = DecidingHeaders::find(request.headers);
    let presigned = Presigned::find(request.query)?;
    let authorization = match (headers.authorization, &presigned) {
        (None, None) => return Err(SignatureError::MissingAuthenticationToken),
        (Some(_), Some(_)) => return Err(SignatureError::both_places()),
        (Some(header), None) => Authorization::parse(header, headers.date())?,
        (None, Some(presigned)) => presigned.authorization()?,
    };
    if let Some(name) = headers.repeated {
        return Err(SignatureError::repeated(name));
    }
    let scope = &authorization.credential.scope;
    // A wrong date also makes the scope's day and the signature wrong; this reports the cause.
    check_clock(&authorization, now)?;
    scope.check(service, authorization.signed_at)?;
    headers.check_signed(&authorization)?;
    // Sessions belong to AWS's temporary keys. All keys here are permanent, so no session token is
    // valid.
    if headers.security_token.is_some() || presigned.as_ref().is_some_and(Presigned::has_token) {
        return Err(SignatureError::UnrecognizedClient);
    }
    let key = keys
        .find(authorization.credential.access_key_id)
        .ok_or(SignatureError::UnrecognizedClient)?;
    check_signature(request, &authorization, headers.payload_hash, key)?;
    Ok(Identity { key, region: scope.region.into() })
}

fn check_signature(
    request: &SignedRequest<'_>,
    authorization: &Authorization<'_>,
    claimed_payload: Option<&[u8]>,
    key: &AccessKey,
) -> Result<(), SignatureError> {
    let claimed =
        Signature::parse(authorization.signature).ok_or(SignatureError::SignatureMismatch)?;
    let payload = hash(request.body);
    if claimed_payload.is_some_and(|claimed| claimed.trim_ascii() != hex(&payload)) {
        return Err(SignatureError::SignatureMismatch);
    }
    let canonical_request = canonical::canonical_request(request, authorization, &payload)?;
    let string_to_sign = canonical::string_to_sign(authorization, &canonical_request);
    let scope = &authorization.credential.scope;
    let kept = key.signing_keys.find(scope);
    let is_kept = kept.is_some();
    let signing_key = kept.unwrap_or_else(|| SigningKey::derive(&key.secret, scope));
    if !signing_key.sign(&string_to_sign).matches(&claimed) {
        return Err(SignatureError::SignatureMismatch);
    }
    if !is_kept {
        key.signing_keys.keep(scope, signing_key);
    }
    Ok(())
}

/// Checks that the signature is recent, or within the lifetime of a presigned request, so that an
/// intercepted one is useful only briefly.
fn check_clock(authorization: &Authorization<'_>, now: Timestamp) -> Result<(), SignatureError> {
    let signed = authorization.signed_at;
    let lifetime_seconds = match authorization.location {
        SignatureLocation::Header => SKEW_SECONDS_MAX,
        SignatureLocation::Query { lifetime_seconds } => {
            lifetime_seconds.unwrap_or(SKEW_SECONDS_MAX)
        }
    };
    if signed < now.plus(-lifetime_seconds) {
        return Err(SignatureError::expired(signed, now, lifetime_seconds));
    }
    if signed > now.plus(SKEW_SECONDS_MAX) {
        return Err(SignatureError::not_yet_current(signed, now, SKEW_SECONDS_MAX));
    }
    Ok(())
}

/// The headers that affect the result. Each may appear at most once, because two readers could
/// choose different values.
#[derive(Default)]
struct DecidingHeaders<'a> {
    authorization: Option<&'a [u8]>,
    host: Option<&'a [u8]>,
    amz_date: Option<&'a [u8]>,
    date: Option<&'a [u8]>,
    target: Option<&'a [u8]>,
    payload_hash: Option<&'a [u8]>,
    security_token: Option<&'a [u8]>,
    repeated: Option<&'static str>,
}

impl<'a> DecidingHeaders<'a> {
    fn find(headers: &[(&str, &'a [u8])]) -> Self {
        let mut found = Self::default();
        for (name, value) in headers {
            let places = [
                ("Authorization", &mut found.authorization),
                ("Host", &mut found.host),
                ("X-Amz-Date", &mut found.amz_date),
                ("Date", &mut found.date),
                ("X-Amz-Target", &mut found.target),
                ("X-Amz-Content-Sha256", &mut found.payload_hash),
                ("X-Amz-Security-Token", &mut found.security_token),
            ];
            for (known, place) in places {
                if name.eq_ignore_ascii_case(known) && place.replace(value).is_some() {
                    found.repeated = Some(known);
                }
            }
        }
        found
    }

    fn date(&self) -> RequestDate<'a> {
        match (self.amz_date, self.date) {
            (Some(value), _) => RequestDate::AmzDate(value),
            (None, Some(value)) => RequestDate::Date(value),
            (None, None) => RequestDate::Absent,
        }
    }

    /// Checks that the signature covers the headers that decide where a request goes and what it
    /// does.
    fn check_signed(&self, authorization: &Authorization<'_>) -> Result<(), SignatureError> {
        let signed = &authorization.signed_headers;
        if !signed.contains("host") {
            return Err(SignatureError::unsigned_header("'Host' or ':authority'"));
        }
        for (header, name, shown) in [
            (self.amz_date, "x-amz-date", "'X-Amz-Date'"),
            (self.target, "x-amz-target", "'X-Amz-Target'"),
        ] {
            if header.is_some() && !signed.contains(name) {
                return Err(SignatureError::unsigned_header(shown));
            }
        }
        Ok(())
    }
}
