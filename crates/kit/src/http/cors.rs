//! Which pages of other origins may ask: none, unless they are named.

use http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_METHOD, HOST, ORIGIN, VARY,
};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method};

/// What a page may send.
const HEADERS_TAKEN: &str = "authorization, content-type, idempotency-key, if-match, \
                             if-none-match, accept-version, x-request-id, x-csrf-token";
/// What a page may read.
const HEADERS_SHOWN: &str = "etag, x-request-id, idempotent-replay, retry-after, location";
/// How long a browser may remember the answer to its question, in seconds.
const REMEMBERED: &str = "600";

/// Where a browser says that a request is from, also when no page of another origin is in it.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The origins whose pages may ask.
#[derive(Clone, Debug, Default)]
pub struct Cors {
    origins: Vec<String>,
    takes_cookies: bool,
}

impl Cors {
    /// Pages of these origins may ask, such as `https://app.example.org`.
    pub fn origins(origins: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { origins: origins.into_iter().map(Into::into).collect(), takes_cookies: false }
    }

    /// They may ask with cookies.
    #[must_use]
    pub fn with_cookies(mut self) -> Self {
        self.takes_cookies = true;
        self
    }

    /// The origin of the request, if its pages may ask.
    pub(super) fn allowed<'a>(&self, headers: &'a HeaderMap) -> Option<&'a HeaderValue> {
        let origin = headers.get(ORIGIN)?;
        self.origins.iter().any(|allowed| allowed.as_bytes() == origin.as_bytes()).then_some(origin)
    }

    /// Adds to an answer what lets the page that asked read it.
    pub(super) fn show(&self, request: &HeaderMap, response: &mut HeaderMap) {
        if self.origins.is_empty() {
            return;
        }
        response.append(VARY, HeaderValue::from_static("origin"));
        if let Some(origin) = self.allowed(request) {
            response.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            response.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(HEADERS_SHOWN));
            if self.takes_cookies {
                response.insert(ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
            }
        }
    }

    /// The headers that answer a browser's question, if its page may ask.
    pub(super) fn preflight(
        &self,
        head: &Parts,
        methods: &HeaderValue,
    ) -> Option<[(HeaderName, HeaderValue); 3]> {
        self.allowed(&head.headers)?;
        Some([
            (ACCESS_CONTROL_ALLOW_METHODS, methods.clone()),
            (ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(HEADERS_TAKEN)),
            (ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(REMEMBERED)),
        ])
    }
}

/// The method about which a browser asks whether a page may use it.
pub(super) fn preflight_method(head: &Parts) -> Option<Method> {
    let is_asked = head.method == Method::OPTIONS && head.headers.contains_key(ORIGIN);
    let method = head.headers.get(ACCESS_CONTROL_REQUEST_METHOD).filter(|_| is_asked)?;
    // What is no method is one that no route has.
    Some(Method::from_bytes(method.as_bytes()).unwrap_or(Method::OPTIONS))
}

/// Returns whether a request can be from a page of the service itself. Programs that are no browsers do not say.
pub(super) fn is_same_origin(headers: &HeaderMap) -> bool {
    if let Some(site) = headers.get(SEC_FETCH_SITE) {
        return site == "same-origin" || site == "none";
    }
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    origin.is_some_and(|(_, authority)| Some(authority) == host)
}

/// Whether a request is one that only browsers send: for a page, or with their word on where it is from.
pub(super) fn is_from_browser(headers: &HeaderMap) -> bool {
    headers.contains_key(ORIGIN) || headers.contains_key(SEC_FETCH_SITE)
}
