//! Whose requests the services accept: the secret or the public keys that tokens are signed with.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use monotable_kit::{
    AnyOf, Authenticator, DevelopmentIdentity, Jwt, JwtSettings, KeySetAlgorithm, LocalIssuer,
    Randomness, SystemRandomness,
};
use sha2::{Digest as _, Sha256};

/// The issuer and the audience of tokens, unless a flag says so.
const ISSUER_DEFAULT: &str = "monotable";
const AUDIENCE_DEFAULT: &str = "monotable";
/// The files with the secrets of this directory: of its own tokens, and of its cursors.
const SECRET_FILE: &str = "token-secret";
const CURSOR_FILE: &str = "cursor-secret";
/// The random bytes of a secret; a file with fewer bytes is refused.
const SECRET_BYTES: usize = 32;
/// How long the tokens of the demo are valid.
const TOKEN_LIFETIME: Duration = Duration::from_secs(12 * 60 * 60);

// What a server and `monotable token` must agree on.
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
    /// What signs tokens with the secret in a file, or with that of a directory, which is created if it
    /// does not exist.
    pub(crate) fn issuer(&self, directory: &Path) -> Result<LocalIssuer> {
        let secret = match &self.token_secret {
            Some(file) => read_secret(file)?,
            None => kept_secret(&directory.join(SECRET_FILE))?,
        };
        Ok(LocalIssuer::new(self.settings(), &secret)?)
    }

    /// Whether the secret is in the directory of the data.
    pub(crate) fn is_in_directory(&self) -> bool {
        self.token_secret.is_none()
    }

    fn settings(&self) -> JwtSettings {
        JwtSettings::new(&self.issuer, &self.audience).roles_claim(&self.roles_claim)
    }
}

// Whose tokens a server accepts.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Identity")]
pub(crate) struct IdentityArguments {
    #[command(flatten)]
    token: TokenArguments,
    /// Accept tokens signed with the public keys in this file, a JSON Web Key Set, instead
    #[arg(long, value_name = "FILE", conflicts_with = "token_secret")]
    jwks: Option<PathBuf>,
    /// How tokens are signed with those keys
    #[arg(long, value_enum, requires = "jwks", default_value_t = SignatureAlgorithm::Rs256)]
    algorithm: SignatureAlgorithm,
    /// Trust the header X-User-Id instead of a token: for development, on this machine only, never in
    /// the environment prod or beside --credentials
    #[arg(long)]
    pub(crate) development_identity: bool,
}

/// Algorithms of public keys.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum SignatureAlgorithm {
    /// RSA, as Cognito and Firebase sign
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

/// Whose requests the services accept.
pub(crate) struct Identity {
    signers: Signers,
    /// Accepts what requests claim, if a flag says so.
    claimed: Option<Arc<dyn Authenticator>>,
}

/// Who signs tokens.
enum Signers {
    /// Everyone who has a secret, which we have too: tokens can be made here.
    Local(LocalIssuer),
    /// Everyone who has a private key.
    Remote(Jwt),
}

/// What was given of an identity; the secret that was not is made when there is a directory for it.
pub(crate) struct GivenIdentity {
    signers: Option<Signers>,
    settings: JwtSettings,
    claimed: Option<Arc<dyn Authenticator>>,
}

impl GivenIdentity {
    /// The identity of a server with this directory; without one the secret ends with the process.
    pub(crate) fn complete(self, directory: Option<&Path>) -> Result<Identity> {
        let signers = match (self.signers, directory) {
            (Some(signers), _) => signers,
            (None, Some(directory)) => {
                local(&self.settings, &kept_secret(&directory.join(SECRET_FILE))?)?
            }
            (None, None) => local(&self.settings, &new_secret())?,
        };
        Ok(Identity { signers, claimed: self.claimed })
    }
}

fn local(settings: &JwtSettings, secret: &[u8]) -> Result<Signers> {
    Ok(Signers::Local(LocalIssuer::new(settings.clone(), secret)?.lifetime(TOKEN_LIFETIME)))
}

impl Identity {
    /// What authenticates requests.
    pub(crate) fn authenticator(&self) -> Arc<dyn Authenticator> {
        let tokens: Arc<dyn Authenticator> = match &self.signers {
            Signers::Local(issuer) => Arc::new(issuer.authenticator()),
            Signers::Remote(jwt) => Arc::new(jwt.clone()),
        };
        match &self.claimed {
            Some(claimed) => Arc::new(AnyOf::new(vec![tokens, Arc::clone(claimed)])),
            None => tokens,
        }
    }

    /// What signs tokens, if that can be done here.
    pub(crate) fn issuer(&self) -> Option<&LocalIssuer> {
        match &self.signers {
            Signers::Local(issuer) => Some(issuer),
            Signers::Remote(_) => None,
        }
    }

    /// Whether requests are trusted to name their user.
    pub(crate) fn is_claimed(&self) -> bool {
        self.claimed.is_some()
    }
}

impl IdentityArguments {
    /// Reads what was given, for the services of an environment.
    pub(crate) fn read(&self, environment: &str) -> Result<GivenIdentity> {
        let settings = self.token.settings();
        let signers = match (&self.jwks, &self.token.token_secret) {
            (Some(file), _) => {
                Some(Signers::Remote(Jwt::key_set(settings.clone(), file, self.algorithm.into())?))
            }
            (None, Some(file)) => Some(local(&settings, &read_secret(file)?)?),
            (None, None) => None,
        };
        let claimed = match self.development_identity {
            true => {
                Some(Arc::new(DevelopmentIdentity::new(environment)?) as Arc<dyn Authenticator>)
            }
            false => None,
        };
        Ok(GivenIdentity { signers, settings, claimed })
    }
}

/// The key that cursors are signed with: the same after a restart, where there is a directory.
pub(crate) fn cursor_key(data: Option<&Path>) -> Result<[u8; 32]> {
    let secret = match data {
        Some(directory) => kept_secret(&directory.join(CURSOR_FILE))?,
        None => new_secret(),
    };
    Ok(Sha256::digest(secret).into())
}

fn read_secret(file: &Path) -> Result<Vec<u8>> {
    let text =
        fs::read(file).with_context(|| format!("the secret {} can't be read", file.display()))?;
    let secret = text.trim_ascii();
    if secret.len() < SECRET_BYTES {
        bail!(
            "the secret in {} has {} bytes; write at least {SECRET_BYTES} random ones to the file",
            file.display(),
            secret.len()
        );
    }
    Ok(secret.to_vec())
}

/// The secret in a file, which is created if it does not exist.
fn kept_secret(file: &Path) -> Result<Vec<u8>> {
    if !file.exists() {
        create_secret(file)
            .with_context(|| format!("the secret {} can't be created", file.display()))?;
    }
    read_secret(file)
}

/// Creates a secret that only its owner can read. Of two processes that do so at once, one is first, and
/// nobody reads half a secret.
fn create_secret(file: &Path) -> io::Result<()> {
    let draft = file.with_extension(format!("creating-{}", std::process::id()));
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&draft).and_then(|mut secret| {
        secret.write_all(&new_secret())?;
        secret.sync_all()?;
        fs::hard_link(&draft, file)
    });
    let _ = fs::remove_file(&draft);
    match written {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        written => written,
    }
}

/// A secret as hexadecimal text, so that it survives editors and terminals.
fn new_secret() -> Vec<u8> {
    let mut bytes = [0; SECRET_BYTES];
    SystemRandomness.fill(&mut bytes);
    bytes.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()).collect()
}
