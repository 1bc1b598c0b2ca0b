//! Signed tokens: what is taken, and everything that is not.

use std::time::Duration;

use base64_simd::URL_SAFE_NO_PAD;
use expect_test::{Expect, expect};
use http::Method;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use monotable_kit::{IdentityError, Jwt, JwtSettings, LocalIssuer, Principal};
use serde_json::{Value, json};

use super::{ann, authenticate, now};

const SECRET: &[u8] = b"0123456789abcdef0123456789abcdef";
const NOW: i64 = 1_800_000_000;

fn settings() -> JwtSettings {
    JwtSettings::new("https://issuer.example", "hacktracker").roles_claim("cognito:groups")
}

fn jwt() -> Jwt {
    Jwt::shared_secret(settings(), SECRET).unwrap()
}

fn claims() -> Value {
    json!({
        "iss": "https://issuer.example", "aud": "hacktracker", "sub": "u1",
        "iat": NOW, "nbf": NOW, "exp": NOW + 3_600,
        "email": "ann@example.com", "email_verified": true, "cognito:groups": ["admin"],
    })
}

fn signed(claims: &Value) -> String {
    encode(&Header::default(), claims, &EncodingKey::from_secret(SECRET)).unwrap()
}

/// The claims with some of them changed; null takes one away.
fn with(changes: Value) -> String {
    let mut claims = claims();
    for (name, value) in changes.as_object().unwrap() {
        match value {
            Value::Null => drop(claims.as_object_mut().unwrap().remove(name)),
            value => claims[name] = value.clone(),
        }
    }
    signed(&claims)
}

fn refused(token: &str, expected: Expect) {
    let problem = jwt().verify(token, now()).unwrap_err();
    assert_eq!((problem.status(), problem.code), (401, "UNAUTHENTICATED"));
    expected.assert_eq(&problem.message);
}

fn taken(changes: Value) -> Principal {
    jwt().verify(&with(changes), now()).unwrap()
}

#[test]
fn a_good_token_tells_who_it_is() {
    assert_eq!(taken(json!({})), ann());
}

#[test]
fn audiences_and_roles_come_in_several_forms() {
    assert_eq!(taken(json!({ "aud": ["other", "hacktracker"] })), ann());
    assert_eq!(taken(json!({ "aud": null, "client_id": "hacktracker" })), ann());
    assert_eq!(taken(json!({ "cognito:groups": "admin" })), ann());
    assert_eq!(taken(json!({ "cognito:groups": null, "roles": ["admin"] })).roles, [""; 0]);
    assert_eq!(taken(json!({ "email_verified": "true" })), ann());
    assert!(!taken(json!({ "email_verified": "false" })).email_verified);
    assert!(!taken(json!({ "email_verified": null })).email_verified);
    assert_eq!(taken(json!({ "email": null })).email, None);
    let both = Jwt::shared_secret(settings().audience("other"), SECRET).unwrap();
    assert!(both.verify(&with(json!({ "aud": "other" })), now()).is_ok());
}

#[test]
fn a_token_has_its_time_give_or_take_a_minute() {
    taken(json!({ "exp": NOW - 59 , "iat": NOW - 3_600 }));
    refused(
        &with(json!({ "exp": NOW - 60, "iat": NOW - 3_600 })),
        expect!["The token has expired."],
    );
    taken(json!({ "exp": NOW as f64 - 58.5, "iat": NOW - 3_600 }));
    taken(json!({ "nbf": NOW + 60 }));
    refused(&with(json!({ "nbf": NOW + 61 })), expect!["The token is not valid yet."]);
    taken(json!({ "iat": NOW + 60 }));
    refused(&with(json!({ "iat": NOW + 61 })), expect!["The token was issued in the future."]);
    refused(
        &with(json!({ "exp": NOW + 10, "iat": NOW + 20 })),
        expect!["The token expires before it was issued."],
    );
    taken(json!({ "nbf": null, "iat": null }));
    refused(&with(json!({ "exp": null })), expect!["The token has no expiry."]);
    refused(&with(json!({ "exp": "tomorrow" })), expect!["A time in the token is invalid."]);
    let strict = Jwt::shared_secret(settings().leeway(Duration::ZERO), SECRET).unwrap();
    assert!(strict.verify(&with(json!({ "exp": NOW, "iat": NOW - 1 })), now()).is_err());
    assert!(strict.verify(&with(json!({ "exp": NOW + 1 })), now()).is_ok());
}

