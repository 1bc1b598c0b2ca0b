//! Requests of HTML forms. They become the requests that a program would send: fields whose names begin with
//! `_` take the place of headers and of the method, the others become the JSON body.

use axum::body::Body;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, LOCATION};
use http::request::Parts;
use http::{HeaderName, HeaderValue, Method};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::{body, head, multipart};
use crate::pages;
use crate::pages::layout::Frame;
use crate::pages::problem::Reported;
use crate::problem::{Problem, ProblemKind};
use crate::reply::{Reply, ReplyBody};
use crate::route::{Route, ServiceName};
use crate::schema::{SentFields, read_fields};
use crate::sign_in::CSRF_HEADER;
use crate::zone::Zone;

/// Bytes of a form.
const BYTES_MAX: usize = 256 * 1024;

/// The names of the fields that forms reserve.
pub(crate) const CSRF: &str = "_csrf";
pub(crate) const KEY: &str = "_key";
pub(crate) const METHOD: &str = "_method";
pub(crate) const SHOWN: &str = "_shown";
pub(crate) const THEN: &str = "_then";
const OWN_FIELDS: [&str; 5] = [CSRF, KEY, METHOD, SHOWN, THEN];

/// The characters that must be escaped in an address.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A form that was sent.
#[derive(Debug, Default)]
pub(crate) struct SentForm {
    pub(crate) fields: SentFields,
    /// The path to show after success.
    pub(crate) then: Option<String>,
    pub(crate) csrf: String,
    /// The names of the fields that people saw; `None` if they saw all.
    pub(crate) shown: Option<Vec<String>>,
    /// Whether a program sent it, because a route takes a file: it has none of the reserved fields.
    pub(crate) is_of_program: bool,
}

/// The encoding of a form.
enum Encoding {
    Percent,
    /// In parts, with this boundary between them.
    Parts(String),
}

/// Returns the encoding of a form, if a form has sent the request.
fn encoding(head: &Parts) -> Option<Encoding> {
    let text = head.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok())?;
    if head.method != Method::POST {
        return None;
    }
    if let Some(boundary) = multipart::boundary(text) {
        return Some(Encoding::Parts(boundary.to_owned()));
    }
    let media_type = text.split(';').next().unwrap_or_default().trim();
    media_type
        .eq_ignore_ascii_case("application/x-www-form-urlencoded")
        .then_some(Encoding::Percent)
}

/// Takes the form out of the body of a request, if a form has sent it, and brings the head of the
/// request into the form that programs send.
///
/// `file_bytes_max` is the size of a form with files.
pub(super) async fn take(
    head: &mut Parts,
    body: &mut Body,
    file_bytes_max: usize,
) -> Result<Option<SentForm>, Problem> {
    let Some(encoding) = encoding(head) else { return Ok(None) };
    let fields = match &encoding {
        Encoding::Percent => {
            let bytes = body::collect(std::mem::take(body), BYTES_MAX).await?;
            let text = std::str::from_utf8(&bytes)
                .map_err(|_| Problem::field("form", "must be percent-encoded UTF-8"))?;
            read_fields(text)?
        }
        Encoding::Parts(boundary) => {
            let bytes = body::collect(std::mem::take(body), file_bytes_max).await?;
            multipart::read(&bytes, boundary)?
        }
    };
    let is_ours = fields.iter().any(|(name, _)| OWN_FIELDS.contains(&name.as_str()));
    let mut form = SentForm {
        is_of_program: matches!(encoding, Encoding::Parts(_)) && !is_ours,
        ..SentForm::default()
    };
    for (name, value) in fields {
        match name.as_str() {
            CSRF => {
                insert(head, HeaderName::from_static(CSRF_HEADER), &value)?;
                form.csrf = value;
            }
            KEY => insert(head, head::IDEMPOTENCY_KEY, &value)?,
            METHOD => head.method = method(&value)?,
            SHOWN => form.shown = Some(value.split(' ').map(str::to_owned).collect()),
            THEN => form.then = Some(value),
            _ => form.fields.push((name, value)),
        }
    }
    head.headers.remove(CONTENT_TYPE);
    Ok(Some(form))
}

fn insert(head: &mut Parts, name: HeaderName, value: &str) -> Result<(), Problem> {
    let value = HeaderValue::from_str(value)
        .map_err(|_| Problem::field(name.as_str(), "must be visible ASCII characters"))?;
    head.headers.insert(name, value);
    Ok(())
}

/// Forms themselves can only send `GET` and `POST`.
fn method(text: &str) -> Result<Method, Problem> {
    let methods = [Method::POST, Method::PUT, Method::PATCH, Method::DELETE];
    let found = methods.into_iter().find(|method| method.as_str() == text);
    found.ok_or_else(|| Problem::field(METHOD, "must be POST, PUT, PATCH or DELETE"))
}

