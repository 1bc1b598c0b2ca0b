//! The key that signs the requests of one day to one region, and a small cache of such keys.

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::credential::CredentialScope;
use super::key_ring::SecretKey;
use super::signature::{Hash, Signature};

/// The size of the cache. There is one key per day and region, and a client rarely uses more than
/// two regions.
const KEPT_MAX: usize = 4;

/// A key derived from a secret for one scope, ready to sign.
#[derive(Clone)]
pub(super) struct SigningKey(Hmac<Sha256>);

impl SigningKey {
    /// Derives the key: each element of the scope is signed with the previous key.
    pub(super) fn derive(secret: &SecretKey, scope: &CredentialScope<'_>) -> Self {
        let CredentialScope { date, region, service, terminator } = *scope;
        let mut key = keyed(secret.seed());
        for element in [date, region, service, terminator] {
            key = keyed(&signed(key, element.as_bytes()));
        }
        Self(key)
    }

    /// Signs a string to sign.
    pub(super) fn sign(&self, text: &[u8]) -> Signature {
        Signature::new(signed(self.0.clone(), text))
    }
}

fn keyed(key: &[u8]) -> Hmac<Sha256> {
    match Hmac::new_from_slice(key) {
        Ok(hmac) => hmac,
        Err(_) => unreachable!("HMAC takes keys of every length"),
    }
}

fn signed(mut hmac: Hmac<Sha256>, text: &[u8]) -> Hash {
    hmac.update(text);
    hmac.finalize().into_bytes().into()
}

/// The most recently used signing keys of one access key. Bounded and without a lock: a slot holds
/// one key, and a new key replaces it.
#[derive(Default)]
pub(super) struct SigningKeys([ArcSwapOption<Kept>; KEPT_MAX]);

struct Kept {
    date: Box<str>,
    region: Box<str>,
    key: SigningKey,
}

impl SigningKeys {
    /// Returns the key of a scope, whose service and terminator have been checked and are therefore
    /// always the same.
    pub(super) fn find(&self, scope: &CredentialScope<'_>) -> Option<SigningKey> {
        let kept = self.slot(scope).load();
        let kept = kept.as_ref()?;
        (*kept.date == *scope.date && *kept.region == *scope.region).then(|| kept.key.clone())
    }

    /// Caches a key. Call it only after a signature has matched, so that unauthenticated callers
    /// cannot fill the cache.
    pub(super) fn keep(&self, scope: &CredentialScope<'_>, key: SigningKey) {
        let kept = Kept { date: scope.date.into(), region: scope.region.into(), key };
        self.slot(scope).store(Some(Arc::new(kept)));
    }

    fn slot(&self, scope: &CredentialScope<'_>) -> &ArcSwapOption<Kept> {
        let bytes = scope.date.bytes().chain(scope.region.bytes());
        &self.0[bytes.map(usize::from).sum::<usize>() % KEPT_MAX]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sigv4::signature::hex;

    const SCOPE: CredentialScope<'_> = CredentialScope {
        date: "20150830",
        region: "us-east-1",
        service: "iam",
        terminator: "aws4_request",
    };

    fn secret() -> SecretKey {
        SecretKey::new("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
    }

    /// Compares the signature of the example in AWS's documentation, for the string to sign given
    /// there.
    #[test]
    fn the_documented_example_has_the_documented_signature() {
        let text = "AWS4-HMAC-SHA256\n20150830T123600Z\n20150830/us-east-1/iam/aws4_request\n\
                    f536975d06c0309214f805bb90ccff089219ecd68b2577efef23edd43b7e1a59";
        let expected = "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7";
        let signature = SigningKey::derive(&secret(), &SCOPE).sign(text.as_bytes());
        assert!(signature.matches(&Signature::parse(expected).unwrap()));
    }

    #[test]
    fn a_key_is_kept_for_its_own_day_and_region() {
        let keys = SigningKeys::default();
        let key = SigningKey::derive(&secret(), &SCOPE);
        assert!(keys.find(&SCOPE).is_none());
        keys.keep(&SCOPE, key.clone());
        assert!(keys.find(&SCOPE).unwrap().sign(b"a").matches(&key.sign(b"a")));
        for other in [
            CredentialScope { date: "20150831", ..SCOPE },
            CredentialScope { region: "us-east-2", ..SCOPE },
            // The same sum of bytes, therefore the same slot.
            CredentialScope { date: "20150803", ..SCOPE },
            CredentialScope { region: "su-east-1", ..SCOPE },
        ] {
            assert!(keys.find(&other).is_none(), "{other:?}");
        }
    }

    #[test]
    fn a_long_key_is_hashed_first() {
        // RFC 4231, test case 6: a key longer than a block.
        let signature =
            signed(keyed(&[0xaa; 131]), b"Test Using Larger Than Block-Size Key - Hash Key First");
        assert_eq!(
            std::str::from_utf8(&hex(&signature)).unwrap(),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        );
    }
}
