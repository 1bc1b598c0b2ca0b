//! An issuer of tokens in this process, for demonstrations and tests.

use std::time::Duration;

use monotable::model::time::Timestamp;
use serde_json::json;

use super::{IdentityError, Jwt, JwtSettings, checked_secret, token_signature};
use crate::call::Principal;

/// Signs tokens (HS256) that its own [`authenticator`](LocalIssuer::authenticator) accepts.
///
/// ```
/// use monotable::model::time::Timestamp;
/// use monotable_kit::{JwtSettings, LocalIssuer, Principal};
///
/// let settings = JwtSettings::new("https://issuer.example", "hacktracker");
/// let issuer = LocalIssuer::new(settings, b"0123456789abcdef0123456789abcdef")?;
/// let ann = Principal { id: "u1".into(), email: None, email_verified: false, roles: vec![] };
///
/// let now = Timestamp::EPOCH;
/// let token = issuer.token(&ann, now);
/// assert_eq!(issuer.authenticator().verify(&token, now), Ok(ann));
/// # Ok::<(), monotable_kit::IdentityError>(())
/// ```
pub struct LocalIssuer {
    settings: JwtSettings,
    secret: Vec<u8>,
    lifetime: Duration,
}

impl LocalIssuer {
    /// Creates an issuer with a secret, whose tokens are valid for an hour.
    ///
    /// # Errors
    /// Fails if the secret is short enough to be guessed.
    pub fn new(settings: JwtSettings, secret: &[u8]) -> Result<Self, IdentityError> {
        let secret = checked_secret(secret)?.to_vec();
        Ok(Self { settings, secret, lifetime: Duration::from_secs(60 * 60) })
    }

    /// Sets how long tokens are valid, in whole seconds.
    #[must_use]
    pub fn lifetime(mut self, lifetime: Duration) -> Self {
        self.lifetime = lifetime;
        self
    }

    /// Returns a token for a principal, issued now.
    pub fn token(&self, principal: &Principal, now: Timestamp) -> String {
        let mut claims = json!({
            "iss": self.settings.issuer,
            "aud": self.settings.audiences,
            "sub": principal.id,
            "iat": now.epoch_seconds().as_seconds(),
            "exp": (now + self.lifetime).epoch_seconds().as_seconds(),
            "email_verified": principal.email_verified,
        });
        claims[&self.settings.roles_claim] = json!(principal.roles);
        if let Some(email) = &principal.email {
            claims["email"] = json!(email);
        }
        token_signature::signed(&claims, &self.secret)
    }

    /// Returns an authenticator that accepts the tokens of this issuer.
    pub fn authenticator(&self) -> Jwt {
        match Jwt::shared_secret(self.settings.clone(), &self.secret) {
            Ok(jwt) => jwt,
            Err(error) => unreachable!("the secret was checked before: {error}"),
        }
    }
}