impl SentForm {
    /// Returns the body that a program would send to a route.
    pub(super) fn body(&self, route: &Route, zone: &Zone, head: &mut Parts) -> Body {
        let Some(schema) = &route.body else { return Body::empty() };
        let is_change = matches!(route.method, Method::PATCH | Method::PUT);
        let mut value = schema.of_form(&self.fields, is_change, zone);
        if let Some(fields) = value.as_object_mut().filter(|_| route.takes_foreign_forms) {
            fields.retain(|name, _| schema.fields.iter().any(|field| field.name == *name));
        }
        if route.body_optional && self.fields.is_empty() {
            return Body::empty();
        }
        head.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Body::from(Bytes::from(value.to_string()))
    }

    /// Returns what a browser gets after success: the reply of a page, or a redirect instead of the JSON of an
    /// operation.
    pub(super) fn reply(&self, service: ServiceName, route: &Route, reply: Reply) -> Reply {
        if route.is_page() || self.is_of_program { reply } else { self.redirect(service, &reply) }
    }

    /// Returns the redirect to the path to show after success. Names in braces in it are replaced by fields of the
    /// reply.
    fn redirect(&self, service: ServiceName, reply: &Reply) -> Reply {
        let fields: Value = match &reply.body {
            ReplyBody::Json(text) => serde_json::from_str(text).unwrap_or_default(),
            _ => Value::Null,
        };
        let mut path = local_path(service, self.then.as_deref()).into_owned();
        for (name, value) in fields.as_object().into_iter().flatten().chain(&reply.secrets) {
            if let Value::String(value) = value {
                path = path.replace(&format!("{{{name}}}"), &escaped(value));
            }
        }
        see_other(&path)
    }
}

/// Returns a problem as a page, if a person sent the request with a browser: the form again, with
/// the errors next to its fields, or a separate page.
pub(super) fn problem_page(
    frame: Frame,
    head: &Parts,
    route: &Route,
    form: Option<&SentForm>,
    zone: &Zone,
    reported: Reported<'_>,
) -> Option<Reply> {
    let path = head.uri.path();
    match form.filter(|form| !form.is_of_program) {
        Some(form) if reported.problem.kind != ProblemKind::Unauthenticated => {
            Some(pages::refused(frame, (route, path), form, zone, reported))
        }
        form if route.is_page() || form.is_some() => {
            Some(pages::problem::page(frame, path, reported))
        }
        _ => None,
    }
}

/// Returns a path of the service that a client has chosen, or the home page if it is not a path of
/// the service.
pub(crate) fn local_path<'a>(
    service: ServiceName,
    path: Option<&'a str>,
) -> std::borrow::Cow<'a, str> {
    let is_local = |path: &&str| {
        let rest = path.strip_prefix('/').and_then(|path| path.strip_prefix(service.name));
        rest.is_some_and(|rest| rest.starts_with('/'))
            && !path.contains(['\\', '\r', '\n', '\t'])
            && !path.to_ascii_lowercase().replace("%2e", ".").contains("..")
            && path.bytes().all(|byte| byte.is_ascii_graphic())
    };
    match path.filter(is_local) {
        Some(path) => path.into(),
        None => service.home().into(),
    }
}

/// Percent-encodes a text for use in an address.
pub(crate) fn escaped(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}

/// Returns 303 to a path.
pub(crate) fn see_other(path: &str) -> Reply {
    let location = HeaderValue::from_str(path).unwrap_or(HeaderValue::from_static("/"));
    Reply::new(303, ReplyBody::Empty).header(LOCATION, location)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHELF: ServiceName =
        ServiceName { name: "shelf", title: "Shelf", about: "", cookie_prefix: None, home: None };

    #[test]
    fn only_paths_of_the_service_are_led_to() {
        for path in ["/shelf/books/1", "/shelf/books?a=b#c", "/shelf/"] {
            assert_eq!(local_path(SHELF, Some(path)), path);
        }
        for path in [
            "",
            "/",
            "//evil.example",
            "/shelf",
            "/shelfs/x",
            "/shelf/../other",
            "/shelf/%2e%2E/other",
            "/shelf//\\evil",
            "https://evil.example/shelf/",
            "/shelf/\r\nx: y",
            "javascript:alert(1)",
            "/shelf/ä",
            "\\/shelf/",
        ] {
            assert_eq!(local_path(SHELF, Some(path)), "/shelf/docs", "{path:?}");
        }
        assert_eq!(local_path(SHELF, None), "/shelf/docs");
        let home = ServiceName { home: Some("/mine"), ..SHELF };
        assert_eq!(local_path(home, Some("//evil.example")), "/shelf/mine");
    }

    #[test]
    fn a_redirect_names_what_was_made() {
        let form = SentForm { then: Some("/shelf/books/{bookId}".into()), ..SentForm::default() };
        let reply = Reply::created(&serde_json::json!({ "bookId": "a/b?c" }));
        let redirect = form.redirect(SHELF, &reply);
        assert_eq!(redirect.status, 303);
        assert_eq!(redirect.headers[0].1, "/shelf/books/a%2Fb%3Fc");
        let form = SentForm { then: Some("/shelf/shared/{token}".into()), ..SentForm::default() };
        let redirect = form.redirect(SHELF, &reply.secret("token", "t1"));
        assert_eq!(redirect.headers[0].1, "/shelf/shared/t1");
    }
}
