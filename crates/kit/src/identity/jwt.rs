//! Signed bearer tokens (JSON Web Tokens): one issuer, one algorithm, known audiences.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use jsonwebtoken::dangerous::insecure_decode_claims;
use jsonwebtoken::{Algorithm, DecodingKey, decode_header};
use monotable::model::time::Timestamp;

use super::claims::{self, Claims, Refusal};
use super::key_set::{KeySet, KeySetAlgorithm};
use super::token_signature;
use super::{Authenticating, Authenticator, IdentityError, bearer, checked_secret};
use crate::call::Principal;
use crate::problem::Problem;

/// The requirements for a token besides its signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JwtSettings {
    /// The required issuer: `iss`.
    pub issuer: String,
    /// The accepted audiences: `aud`, or Cognito's `client_id`, must be or contain one of these.
    pub audiences: Vec<String>,
    /// The accepted difference between the issuer's clock and this one; a minute by default.
    pub leeway: Duration,
    /// The claim that lists roles, such as `cognito:groups`; `roles` by default.
    pub roles_claim: String,
}

impl JwtSettings {
    /// Requires this issuer and audience.
    pub fn new(issuer: impl Into<String>, audience: impl Into<String>) -> Self {
        Self {
            issuer: issuer.into(),
            audiences: vec![audience.into()],
            leeway: Duration::from_secs(60),
            roles_claim: "roles".to_owned(),
        }
    }

    /// Accepts another audience, too.
    #[must_use]
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audiences.push(audience.into());
        self
    }

    /// Accepts this difference between the clocks, in whole seconds.
    #[must_use]
    pub fn leeway(mut self, leeway: Duration) -> Self {
        self.leeway = leeway;
        self
    }

    /// Reads roles from another claim.
    #[must_use]
    pub fn roles_claim(mut self, claim: impl Into<String>) -> Self {
        self.roles_claim = claim.into();
        self
    }
}

/// Accepts signed bearer tokens. The algorithm is configured and not taken from the token, so that
/// a token signed with a public key as a secret, or not signed at all, is refused. Clones share the
/// keys.
#[derive(Clone)]
pub struct Jwt {
    settings: JwtSettings,
    algorithm: Algorithm,
    keys: Keys,
}

/// The keys that verify signatures.
#[derive(Clone)]
enum Keys {
    Shared(Arc<DecodingKey>),
    Published(Arc<KeySet>),
}

impl Jwt {
    /// Accepts tokens that are signed with a secret that is shared with the issuer: HS256.
    ///
    /// # Errors
    /// Fails if the secret is short enough to be guessed.
    pub fn shared_secret(settings: JwtSettings, secret: &[u8]) -> Result<Self, IdentityError> {
        let key = Arc::new(DecodingKey::from_secret(checked_secret(secret)?));
        Ok(Self { settings, algorithm: Algorithm::HS256, keys: Keys::Shared(key) })
    }

    /// Accepts tokens that are signed with one of the keys that the issuer publishes, in a file in
    /// the form of a JSON Web Key Set. When a token names an unknown key, the file is read again,
    /// at most once a minute.
    ///
    /// # Errors
    /// Fails if the file has no key for the algorithm, or can't be read.
    pub fn key_set(
        settings: JwtSettings,
        path: impl Into<PathBuf>,
        algorithm: KeySetAlgorithm,
    ) -> Result<Self, IdentityError> {
        let algorithm = algorithm.into();
        let keys = Keys::Published(Arc::new(KeySet::open(path.into(), algorithm)?));
        Ok(Self { settings, algorithm, keys })
    }

    /// Returns the principal of a token.
    ///
    /// # Errors
    /// Returns 401 if the signature, the issuer, the audience or the time is not valid.
    pub fn verify(&self, token: &str, now: Timestamp) -> Result<Principal, Problem> {
        self.claims(token, now)
            .and_then(|claims| claims::principal(&claims, &self.settings, now))
            .map_err(Problem::unauthenticated)
    }

    /// Returns the claims of a token, if its signature is valid.
    fn claims(&self, token: &str, now: Timestamp) -> Result<Claims, Refusal> {
        let header = decode_header(token).map_err(|_| "The token is malformed.")?;
        if header.alg != self.algorithm {
            return Err("The token is signed with another algorithm.");
        }
        if header.crit.is_some() {
            return Err("The token requires an unknown extension.");
        }
        let key = match &self.keys {
            Keys::Shared(key) => Arc::clone(key),
            Keys::Published(keys) => {
                let id = header.kid.ok_or("The token does not name its key.")?;
                keys.key(&id, now).ok_or("The token is signed with an unknown key.")?
            }
        };
        if !token_signature::is_valid(token, self.algorithm, &key) {
            return Err("The token's signature is wrong.");
        }
        // The signature was checked above, and the claims are checked by the caller, at the caller's time.
        insecure_decode_claims(token).map_err(|_| "The token is malformed.")
    }
}

impl Authenticator for Jwt {
    fn authenticate<'a>(&'a self, head: &'a Parts, now: Timestamp) -> Authenticating<'a> {
        let found =
            bearer(head).and_then(|token| token.map(|token| self.verify(token, now)).transpose());
        Box::pin(std::future::ready(found))
    }

    fn proof_ends_at(&self, head: &Parts, now: Timestamp) -> Option<Timestamp> {
        let claims = self.claims(bearer(head).ok()??, now).ok()?;
        claims::ends_at(&claims, self.settings.leeway)
    }
}
