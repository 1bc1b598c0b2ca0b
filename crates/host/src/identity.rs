//! Whose requests the services accept.

use std::sync::Arc;

use monotable_kit::{AnyOf, Authenticator, Jwt, LocalIssuer};

/// Authenticates the requests to all services.
pub struct Identity {
    signers: Signers,
    claims: Option<Arc<dyn Authenticator>>,
}

/// Those that sign tokens.
enum Signers {
    /// Everyone who has a secret that this process has too, so that it can sign tokens.
    Local(LocalIssuer),
    /// Everyone who has a private key.
    Remote(Jwt),
}

impl Identity {
    /// Accepts the tokens of an issuer in this process.
    pub fn local(issuer: LocalIssuer) -> Self {
        Self { signers: Signers::Local(issuer), claims: None }
    }

    /// Accepts tokens that are signed elsewhere.
    pub fn remote(tokens: Jwt) -> Self {
        Self { signers: Signers::Remote(tokens), claims: None }
    }

    /// Also accepts what requests claim without a proof, which is for development on one machine.
    #[must_use]
    pub fn trusting(mut self, claims: Arc<dyn Authenticator>) -> Self {
        self.claims = Some(claims);
        self
    }

    /// Returns what authenticates requests.
    pub fn authenticator(&self) -> Arc<dyn Authenticator> {
        let tokens: Arc<dyn Authenticator> = match &self.signers {
            Signers::Local(issuer) => Arc::new(issuer.authenticator()),
            Signers::Remote(jwt) => Arc::new(jwt.clone()),
        };
        match &self.claims {
            Some(claims) => Arc::new(AnyOf::new(vec![tokens, Arc::clone(claims)])),
            None => tokens,
        }
    }

    /// Returns what signs tokens, if this process can.
    pub fn issuer(&self) -> Option<&LocalIssuer> {
        match &self.signers {
            Signers::Local(issuer) => Some(issuer),
            Signers::Remote(_) => None,
        }
    }

    /// Returns whether requests may name their user without a proof. Only requests of the same machine
    /// may reach services then.
    pub fn trusts_claims(&self) -> bool {
        self.claims.is_some()
    }
}
