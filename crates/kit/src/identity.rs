//! Who a request is from: signed tokens, and an identity for development.
//!
//! Whatever the way, the answer is a [`Principal`], nobody, or a refusal. Nothing here knows what
//! somebody may do, and the time is always told, so that expiry can be tested without waiting.

mod claims;
mod development;
mod jwt;
mod key_set;
mod local;
mod secret;
mod token_signature;

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use http::header::AUTHORIZATION;
use http::request::Parts;
use monotable::model::time::Timestamp;

pub use development::DevelopmentIdentity;
pub use jwt::{Jwt, JwtSettings};
pub use key_set::KeySetAlgorithm;
pub use local::LocalIssuer;
pub use secret::Secret;

use crate::call::Principal;
use crate::problem::Problem;

/// Finds out who a request is from, by its head.
pub trait Authenticator: Send + Sync {
    /// Who the request is from; nobody if it does not say.
    ///
    /// It is 401 if it says somebody and does not prove it.
    fn authenticate<'a>(&'a self, head: &'a Parts, now: Timestamp) -> Authenticating<'a>;

    /// Until when the proof that a request shows is good, if it says so itself: what goes on after the
    /// request, such as a stream of events, ends then.
    fn proof_ends_at(&self, _head: &Parts, _now: Timestamp) -> Option<Timestamp> {
        None
    }
}

/// What [`Authenticator::authenticate`] waits for.
pub type Authenticating<'a> =
    Pin<Box<dyn Future<Output = Result<Option<Principal>, Problem>> + Send + 'a>>;

/// Why identities can't be checked as configured.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdentityError {
    /// Who guesses the secret can be anybody.
    #[error("the secret has {bytes} bytes; give it at least {SECRET_BYTES_MIN} random ones")]
    SecretTooShort {
        /// The bytes that it has.
        bytes: usize,
    },
    /// Without keys, nobody can be known.
    #[error("the key set {} can't be used: {reason}", path.display())]
    KeySet {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Anybody could be anybody.
    #[error("in the environment `{environment}` nobody is believed without proof")]
    Production {
        /// The environment.
        environment: String,
    },
}

/// Asks several ways one after the other: the first that finds somebody, or refuses, decides.
pub struct AnyOf(Vec<Arc<dyn Authenticator>>);

impl AnyOf {
    /// These ways, in this order.
    pub fn new(ways: Vec<Arc<dyn Authenticator>>) -> Self {
        Self(ways)
    }
}

impl Authenticator for AnyOf {
    fn authenticate<'a>(&'a self, head: &'a Parts, now: Timestamp) -> Authenticating<'a> {
        Box::pin(async move {
            for way in &self.0 {
                if let Some(principal) = way.authenticate(head, now).await? {
                    return Ok(Some(principal));
                }
            }
            Ok(None)
        })
    }

    fn proof_ends_at(&self, head: &Parts, now: Timestamp) -> Option<Timestamp> {
        self.0.iter().find_map(|way| way.proof_ends_at(head, now))
    }
}

/// The bytes of a secret for HMAC-SHA-256, as many as its hash has.
const SECRET_BYTES_MIN: usize = 32;

/// A secret that is long enough.
fn checked_secret(secret: &[u8]) -> Result<&[u8], IdentityError> {
    match secret.len() {
        bytes if bytes < SECRET_BYTES_MIN => Err(IdentityError::SecretTooShort { bytes }),
        _ => Ok(secret),
    }
}

/// The bearer token of a request, if it has an `Authorization` header.
///
/// # Errors
/// 401 if the header is not `Bearer <token>`.
pub fn bearer(head: &Parts) -> Result<Option<&str>, Problem> {
    let mut headers = head.headers.get_all(AUTHORIZATION).iter();
    let (Some(header), other) = (headers.next(), headers.next()) else { return Ok(None) };
    let token = match (header.to_str().ok().and_then(|text| text.split_once(' ')), other) {
        (Some((scheme, token)), None) if scheme.eq_ignore_ascii_case("bearer") => token.trim(),
        _ => "",
    };
    match token.is_empty() {
        true => Err(Problem::unauthenticated("The Authorization header must be `Bearer <token>`.")),
        false => Ok(Some(token)),
    }
}
