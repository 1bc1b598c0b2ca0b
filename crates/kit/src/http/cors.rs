//! CORS: the origins whose pages may send requests. None unless they are configured.

use http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_METHOD, HOST, ORIGIN, VARY,
};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method};

/// The request headers that a page may send.
const HEADERS_TAKEN: &str = "authorization, content-type, idempotency-key, if-match, \
                             if-none-match, accept-version, x-request-id, x-csrf-token";
/// The response headers that a page may read.
const HEADERS_SHOWN: &str = "etag, x-request-id, idempotent-replay, retry-after, location";
/// How long a browser may cache a preflight response, in seconds.
const REMEMBERED: &str = "600";

/// The header in which browsers report where a request comes from, also for requests of the same
/// origin.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The origins whose pages may send requests.
#[derive(Clone, Debug, Default)]
pub struct Cors {
    origins: Vec<String>,
    takes_cookies: bool,
}

impl Cors {
    /// Accepts requests from pages of these origins, such as `https://app.example.org`.
    pub fn origins(origins: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { origins: origins.into_iter().map(Into::into).collect(), takes_cookies: false }
    }

    /// Accepts cookies in these requests.
    #[must_use]
    pub fn with_cookies(mut self) -> Self {
        self.takes_cookies = true;
        self
    }

    /// Returns the origin of the request, if it is allowed.
    pub(super) fn allowed<'a>(&self, headers: &'a HeaderMap) -> Option<&'a HeaderValue> {
        let origin = headers.get(ORIGIN)?;
        self.origins.iter().any(|allowed| allowed.as_bytes() == origin.as_bytes()).then_some(origin)
    }

    /// Adds the headers to a response that let the page read it.
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

    /// Returns the headers of a preflight response, if the origin is allowed.
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

/// Returns the method in a preflight request.
pub(super) fn preflight_method(head: &Parts) -> Option<Method> {
    let is_asked = head.method == Method::OPTIONS && head.headers.contains_key(ORIGIN);
    let method = head.headers.get(ACCESS_CONTROL_REQUEST_METHOD).filter(|_| is_asked)?;
    // An invalid method is one that no route has.
    Some(Method::from_bytes(method.as_bytes()).unwrap_or(Method::OPTIONS))
}

/// Returns whether a request can be from a page of the service itself. Only browsers send the
/// headers that show otherwise.
pub(super) fn is_same_origin(headers: &HeaderMap) -> bool {
    if let Some(site) = headers.get(SEC_FETCH_SITE) {
        return site == "same-origin" || site == "none";
    }
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    origin.is_some_and(|(_, authority)| Some(authority) == host)
}

/// Returns whether only a browser can have sent a request: it is for a page, or has a header that
/// browsers add.
pub(super) fn is_from_browser(headers: &HeaderMap) -> bool {
    headers.contains_key(ORIGIN) || headers.contains_key(SEC_FETCH_SITE)
}
