//! The claims of a signed token: issuer, audience and time.

use std::time::Duration;

use monotable::model::key::check_identifier;
use monotable::model::time::Timestamp;
use serde_json::{Map, Value};

use super::JwtSettings;
use crate::call::Principal;

/// The claims of a token whose signature is valid.
pub(super) type Claims = Map<String, Value>;

/// Why a token is not accepted, in words that clients may see.
pub(super) type Refusal = &'static str;

/// Returns the principal of the claims, if their issuer, audience and time are valid.
pub(super) fn principal(
    claims: &Claims,
    settings: &JwtSettings,
    now: Timestamp,
) -> Result<Principal, Refusal> {
    if text(claims, "iss") != Some(settings.issuer.as_str()) {
        return Err("The token is from another issuer.");
    }
    if !is_for_us(claims, settings) {
        return Err("The token is for another audience.");
    }
    check_time(claims, settings.leeway, now)?;
    let id = text(claims, "sub").ok_or("The token has no subject.")?;
    // The subject becomes part of keys, so one that can't be is refused.
    check_identifier(id).map_err(|_| "The token's subject is not a valid id.")?;
    Ok(Principal {
        id: id.to_owned(),
        email: text(claims, "email").map(str::to_owned),
        email_verified: is_true(claims.get("email_verified")),
        roles: texts(claims.get(&settings.roles_claim)),
    })
}

/// Returns whether the audience is accepted. Access tokens of Cognito have the client's id instead
/// of an audience.
fn is_for_us(claims: &Claims, settings: &JwtSettings) -> bool {
    let audiences = claims.get("aud").or_else(|| claims.get("client_id"));
    texts(audiences).iter().any(|audience| settings.audiences.contains(audience))
}

/// Returns when the token expires.
pub(super) fn ends_at(claims: &Claims, leeway: Duration) -> Option<Timestamp> {
    let seconds = seconds(claims, "exp").ok()??;
    Timestamp::from_ms(seconds.checked_mul(1_000)?).ok()?.checked_add(leeway)
}

fn check_time(claims: &Claims, leeway: Duration, now: Timestamp) -> Result<(), Refusal> {
    let now = now.epoch_seconds().as_seconds();
    let leeway = i64::try_from(leeway.as_secs()).unwrap_or(i64::MAX);
    let expires_at = seconds(claims, "exp")?.ok_or("The token has no expiry.")?;
    if expires_at.saturating_add(leeway) <= now {
        return Err("The token has expired.");
    }
    let latest = now.saturating_add(leeway);
    if seconds(claims, "nbf")?.is_some_and(|not_before| latest < not_before) {
        return Err("The token is not valid yet.");
    }
    match seconds(claims, "iat")? {
        Some(issued_at) if latest < issued_at => Err("The token was issued in the future."),
        Some(issued_at) if expires_at < issued_at => Err("The token expires before it was issued."),
        _ => Ok(()),
    }
}

/// Returns a time in seconds since 1970. A fraction, which is allowed, is dropped.
fn seconds(claims: &Claims, name: &str) -> Result<Option<i64>, Refusal> {
    match claims.get(name) {
        None => Ok(None),
        Some(Value::Number(number)) => {
            let whole = number.as_i64().or_else(|| number.as_f64().map(|number| number as i64));
            whole.map(Some).ok_or("A time in the token is invalid.")
        }
        Some(_) => Err("A time in the token is invalid."),
    }
}

fn text<'a>(claims: &'a Claims, name: &str) -> Option<&'a str> {
    claims.get(name).and_then(Value::as_str)
}

/// Returns one text, or a list of texts.
fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(values)) => {
            values.iter().filter_map(|value| value.as_str().map(str::to_owned)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns whether the value is true, also as the text that Cognito may use instead.
fn is_true(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Bool(flag)) => *flag,
        Some(Value::String(text)) => text == "true",
        _ => false,
    }
}
