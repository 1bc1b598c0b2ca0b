//! Who the services believe: the secret or the public keys that tokens are signed with.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use monotable_kit::{
    AnyOf, Authenticator, DevelopmentIdentity, Jwt, JwtSettings, KeySetAlgorithm, LocalIssuer,
    Randomness, SystemRandomness,
};
use sha2::{Digest as _, Sha256};

/// Whom tokens are from and for, unless somebody says so.
const ISSUER_DEFAULT: &str = "monotable";
const AUDIENCE_DEFAULT: &str = "monotable";
/// The files with the secrets of this directory: of its own tokens, and of its cursors.
const SECRET_FILE: &str = "token-secret";
const CURSOR_FILE: &str = "cursor-secret";
const SECRET_BYTES: usize = 32;
/// How long the tokens of the demo are good for.
const TOKEN_LIFETIME: Duration = Duration::from_secs(12 * 60 * 60);

/// Who may sign the tokens of the services' users.
#[derive(Args, Clone, Debug)]
pub(crate) struct IdentityArguments {
    /// Believe tokens signed (HS256) with the secret in this file [default: DIR/token-secret, made
    /// when a service is first asked]
    #[arg(long, value_name = "FILE", conflicts_with = "jwks")]
    token_secret: Option<PathBuf>,
    /// Believe tokens signed with the public keys in this file, a JSON Web Key Set
    #[arg(long, value_name = "FILE")]
    jwks: Option<PathBuf>,
    /// How tokens are signed with those keys
    #[arg(long, value_enum, default_value_t = SignatureAlgorithm::Rs256)]
    algorithm: SignatureAlgorithm,
    /// The claim of a token that lists what else somebody is, such as admin
    #[arg(long, value_name = "NAME", default_value = "roles")]
    roles_claim: String,
    /// Who tokens must be from
    #[arg(long, value_name = "NAME", default_value = ISSUER_DEFAULT)]
    issuer: String,
    /// Whom tokens must be for
    #[arg(long, value_name = "NAME", default_value = AUDIENCE_DEFAULT)]
    audience: String,
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

/// Who the services believe. A secret that nobody gave is made when it is first needed.
pub(crate) struct Identity {
    signers: OnceLock<Signers>,
    settings: JwtSettings,
    /// Where a secret is kept that nobody gave; nowhere if the process must forget it.
    secret_file: Option<PathBuf>,
    /// Believes what requests say of themselves, if that was asked for.
    claimed: Option<Arc<dyn Authenticator>>,
}

/// Who signs tokens.
enum Signers {
    /// Whoever knows a secret, which is ours, too: tokens can be made here.
    Local(LocalIssuer),
    /// Whoever has a private key.
    Remote(Jwt),
}

impl Identity {
    /// What tells who a request is from.
    pub(crate) fn authenticator(&self) -> Result<Arc<dyn Authenticator>> {
        let tokens: Arc<dyn Authenticator> = match self.signers()? {
            Signers::Local(issuer) => Arc::new(issuer.authenticator()),
            Signers::Remote(jwt) => Arc::new(jwt.clone()),
        };
        Ok(match &self.claimed {
            Some(claimed) => Arc::new(AnyOf::new(vec![tokens, Arc::clone(claimed)])),
            None => tokens,
        })
    }

    /// What signs tokens, if that can be done here.
    pub(crate) fn issuer(&self) -> Result<Option<&LocalIssuer>> {
        Ok(match self.signers()? {
            Signers::Local(issuer) => Some(issuer),
            Signers::Remote(_) => None,
        })
    }

    fn signers(&self) -> Result<&Signers> {
        if let Some(signers) = self.signers.get() {
            return Ok(signers);
        }
        let secret = match &self.secret_file {
            Some(file) => kept_secret(file)?,
            None => new_secret(),
        };
        let issuer = LocalIssuer::new(self.settings.clone(), &secret)?.lifetime(TOKEN_LIFETIME);
        // Two who come at once have read the same file, or one of them is second.
        Ok(self.signers.get_or_init(|| Signers::Local(issuer)))
    }
}

impl IdentityArguments {
    /// Reads what was given. `data` is where a secret can be kept, and `development` the environment
    /// in which requests are believed what they say of themselves.
    pub(crate) fn read(&self, data: Option<&Path>, development: Option<&str>) -> Result<Identity> {
        let settings = self.settings();
        let given = match (&self.jwks, &self.token_secret) {
            (Some(file), _) => {
                Some(Signers::Remote(Jwt::key_set(settings.clone(), file, self.algorithm.into())?))
            }
            (None, Some(file)) => {
                let issuer = LocalIssuer::new(settings.clone(), &read_secret(file)?)?;
                Some(Signers::Local(issuer.lifetime(TOKEN_LIFETIME)))
            }
            (None, None) => None,
        };
        let claimed = match development {
            Some(environment) => {
                Some(Arc::new(DevelopmentIdentity::new(environment)?) as Arc<dyn Authenticator>)
            }
            None => None,
        };
        Ok(Identity {
            signers: given.map_or_else(OnceLock::new, OnceLock::from),
            settings,
            secret_file: data.map(|directory| directory.join(SECRET_FILE)),
            claimed,
        })
    }

    /// The secret that a server of this directory uses, for signing a token beside it.
    pub(crate) fn local_issuer(&self, data: &Path) -> Result<LocalIssuer> {
        if self.jwks.is_some() {
            bail!("a key set holds public keys, which sign nothing; give --token-secret FILE");
        }
        let file = self.token_secret.clone().unwrap_or_else(|| data.join(SECRET_FILE));
        Ok(LocalIssuer::new(self.settings(), &read_secret(&file)?)?)
    }

    fn settings(&self) -> JwtSettings {
        JwtSettings::new(&self.issuer, &self.audience).roles_claim(&self.roles_claim)
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
    let text = fs::read(file).with_context(|| {
        format!(
            "the secret {} can't be read; `monotable serve` makes one in its directory when a \
             service is first asked, or name one with --token-secret",
            file.display()
        )
    })?;
    Ok(text.trim_ascii().to_vec())
}

/// The secret in a file, which is made if there is none.
fn kept_secret(file: &Path) -> Result<Vec<u8>> {
    let made = || -> io::Result<()> {
        let mut secret = private(file)?;
        secret.write_all(&new_secret())?;
        secret.sync_all()
    };
    match made() {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => {
            return Err(error)
                .with_context(|| format!("the secret {} can't be made", file.display()));
        }
    }
    read_secret(file)
}

/// A new file that only its owner can read.
fn private(file: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)
}

/// A secret as hexadecimal text, so that it survives editors and terminals.
fn new_secret() -> Vec<u8> {
    let mut bytes = [0; SECRET_BYTES];
    SystemRandomness.fill(&mut bytes);
    bytes.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()).collect()
}
