//! The headers of a request, except those for authentication.

use std::collections::BTreeMap;

use http::header::{IF_MATCH, IF_NONE_MATCH};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::problem::{Problem, ProblemKind};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
pub(super) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const ACCEPT_VERSION: HeaderName = HeaderName::from_static("accept-version");
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The maximum length of a request id from a client.
const REQUEST_ID_CHARACTERS_MAX: usize = 64;

/// Returns the id that the client gave its request, if it can be logged.
pub(super) fn request_id(headers: &HeaderMap) -> Option<&str> {
    let id = headers.get(REQUEST_ID)?.to_str().ok()?;
    let is_sane = (1..=REQUEST_ID_CHARACTERS_MAX).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    is_sane.then_some(id)
}

/// Returns the headers of these names that are text.
pub(super) fn read(
    headers: &HeaderMap,
    names: &'static [&'static str],
) -> BTreeMap<&'static str, String> {
    let text = |name: &&'static str| Some((*name, headers.get(*name)?.to_str().ok()?.to_owned()));
    names.iter().filter_map(text).collect()
}

/// Adds the id of the request to its response.
pub(super) fn add_request_id(headers: &mut HeaderMap, id: &str) {
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(REQUEST_ID, id);
    }
}

/// Returns the version in `If-Match`. A star contains none: see [`must_exist`].
pub(super) fn if_match(headers: &HeaderMap) -> Result<Option<u64>, Problem> {
    let mut values = headers.get_all(IF_MATCH).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let malformed = || Problem::field("If-Match", "must be one strong ETag, such as \"3\"");
    let text = value.to_str().map_err(|_| malformed())?.trim();
    if values.next().is_some() {
        return Err(malformed());
    }
    if text == "*" {
        return Ok(None);
    }
    let tag = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let tag = tag.filter(|tag| !tag.contains('"')).ok_or_else(malformed)?;
    // The version may be followed by a hash of what the caller saw. A tag without a version belongs
    // to something else.
    let version = tag.split_once('-').map_or(tag, |(version, _)| version);
    version.parse().map(Some).map_err(|_| {
        let message = "The resource has changed. Fetch it again and retry.";
        Problem::new(ProblemKind::Precondition, "PRECONDITION_FAILED", message)
    })
}

/// Returns whether a write requires an existing row (`If-Match: *`) or a missing one
/// (`If-None-Match: *`).
pub(super) fn must_exist(headers: &HeaderMap) -> Result<Option<bool>, Problem> {
    let is_star =
        |name| headers.get(name).is_some_and(|value| value.as_bytes().trim_ascii() == b"*");
    match (is_star(IF_MATCH), headers.get_all(IF_NONE_MATCH).iter().count()) {
        (is_there, 0) => Ok(is_there.then_some(true)),
        (false, 1) if is_star(IF_NONE_MATCH) && !headers.contains_key(IF_MATCH) => Ok(Some(false)),
        _ => Err(Problem::field("If-None-Match", "must be *, and without If-Match")),
    }
}

/// Returns whether the client has this version already, by `If-None-Match`.
pub(super) fn has_version(headers: &HeaderMap, etag: &str) -> bool {
    let tags = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    tags.flat_map(|value| value.split(','))
        .map(|tag| tag.trim())
        .any(|tag| tag == "*" || strong(tag) == strong(etag))
}

/// Returns a tag without its mark of weakness, which does not matter for reads.
fn strong(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

/// Returns the version of the interface that the client requests.
pub(super) fn accept_version(headers: &HeaderMap) -> Result<Option<u32>, Problem> {
    let Some(value) = headers.get(ACCEPT_VERSION) else { return Ok(None) };
    let version = value.to_str().ok().and_then(|text| text.trim().parse().ok());
    match version {
        Some(version) => Ok(Some(version)),
        None => Err(Problem::field("Accept-Version", "must be a whole number, such as 1")),
    }
}

/// Returns the `Idempotency-Key`, as it was sent.
pub(super) fn idempotency_key(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let mut values = headers.get_all(IDEMPOTENCY_KEY).iter();
    let key = values.next().map(HeaderValue::to_str).transpose();
    match (key, values.next()) {
        (Ok(key), None) => Ok(key),
        _ => Err(Problem::field("Idempotency-Key", "must be 1 to 128 visible ASCII characters")),
    }
}

/// Returns the last event that a browser has received. Other values than numbers are ignored.
pub(super) fn last_event_id(headers: &HeaderMap) -> Option<u64> {
    headers.get(LAST_EVENT_ID)?.to_str().ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn a_clients_id_is_taken_only_if_it_can_stand_in_a_log() {
        let taken = |text: &str| request_id(&headers(REQUEST_ID, text)).map(str::to_owned);
        assert_eq!(taken("a-B_9.z").as_deref(), Some("a-B_9.z"));
        assert_eq!(taken(&"a".repeat(64)), Some("a".repeat(64)));
        for text in ["", "a b", "a\tb", "\"", "{}", "ä", &"a".repeat(65)] {
            assert_eq!(taken(text), None, "{text}");
        }
    }

    #[test]
    fn if_match_asks_for_one_version() {
        let asked =
            |text: &str| if_match(&headers(IF_MATCH, text)).map_err(|problem| problem.status());
        assert_eq!(asked("\"3\""), Ok(Some(3)));
        assert_eq!(asked("\"3-0123456789abcdef\""), Ok(Some(3)));
        assert_eq!(asked("*"), Ok(None));
        assert_eq!(asked("\"abc\""), Err(412));
        for text in ["3", "W/\"3\"", "\"3\", \"4\"", "\"", ""] {
            assert_eq!(asked(text), Err(400), "{text}");
        }
    }

    #[test]
    fn a_star_asks_for_something_or_for_nothing() {
        let both = |one: &str, none: &str| {
            let mut both = headers(IF_NONE_MATCH, none);
            both.insert(IF_MATCH, HeaderValue::from_str(one).unwrap());
            must_exist(&both)
        };
        assert_eq!(must_exist(&HeaderMap::new()), Ok(None));
        assert_eq!(must_exist(&headers(IF_MATCH, "\"3\"")), Ok(None));
        assert_eq!(must_exist(&headers(IF_MATCH, "*")), Ok(Some(true)));
        assert_eq!(must_exist(&headers(IF_NONE_MATCH, " * ")), Ok(Some(false)));
        assert!(must_exist(&headers(IF_NONE_MATCH, "\"3\"")).is_err());
        assert!(both("*", "*").is_err() && both("\"3\"", "*").is_err());
    }

    #[test]
    fn if_none_match_may_name_several_versions() {
        let has = |text: &str| has_version(&headers(IF_NONE_MATCH, text), "\"3\"");
        assert!(has("\"3\"") && has("W/\"3\"") && has("\"1\", \"3\"") && has("*"));
        assert!(!has("3") && !has("\"33\"") && !has(""));
    }
}
