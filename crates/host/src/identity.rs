//! Authentication of the services.

use std::sync::Arc;

use monotable_kit::{AnyOf, Authenticator, Jwt, LocalIssuer};

/// Authenticates the requests to all services.
pub struct Identity {
    signers: Signers,
    claims: Option<Arc<dyn Authenticator>>,
}

/// How tokens are signed.
enum Signers {
    /// With a secret of this process, so that it can sign tokens, too.
    Local(LocalIssuer),
    /// With private keys elsewhere.
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

    /// Also trusts claims without proof, for development on one machine.
    #[must_use]
    pub fn trusting(mut self, claims: Arc<dyn Authenticator>) -> Self {
        self.claims = Some(claims);
        self
    }

    /// Returns the authenticator.
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

    /// Returns the issuer, if this process can sign tokens.
    pub fn issuer(&self) -> Option<&LocalIssuer> {
        match &self.signers {
            Signers::Local(issuer) => Some(issuer),
            Signers::Remote(_) => None,
        }
    }

    /// Returns whether requests may name their user without a proof. Then only requests from this
    /// machine may reach services.
    pub fn trusts_claims(&self) -> bool {
        self.claims.is_some()
    }
}
