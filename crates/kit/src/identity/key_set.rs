//! The public keys of an issuer, from a file in the form of a JSON Web Key Set.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};
use monotable::model::time::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::IdentityError;

/// The signature algorithms of issuers that publish their keys. None of them is symmetric, so that
/// a public key can't be used to sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeySetAlgorithm {
    /// RSA, as Cognito and Firebase sign.
    Rs256,
    /// The elliptic curve P-256.
    Es256,
    /// Ed25519.
    EdDsa,
}

impl From<KeySetAlgorithm> for Algorithm {
    fn from(algorithm: KeySetAlgorithm) -> Self {
        match algorithm {
            KeySetAlgorithm::Rs256 => Self::RS256,
            KeySetAlgorithm::Es256 => Self::ES256,
            KeySetAlgorithm::EdDsa => Self::EdDSA,
        }
    }
}

/// The minimum time between two reads of the file, however many unknown keys are named.
const REREAD_MIN: Duration = Duration::from_secs(60);
/// Shorter moduli are not secure.
const RSA_BYTES_MIN: usize = 256;

/// The keys of a file, by id.
pub(super) struct KeySet {
    path: PathBuf,
    algorithm: Algorithm,
    state: Mutex<Loaded>,
}

struct Loaded {
    keys: HashMap<String, Arc<DecodingKey>>,
    /// When the file was last read because of an unknown key.
    reread_at: Option<Timestamp>,
}

impl KeySet {
    /// Reads a file.
    pub(super) fn open(path: PathBuf, algorithm: Algorithm) -> Result<Self, IdentityError> {
        let keys = read(&path, algorithm)?;
        Ok(Self { path, algorithm, state: Mutex::new(Loaded { keys, reread_at: None }) })
    }

    /// Returns the key with this id. An unknown key may be new in the file: issuers change their
    /// keys.
    pub(super) fn key(&self, id: &str, now: Timestamp) -> Option<Arc<DecodingKey>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // After the clock was set back, the file must not stay unread until the clock has caught
        // up.
        let is_due = state
            .reread_at
            .is_none_or(|reread_at| now < reread_at || now.since(reread_at) >= REREAD_MIN);
        if !state.keys.contains_key(id) && is_due {
            state.reread_at = Some(now);
            // If the file can't be read now, the keys stay unchanged.
            if let Ok(keys) = read(&self.path, self.algorithm) {
                state.keys = keys;
            }
        }
        state.keys.get(id).cloned()
    }
}

#[derive(Deserialize)]
struct File {
    keys: Vec<Value>,
}

fn read(
    path: &PathBuf,
    algorithm: Algorithm,
) -> Result<HashMap<String, Arc<DecodingKey>>, IdentityError> {
    let unreadable = |reason: String| IdentityError::KeySet { path: path.clone(), reason };
    let text = fs::read(path).map_err(|error| unreadable(error.to_string()))?;
    let file: File =
        serde_json::from_slice(&text).map_err(|error| unreadable(error.to_string()))?;
    // The set may also have keys of other kinds.
    let keys: HashMap<_, _> =
        file.keys.into_iter().filter_map(|key| usable(key, algorithm)).collect();
    if keys.is_empty() {
        Err(unreadable(format!("it has no key with an id for {algorithm:?}")))
    } else {
        Ok(keys)
    }
}

/// Returns a key with its id, if it is a public key for the signature algorithm.
fn usable(key: Value, algorithm: Algorithm) -> Option<(String, Arc<DecodingKey>)> {
    let key: Jwk = serde_json::from_value(key).ok()?;
    let named = key.common.key_algorithm.map(|named| named.to_string());
    let is_other_algorithm = named.is_some_and(|named| named != format!("{algorithm:?}"));
    let is_for_secrets = !matches!(key.common.public_key_use, None | Some(PublicKeyUse::Signature));
    let is_secret = matches!(key.algorithm, AlgorithmParameters::OctetKey(_));
    if is_other_algorithm || is_for_secrets || is_secret {
        return None;
    }
    let decoding = DecodingKey::from_jwk(&key).ok()?;
    let is_weak = matches!(decoding.kind(), DecodingKeyKind::RsaModulusExponent { n, .. } if n.len() < RSA_BYTES_MIN);
    let is_usable = decoding.family() == algorithm.family() && !is_weak;
    is_usable.then_some((key.common.key_id?, Arc::new(decoding)))
}
