//! Authentication of the services: the secret or the public keys of tokens.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use clap::{Args, ValueEnum};
use monotable_host::{Identity, secrets};
use monotable_kit::{
    Authenticator, DevelopmentIdentity, Jwt, JwtSettings, KeySetAlgorithm, LocalIssuer,
};

/// The default issuer and audience of tokens.
const ISSUER_DEFAULT: &str = "monotable";
const AUDIENCE_DEFAULT: &str = "monotable";
/// The file in a data directory with the secret of its tokens.
const SECRET_FILE: &str = "token-secret";
/// How long the tokens of the demo are valid.
const TOKEN_LIFETIME: Duration = Duration::from_secs(12 * 60 * 60);

// The settings that a server and `monotable token` must have in common.
#[derive(Args, Clone, Debug)]
pub(crate) struct TokenArguments {
    /// The file with the secret that tokens are signed with (HS256); give one to a server in memory and
    /// to `monotable token` [default: DIR/token-secret, created if it does not exist]
    #[arg(long, value_name = "FILE")]
    token_secret: Option<PathBuf>,
    /// The issuer of tokens (claim `iss`)
    #[arg(long, value_name = "NAME", default_value = ISSUER_DEFAULT)]
    issuer: String,
    /// The audience of tokens (claim `aud`)
    #[arg(long, value_name = "NAME", default_value = AUDIENCE_DEFAULT)]
    audience: String,
    /// The claim of tokens that lists the user's roles, such as admin
    #[arg(long, value_name = "NAME", default_value = "roles")]
    roles_claim: String,
}

impl TokenArguments {
    /// Returns the issuer with the secret in a file, or with that of a directory, which is created
    /// if it does not exist.
    pub(crate) fn issuer(&self, directory: &Path) -> Result<LocalIssuer> {
        let secret = match &self.token_secret {
            Some(file) => secrets::read(file)?,
            None => secrets::kept(&directory.join(SECRET_FILE))?,
        };
        Ok(LocalIssuer::new(self.settings(), &secret)?)
    }

    /// Returns whether the secret is in the directory of the data.
    pub(crate) fn is_in_directory(&self) -> bool {
        self.token_secret.is_none()
    }

    fn settings(&self) -> JwtSettings {
        JwtSettings::new(&self.issuer, &self.audience).roles_claim(&self.roles_claim)
    }
}

// The tokens that a server accepts.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Identity")]
pub(crate) struct IdentityArguments {
    #[command(flatten)]
    token: TokenArguments,
    /// Accept tokens signed with the public keys in this file, a JSON Web Key Set, instead
    #[arg(long, value_name = "FILE", conflicts_with = "token_secret")]
    jwks: Option<PathBuf>,
    /// The algorithm of those keys
    #[arg(long, value_enum, requires = "jwks", default_value_t = SignatureAlgorithm::Rs256)]
    algorithm: SignatureAlgorithm,
    /// Trust the header X-User-Id instead of a token: for development, on this machine only;
    /// refused in the environment prod and together with --credentials
    #[arg(long)]
    pub(crate) development_identity: bool,
}

/// Algorithms of public keys.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum SignatureAlgorithm {
    /// RSA, as used by Cognito and Firebase
    Rs256,
    /// The elliptic curve P-256
    Es256,
    /// Ed25519
    Eddsa,
}

impl From<SignatureAlgorithm> for KeySetAlgorithm {
    fn from(algorithm: SignatureAlgorithm) -> Self {
        match algorithm {
            SignatureAlgorithm::Rs256 => Self::Rs256,
            SignatureAlgorithm::Es256 => Self::Es256,
            SignatureAlgorithm::Eddsa => Self::EdDsa,
        }
    }
}

/// The configured identity; a missing secret is created if there is a directory for it.
pub(crate) struct GivenIdentity {
    identity: Option<Identity>,
    settings: JwtSettings,
    /// Trusts the claims of requests, if the flag is set.
    claims: Option<Arc<dyn Authenticator>>,
}

impl GivenIdentity {
    /// Returns the identity of a server with this directory; without one the secret ends with the process.
    pub(crate) fn complete(self, directory: Option<&Path>) -> Result<Identity> {
        let identity = match (self.identity, directory) {
            (Some(identity), _) => identity,
            (None, Some(directory)) => {
                local(&self.settings, &secrets::kept(&directory.join(SECRET_FILE))?)?
            }
            (None, None) => local(&self.settings, &secrets::random())?,
        };
        Ok(match self.claims {
            Some(claims) => identity.trusting(claims),
            None => identity,
        })
    }
}

fn local(settings: &JwtSettings, secret: &[u8]) -> Result<Identity> {
    let issuer = LocalIssuer::new(settings.clone(), secret)?;
    Ok(Identity::local(issuer.lifetime(TOKEN_LIFETIME)))
}

impl IdentityArguments {
    /// Reads the configuration, for the services of an environment.
    pub(crate) fn read(&self, environment: &str) -> Result<GivenIdentity> {
        let settings = self.token.settings();
        let identity = match (&self.jwks, &self.token.token_secret) {
            (Some(file), _) => {
                Some(Identity::remote(Jwt::key_set(settings.clone(), file, self.algorithm.into())?))
            }
            (None, Some(file)) => Some(local(&settings, &secrets::read(file)?)?),
            (None, None) => None,
        };
        let mut claims: Option<Arc<dyn Authenticator>> = None;
        if self.development_identity {
            claims = Some(Arc::new(DevelopmentIdentity::new(environment)?));
        }
        Ok(GivenIdentity { identity, settings, claims })
    }
}
