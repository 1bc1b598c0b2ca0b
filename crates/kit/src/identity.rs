//! Authentication: signed tokens, and an identity for development.
//!
//! Every way returns a [`Principal`], no principal, or a refusal. This module does not decide
//! permissions. It gets the time as an argument, so that tests of expiry need no waiting.

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

/// Authenticates a request by its head.
pub trait Authenticator: Send + Sync {
    /// Returns the caller; `None` if the request does not identify one.
    ///
    /// Returns 401 if the request identifies a caller without proof.
    fn authenticate<'a>(&'a self, head: &'a Parts, now: Timestamp) -> Authenticating<'a>;

    /// Returns when the authentication of a request expires, if that is known: streams of events
    /// that the request opens end then.
    fn proof_ends_at(&self, _head: &Parts, _now: Timestamp) -> Option<Timestamp> {
        None
    }
}

/// The future of [`Authenticator::authenticate`].
pub type Authenticating<'a> =
    Pin<Box<dyn Future<Output = Result<Option<Principal>, Problem>> + Send + 'a>>;

/// Why identities can't be checked as configured.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdentityError {
    /// The secret is so short that it could be guessed.
    #[error("the secret has {bytes} bytes; give it at least {SECRET_BYTES_MIN} random ones")]
    SecretTooShort {
        /// The length of the secret in bytes.
        bytes: usize,
    },
    /// The key set has no usable keys.
    #[error("the key set {} can't be used: {reason}", path.display())]
    KeySet {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A development identity can't be used in production.
    #[error("identities without proof are refused in the environment `{environment}`")]
    Production {
        /// The environment.
        environment: String,
    },
}

/// Tries several ways in order: the first that returns a caller or a refusal decides.
pub struct AnyOf(Vec<Arc<dyn Authenticator>>);

impl AnyOf {
    /// Creates an authenticator that tries these ways in this order.
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

/// Returns a secret that is long enough.
fn checked_secret(secret: &[u8]) -> Result<&[u8], IdentityError> {
    match secret.len() {
        bytes if bytes < SECRET_BYTES_MIN => Err(IdentityError::SecretTooShort { bytes }),
        _ => Ok(secret),
    }
}

/// Returns the bearer token of a request, if it has an `Authorization` header.
///
/// # Errors
/// Returns 401 if the header is not `Bearer <token>`.
pub fn bearer(head: &Parts) -> Result<Option<&str>, Problem> {
    let mut headers = head.headers.get_all(AUTHORIZATION).iter();
    let (Some(header), other) = (headers.next(), headers.next()) else { return Ok(None) };
    let token = match (header.to_str().ok().and_then(|text| text.split_once(' ')), other) {
        (Some((scheme, token)), None) if scheme.eq_ignore_ascii_case("bearer") => token.trim(),
        _ => "",
    };
    if token.is_empty() {
        Err(Problem::unauthenticated("The Authorization header must be `Bearer <token>`."))
    } else {
        Ok(Some(token))
    }
}