#[test]
fn a_token_is_from_the_issuer_for_us_about_somebody() {
    refused(&with(json!({ "iss": "evil" })), expect!["The token is from another issuer."]);
    refused(&with(json!({ "iss": null })), expect!["The token is from another issuer."]);
    refused(&with(json!({ "aud": "other" })), expect!["The token is for another audience."]);
    refused(&with(json!({ "aud": null })), expect!["The token is for another audience."]);
    refused(
        &with(json!({ "aud": "other", "client_id": "hacktracker" })),
        expect!["The token is for another audience."],
    );
    refused(&with(json!({ "sub": null })), expect!["The token has no subject."]);
    refused(&with(json!({ "sub": 7 })), expect!["The token has no subject."]);
    for odd in ["", "a#b", "a b", "a/b", "ä", &"x".repeat(129)] {
        refused(&with(json!({ "sub": odd })), expect!["The token's subject is not a valid id."]);
    }
}

#[test]
fn a_token_that_was_touched_is_nothing() {
    let token = signed(&claims());
    let parts: Vec<&str> = token.split('.').collect();
    let other = with(json!({ "sub": "u2" }));
    let body = other.split('.').nth(1).unwrap();
    refused(&[parts[0], body, parts[2]].join("."), expect!["The token's signature is wrong."]);
    refused(&[parts[0], parts[1], ""].join("."), expect!["The token's signature is wrong."]);
    let mut flipped = token.clone().into_bytes();
    let last = flipped.len() - 2;
    flipped[last] = if flipped[last] == b'A' { b'B' } else { b'A' };
    refused(std::str::from_utf8(&flipped).unwrap(), expect!["The token's signature is wrong."]);
    for malformed in ["", "x", "a.b", "a.b.c", "a.b.c.d", &format!("{token}.x"), "ä.ö.ü"] {
        refused(malformed, expect!["The token is malformed."]);
    }
}

#[test]
fn another_key_or_algorithm_is_nothing() {
    let foreign = EncodingKey::from_secret(b"fedcba9876543210fedcba9876543210");
    let token = encode(&Header::default(), &claims(), &foreign).unwrap();
    refused(&token, expect!["The token's signature is wrong."]);
    for algorithm in [Algorithm::HS384, Algorithm::HS512] {
        let key = EncodingKey::from_secret(SECRET);
        let token = encode(&Header::new(algorithm), &claims(), &key).unwrap();
        refused(&token, expect!["The token is signed with another algorithm."]);
    }
    let body = URL_SAFE_NO_PAD.encode_to_string(claims().to_string());
    for (algorithm, expected) in [
        ("none", expect!["The token is malformed."]),
        ("None", expect!["The token is malformed."]),
        ("RS256", expect!["The token is signed with another algorithm."]),
        ("EdDSA", expect!["The token is signed with another algorithm."]),
    ] {
        let header = json!({ "alg": algorithm, "typ": "JWT" }).to_string();
        let unsigned = format!("{}.{body}.", URL_SAFE_NO_PAD.encode_to_string(header));
        refused(&unsigned, expected);
    }
    let critical = Header { crit: Some(vec!["b64".to_owned()]), ..Header::default() };
    let token = encode(&critical, &claims(), &EncodingKey::from_secret(SECRET)).unwrap();
    refused(&token, expect!["The token requires an unknown extension."]);
}

#[test]
fn a_secret_that_can_be_guessed_is_refused() {
    let short = Err(IdentityError::SecretTooShort { bytes: 31 });
    assert_eq!(Jwt::shared_secret(settings(), &SECRET[1..]).map(drop), short);
    assert_eq!(LocalIssuer::new(settings(), &SECRET[1..]).map(drop), short);
}

#[tokio::test]
async fn the_token_is_in_the_authorization_header() {
    let token = signed(&claims());
    let (jwt, good) = (jwt(), format!("Bearer {token}"));
    let get = |value: String| async move {
        let headers = [("authorization", value.as_str())];
        authenticate(&self::jwt(), Method::GET, &headers).await
    };
    assert_eq!(get(good.clone()).await, Ok(Some(ann())));
    assert_eq!(get(format!("bEARER  {token} ")).await, Ok(Some(ann())));
    assert_eq!(authenticate(&jwt, Method::GET, &[]).await, Ok(None));
    for wrong in ["", "Bearer", "Bearer ", "Basic dTpw", &token, "Bearer x"] {
        assert_eq!(get(wrong.to_owned()).await.unwrap_err().status(), 401, "{wrong}");
    }
    let twice = [("authorization", good.as_str()), ("authorization", good.as_str())];
    assert!(authenticate(&jwt, Method::GET, &twice).await.is_err());
}

#[test]
fn the_local_issuer_signs_for_its_lifetime() {
    let issuer = LocalIssuer::new(settings(), SECRET).unwrap().lifetime(Duration::from_secs(60));
    let token = issuer.token(&ann(), now());
    let jwt = issuer.authenticator();
    assert_eq!(jwt.verify(&token, now() + Duration::from_secs(119)), Ok(ann()));
    assert!(jwt.verify(&token, now() + Duration::from_secs(120)).is_err());
    assert!(jwt.verify(&token, now() - Duration::from_secs(61)).is_err());
}
