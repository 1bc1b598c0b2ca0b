//! The body of a request: bounded, JSON, and validated by the route's schema.

use axum::body::Body;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue};
use http_body::Body as _;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::{Map, Value};

use super::json;
use crate::problem::{Problem, ProblemKind};
use crate::route::Route;
use crate::schema::{Schema, empty_body};

/// Reads the body for a route, parsed and as it was sent. A route without a body accepts an empty
/// object, because some clients send one with every request.
pub(super) async fn read(
    route: &Route,
    headers: &HeaderMap,
    body: Body,
) -> Result<(Map<String, Value>, Bytes), Problem> {
    let bytes = collect(body, route.body_bytes_max).await?;
    if bytes.is_empty() {
        return if route.body.is_none() || route.body_optional {
            Ok((Map::new(), bytes))
        } else {
            Err(empty_body("The request needs a body: an object as JSON."))
        };
    }
    if !is_json(headers.get(CONTENT_TYPE)) {
        let message = "The body must be JSON, with the Content-Type application/json.";
        return Err(Problem::new(ProblemKind::MediaType, "UNSUPPORTED_MEDIA_TYPE", message));
    }
    let value = json::read(&bytes)?;
    let body = match &route.body {
        Some(schema) => schema.check(value),
        None => Schema::default().check(value),
    };
    Ok((body?, bytes))
}

pub(super) async fn collect(body: Body, bytes_max: usize) -> Result<Bytes, Problem> {
    if body.is_end_stream() {
        return Ok(Bytes::new());
    }
    // A body that declares too large a size is refused without being read.
    if body.size_hint().lower() > bytes_max as u64 {
        return Err(too_large(bytes_max));
    }
    match Limited::new(body, bytes_max).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large(bytes_max)),
        Err(_) => Err(Problem::invalid("INCOMPLETE_BODY", "The body is incomplete.")),
    }
}

fn too_large(bytes_max: usize) -> Problem {
    let message = format!("The body is larger than {bytes_max} bytes.");
    Problem::new(ProblemKind::TooLarge, "BODY_TOO_LARGE", message)
}

/// Returns whether a media type is JSON in UTF-8.
fn is_json(content_type: Option<&HeaderValue>) -> bool {
    let Some(text) = content_type.and_then(|value| value.to_str().ok()) else { return false };
    let (media_type, parameters) = text.split_once(';').unwrap_or((text, ""));
    let charset = parameters
        .split(';')
        .filter_map(|parameter| parameter.split_once('='))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    media_type.trim().eq_ignore_ascii_case("application/json")
        && charset
            .is_none_or(|(_, name)| name.trim().trim_matches('"').eq_ignore_ascii_case("utf-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_told_from_everything_else() {
        for text in [
            "application/json",
            "Application/JSON ; charset=UTF-8",
            "application/json;charset=\"utf-8\"",
            "application/json; version=1",
        ] {
            assert!(is_json(Some(&HeaderValue::from_static(text))), "{text}");
        }
        for text in ["", "text/plain", "application/jsonp", "application/json; charset=latin1"] {
            assert!(!is_json(Some(&HeaderValue::from_static(text))), "{text}");
        }
        assert!(!is_json(None));
    }
}
