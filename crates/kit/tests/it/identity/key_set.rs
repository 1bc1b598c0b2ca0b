//! Tokens that are signed with published keys. The tokens and keys beside this file are made once, and
//! nobody has the private keys any more.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use monotable_kit::{IdentityError, Jwt, JwtSettings, KeySetAlgorithm, Principal};
use serde_json::{Value, json};

use super::now;

const KEYS: &str = include_str!("keys.json");
const RS256: &str = include_str!("rs256.jwt");
const ES256: &str = include_str!("es256.jwt");

fn settings() -> JwtSettings {
    JwtSettings::new("https://issuer.example", "hacktracker").roles_claim("cognito:groups")
}

/// A file that goes with the test.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let file = format!("monotable-kit-keys-{name}-{}.json", std::process::id());
        let file = Self(std::env::temp_dir().join(file));
        file.write(text);
        file
    }

    fn write(&self, text: &str) {
        fs::write(&self.0, text).unwrap();
    }

    fn open(&self, algorithm: KeySetAlgorithm) -> Result<Jwt, IdentityError> {
        Jwt::key_set(settings(), &self.0, algorithm)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn admin() -> Principal {
    let roles = vec!["admin".to_owned()];
    Principal { id: "u1".to_owned(), email: None, email_verified: false, roles }
}

/// A key of Ed25519 from 32 bytes: what PKCS #8 puts around them.
fn ed25519(seed: u8) -> EncodingKey {
    let mut der = vec![0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
    der.extend([seed; 32]);
    EncodingKey::from_ed_der(&der)
}

fn published(seed: u8, id: &str) -> Value {
    let mut key = Jwk::from_encoding_key(&ed25519(seed), Algorithm::EdDSA).unwrap();
    key.common.key_id = Some(id.to_owned());
    serde_json::to_value(key).unwrap()
}

fn signed(seed: u8, id: Option<&str>) -> String {
    let claims = json!({
        "iss": "https://issuer.example", "aud": "hacktracker", "sub": "u1",
        "exp": 1_800_003_600, "cognito:groups": ["admin"],
    });
    let header = Header { kid: id.map(str::to_owned), ..Header::new(Algorithm::EdDSA) };
    encode(&header, &claims, &ed25519(seed)).unwrap()
}

fn message(jwt: &Jwt, token: &str) -> String {
    jwt.verify(token, now()).unwrap_err().message
}

#[test]
fn each_algorithm_takes_its_own_tokens_only() {
    let file = File::new("each", KEYS);
    let (rsa, ec) = (file.open(KeySetAlgorithm::Rs256), file.open(KeySetAlgorithm::Es256));
    let (rsa, ec) = (rsa.unwrap(), ec.unwrap());
    assert_eq!(rsa.verify(RS256.trim(), now()), Ok(admin()));
    assert_eq!(ec.verify(ES256.trim(), now()), Ok(admin()));
    assert_eq!(message(&rsa, ES256.trim()), "The token is signed with another algorithm.");
    assert_eq!(message(&ec, RS256.trim()), "The token is signed with another algorithm.");
    assert!(file.open(KeySetAlgorithm::EdDsa).is_err());
}

#[test]
fn an_altered_or_old_token_is_nothing() {
    let file = File::new("altered", KEYS);
    let rsa = file.open(KeySetAlgorithm::Rs256).unwrap();
    let (message_part, signature) = RS256.trim().rsplit_once('.').unwrap();
    let altered = format!("{message_part}.A{}", &signature[1..]);
    assert_eq!(message(&rsa, &altered), "The token's signature is wrong.");
    let later = now() + Duration::from_secs(3_660);
    assert_eq!(rsa.verify(RS256.trim(), later).unwrap_err().message, "The token has expired.");
}

#[test]
fn a_public_key_is_no_secret_to_sign_with() {
    let file = File::new("confusion", KEYS);
    let rsa = file.open(KeySetAlgorithm::Rs256).unwrap();
    let keys: Value = serde_json::from_str(KEYS).unwrap();
    let modulus = keys["keys"][0]["n"].as_str().unwrap();
    for (id, secret) in [("rsa-1", modulus.as_bytes()), ("secret", &[b'0'; 32])] {
        let header = Header { kid: Some(id.to_owned()), ..Header::new(Algorithm::HS256) };
        let claims = json!({ "sub": "u1" });
        let token = encode(&header, &claims, &EncodingKey::from_secret(secret)).unwrap();
        assert_eq!(message(&rsa, &token), "The token is signed with another algorithm.");
    }
}

#[test]
fn keys_for_other_things_are_none() {
    let file = File::new("others", KEYS);
    let rsa = file.open(KeySetAlgorithm::Rs256).unwrap();
    let (_, rest) = RS256.trim().split_once('.').unwrap();
    for id in ["encryption", "other-algorithm", "short", "secret", "odd", "ec-1", "missing"] {
        let header = json!({ "alg": "RS256", "kid": id }).to_string();
        let header = base64_simd::URL_SAFE_NO_PAD.encode_to_string(header);
        let token = format!("{header}.{rest}");
        assert_eq!(message(&rsa, &token), "The token is signed with an unknown key.", "{id}");
    }
}

#[test]
fn a_new_key_is_found_in_the_file_once_a_minute_at_most() {
    let file = File::new("new", &json!({ "keys": [published(1, "one")] }).to_string());
    let jwt = file.open(KeySetAlgorithm::EdDsa).unwrap();
    assert_eq!(jwt.verify(&signed(1, Some("one")), now()), Ok(admin()));
    assert_eq!(message(&jwt, &signed(1, None)), "The token does not name its key.");
    assert_eq!(message(&jwt, &signed(2, Some("one"))), "The token's signature is wrong.");
    assert_eq!(message(&jwt, &signed(2, Some("two"))), "The token is signed with an unknown key.");

    // The issuer has changed its keys, but the file was read just now.
    file.write(&json!({ "keys": [published(2, "two")] }).to_string());
    let two = signed(2, Some("two"));
    assert!(jwt.verify(&two, now() + Duration::from_secs(59)).is_err());
    assert_eq!(jwt.verify(&two, now() + Duration::from_secs(60)), Ok(admin()));
    assert!(jwt.verify(&signed(1, Some("one")), now() + Duration::from_secs(61)).is_err());

    // A file that is broken leaves the keys as they are.
    file.write("{");
    assert!(jwt.verify(&signed(3, Some("three")), now() + Duration::from_secs(200)).is_err());
    assert_eq!(jwt.verify(&two, now() + Duration::from_secs(200)), Ok(admin()));

    // The clock is set back.
    file.write(&json!({ "keys": [published(3, "three")] }).to_string());
    assert_eq!(jwt.verify(&signed(3, Some("three")), now() + Duration::from_secs(10)), Ok(admin()));
}

#[test]
fn a_set_without_keys_is_refused_at_once() {
    for (name, text) in [("empty", r#"{"keys":[]}"#), ("none", "{}"), ("broken", "[")] {
        let file = File::new(name, text);
        let error = file.open(KeySetAlgorithm::Rs256).map(drop).unwrap_err();
        assert!(matches!(error, IdentityError::KeySet { .. }), "{error}");
    }
    let missing = Jwt::key_set(settings(), "/nowhere/keys.json", KeySetAlgorithm::Rs256);
    assert!(missing.is_err());
}
