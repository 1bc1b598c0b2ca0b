//! Signatures of bearer tokens.
//!
//! They are checked with ring, which TLS needs anyway; the algorithms that jsonwebtoken can bring are 30
//! crates, most of them never used here.

use base64_simd::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents,
    UnparsedPublicKey, VerificationAlgorithm,
};
use serde_json::{Value, json};
use sha2::Sha256;

/// Returns whether the signature of a token was made with the algorithm and the key.
pub(super) fn is_valid(token: &str, algorithm: Algorithm, key: &DecodingKey) -> bool {
    let Some((message, signature)) = token.rsplit_once('.') else { return false };
    let Ok(signature) = URL_SAFE_NO_PAD.decode_to_vec(signature) else { return false };
    let message = message.as_bytes();
    match (algorithm, key.kind()) {
        (Algorithm::HS256, DecodingKeyKind::SecretOrDer(secret)) => {
            hmac(message, secret).verify_slice(&signature).is_ok()
        }
        (Algorithm::RS256, DecodingKeyKind::RsaModulusExponent { n, e }) => {
            let key = RsaPublicKeyComponents { n, e };
            key.verify(&RSA_PKCS1_2048_8192_SHA256, message, &signature).is_ok()
        }
        (Algorithm::ES256, DecodingKeyKind::SecretOrDer(point)) => {
            is_valid_on_curve(&ECDSA_P256_SHA256_FIXED, point, message, &signature)
        }
        (Algorithm::EdDSA, DecodingKeyKind::SecretOrDer(point)) => {
            is_valid_on_curve(&ED25519, point, message, &signature)
        }
        _ => false,
    }
}

fn is_valid_on_curve(
    algorithm: &'static dyn VerificationAlgorithm,
    point: &[u8],
    message: &[u8],
    signature: &[u8],
) -> bool {
    UnparsedPublicKey::new(algorithm, point).verify(message, signature).is_ok()
}

/// Returns a token with these claims, signed with a secret (HS256).
pub(super) fn signed(claims: &Value, secret: &[u8]) -> String {
    let encoded = |value: &Value| URL_SAFE_NO_PAD.encode_to_string(value.to_string());
    let header = json!({ "typ": "JWT", "alg": "HS256" });
    let message = format!("{}.{}", encoded(&header), encoded(claims));
    let signature = hmac(message.as_bytes(), secret).finalize().into_bytes();
    format!("{message}.{}", URL_SAFE_NO_PAD.encode_to_string(signature))
}

fn hmac(message: &[u8], secret: &[u8]) -> Hmac<Sha256> {
    match Hmac::<Sha256>::new_from_slice(secret) {
        Ok(hmac) => hmac.chain_update(message),
        Err(error) => unreachable!("HMAC takes keys of any length: {error}"),
    }
}
