//! A request's line and headers.

use std::borrow::Cow;
use std::ops::Range;

use httparse::{EMPTY_HEADER, Error, Status};
use memchr::memmem;

use crate::encoding::{AcceptEncoding, ContentEncoding};
use crate::limits::HEADERS_MAX;

/// Returns the end of a head, if it is complete; the bytes before `searched` were searched already.
pub(crate) fn find_head_end(input: &[u8], searched: usize) -> Option<usize> {
    let from = searched.saturating_sub(3);
    memmem::find(&input[from..], b"\r\n\r\n").map(|at| from + at + 4)
}

/// What is known about a request whose head may be broken or incomplete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequestLine<'a> {
    pub(crate) is_head: bool,
    /// The path without query and fragment; bytes that are not text are replaced.
    pub(crate) path: Cow<'a, str>,
}

impl<'a> RequestLine<'a> {
    /// Parses the first line of the input, if it has a path.
    pub(crate) fn read(input: &'a [u8]) -> Option<Self> {
        let line = input.trim_ascii_start().split(|&byte| byte == b'\n').next()?;
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let is_head = words.next()? == b"HEAD";
        let target = words.next()?.split(|&byte| matches!(byte, b'?' | b'#')).next()?;
        let (_, path) = split_target(target).ok()?;
        Some(Self { is_head, path: String::from_utf8_lossy(path) })
    }
}

/// Why a head was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeadError {
    /// It is not HTTP/1, or contradicts itself about its body.
    Malformed,
    /// More headers than [`HEADERS_MAX`].
    TooManyHeaders,
}

/// The length of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyLength {
    Known(u64),
    Chunked,
}

/// The parts of a head that decide how the request is handled. Texts are ranges of the head's
/// bytes.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) method: Range<usize>,
    /// Path and query, also of a target that contains the host.
    pub(crate) target: Range<usize>,
    pub(crate) body: BodyLength,
    pub(crate) keep_alive: bool,
    pub(crate) expects_continue: bool,
    pub(crate) amz_target: Option<Range<usize>>,
    pub(crate) content_type: Option<Range<usize>>,
    pub(crate) content_encoding: ContentEncoding,
    pub(crate) accept_encoding: AcceptEncoding,
    /// The host of the target if it contains one, otherwise that of the header.
    pub(crate) host: Option<Range<usize>>,
    /// Whether there are two different ones.
    pub(crate) has_two_hosts: bool,
    /// Whether the client accepts HTML, as browsers do.
    pub(crate) accepts_html: bool,
    /// Whether a web page sent it.
    pub(crate) has_origin: bool,
    /// Whether a proxy forwarded it.
    pub(crate) is_forwarded: bool,
}

impl Head {
    /// Parses a whole head.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, HeadError> {
        let mut headers = [EMPTY_HEADER; HEADERS_MAX];
        let mut request = httparse::Request::new(&mut headers);
        match request.parse(bytes) {
            // If the parser finds an earlier end, another parser of this head might not.
            Ok(Status::Complete(length)) if length == bytes.len() => {}
            Ok(Status::Complete(_)) => return Err(HeadError::Malformed),
            Err(Error::TooManyHeaders) => return Err(HeadError::TooManyHeaders),
            Ok(Status::Partial) | Err(_) => return Err(HeadError::Malformed),
        }
        let range = |part: &[u8]| {
            let start = part.as_ptr() as usize - bytes.as_ptr() as usize;
            start..start + part.len()
        };
        let is_current = request.version == Some(1);
        let (authority, target) = split_target(request.path.unwrap_or_default().as_bytes())?;
        let mut head = Self {
            method: range(request.method.unwrap_or_default().as_bytes()),
            target: range(target),
            body: BodyLength::Known(0),
            keep_alive: is_current,
            expects_continue: false,
            amz_target: None,
            content_type: None,
            content_encoding: ContentEncoding::Identity,
            accept_encoding: AcceptEncoding::default(),
            host: authority.map(range),
            has_two_hosts: false,
            accepts_html: false,
            has_origin: false,
            is_forwarded: false,
        };
        let mut content_length = None;
        let mut chunked = false;
        for header in request.headers.iter() {
            let (name, value) = (header.name, header.value);
            if name.eq_ignore_ascii_case("x-amz-target") {
                head.amz_target = Some(range(value));
            } else if name.eq_ignore_ascii_case("host") {
                let host = head.host.get_or_insert_with(|| range(value)).clone();
                head.has_two_hosts |= !bytes[host].eq_ignore_ascii_case(value);
            } else if name.eq_ignore_ascii_case("content-type") {
                head.content_type = Some(range(value));
            } else if name.eq_ignore_ascii_case("content-encoding") {
                head.content_encoding = head.content_encoding.with(value);
            } else if name.eq_ignore_ascii_case("accept-encoding") {
                head.accept_encoding = head.accept_encoding.with(value);
            } else if name.eq_ignore_ascii_case("content-length") {
                let length = decimal(value).ok_or(HeadError::Malformed)?;
                // Two different lengths are used to smuggle requests past a proxy.
                if content_length.replace(length).is_some_and(|other| other != length) {
                    return Err(HeadError::Malformed);
                }
            } else if name.eq_ignore_ascii_case("transfer-encoding") {
                // HTTP/1.0 has no chunks: a proxy would parse them differently.
                if chunked || !is_current || !value.eq_ignore_ascii_case(b"chunked") {
                    return Err(HeadError::Malformed);
                }
                chunked = true;
            } else if name.eq_ignore_ascii_case("connection") {
                let mut words = value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
                head.keep_alive &= !words.any(|word| word.eq_ignore_ascii_case(b"close"));
            } else if name.eq_ignore_ascii_case("accept") {
                head.accepts_html |=
                    memmem::find(&value.to_ascii_lowercase(), b"text/html").is_some();
            } else if name.eq_ignore_ascii_case("origin") {
                head.has_origin = true;
            } else if name.eq_ignore_ascii_case("expect") {
                head.expects_continue = is_current && value.eq_ignore_ascii_case(b"100-continue");
            } else if is_from_proxy(name) {
                head.is_forwarded = true;
            }
        }
        head.body = match (content_length, chunked) {
            (Some(_), true) => return Err(HeadError::Malformed),
            (Some(length), false) => BodyLength::Known(length),
            (None, true) => BodyLength::Chunked,
            (None, false) => BodyLength::Known(0),
        };
        Ok(head)
    }
}

/// Headers with which proxies name the client, besides those that begin with `X-Forwarded-`.
const PROXY_HEADERS: [&str; 20] = [
    "forwarded",
    "via",
    "x-real-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-original-host",
    "x-original-for",
    "x-original-forwarded-for",
    "x-envoy-external-address",
    "x-azure-clientip",
    "cf-connecting-ip",
    "fly-client-ip",
    "true-client-ip",
    "cdn-loop",
    "x-forwarded",
    "x-scheme",
    "client-ip",
    "fastly-client-ip",
    "do-connecting-ip",
    "x-appengine-user-ip",
];

/// Returns whether only a proxy sends this header.
fn is_from_proxy(name: &str) -> bool {
    const PREFIX: &str = "x-forwarded-";
    name.get(..PREFIX.len()).is_some_and(|start| start.eq_ignore_ascii_case(PREFIX))
        || PROXY_HEADERS.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Returns the host of a target, if it contains one, and its path and query. The form for proxies,
/// which every server must accept, has a scheme and a host. Targets with a fragment are refused:
/// parsers do not agree on where the path of such a target ends.
fn split_target(target: &[u8]) -> Result<(Option<&[u8]>, &[u8]), HeadError> {
    if target.contains(&b'#') {
        return Err(HeadError::Malformed);
    }
    let scheme = [&b"http://"[..], b"https://"].into_iter().find(|scheme| {
        target.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    let Some(scheme) = scheme else { return Ok((None, target)) };
    let host = &target[scheme.len()..];
    Ok(match host.iter().position(|&byte| byte == b'/') {
        Some(path) => (Some(&host[..path]), &host[path..]),
        // The last slash of the scheme replaces the path that was left out.
        None => (Some(host), &target[scheme.len() - 1..scheme.len()]),
    })
}

/// Returns a number that consists of digits only: no sign, no blanks.
fn decimal(value: &[u8]) -> Option<u64> {
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(value).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Coding;

    fn parse(text: &str) -> Result<Head, HeadError> {
        assert_eq!(find_head_end(text.as_bytes(), 0), Some(text.len()));
        Head::parse(text.as_bytes())
    }

    #[test]
    fn the_parts_of_a_head_are_found() {
        let text =
            "POST /?a=b HTTP/1.1\r\nHost: x\r\nx-amz-TARGET: T.Op\r\nContent-Length: 12\r\n\r\n";
        let head = parse(text).unwrap();
        assert_eq!(&text[head.method.clone()], "POST");
        assert_eq!(&text[head.target.clone()], "/?a=b");
        assert_eq!(&text[head.amz_target.clone().unwrap()], "T.Op");
        assert_eq!(head.body, BodyLength::Known(12));
        assert!(head.keep_alive);
    }

    #[test]
    fn keep_alive_follows_version_and_header() {
        let keeps = |text| parse(text).unwrap().keep_alive;
        assert!(keeps("GET / HTTP/1.1\r\n\r\n"));
        assert!(!keeps("GET / HTTP/1.0\r\n\r\n"));
        assert!(!keeps("GET / HTTP/1.1\r\nConnection: foo, Close\r\n\r\n"));
        // Clients of HTTP/1.0 would need a header to keep the connection open; closing is always
        // right.
        assert!(!keeps("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
        assert!(!keeps("GET / HTTP/1.1\r\nConnection: close\r\nConnection: keep-alive\r\n\r\n"));
    }

    #[test]
    fn targets_may_name_the_host() {
        for (target, expected) in [
            ("/", "/"),
            ("/a?b=http://c/", "/a?b=http://c/"),
            ("http://localhost:8000/", "/"),
            ("HTTP://localhost:8000/health?a", "/health?a"),
            ("https://localhost", "/"),
            ("*", "*"),
            ("ftp://localhost/", "ftp://localhost/"),
        ] {
            let text = format!("GET {target} HTTP/1.1\r\n\r\n");
            assert_eq!(&text[parse(&text).unwrap().target], expected, "{target}");
        }
    }

    #[test]
    fn targets_with_a_fragment_are_malformed() {
        for target in ["/metrics#x", "/metrics?a#x", "http://localhost/metrics#x", "http://a#b/"] {
            let text = format!("GET {target} HTTP/1.1\r\n\r\n");
            assert_eq!(parse(&text).unwrap_err(), HeadError::Malformed, "{target}");
        }
    }

    #[test]
    fn headers_of_proxies_are_known() {
        let is_forwarded = |header: &str| {
            parse(&format!("GET / HTTP/1.1\r\n{header}: 1.2.3.4\r\n\r\n")).unwrap().is_forwarded
        };
        for header in PROXY_HEADERS.into_iter().chain(["X-Forwarded-For", "CDN-Loop"]) {
            assert!(is_forwarded(header), "{header}");
        }
        assert!(!is_forwarded("X-Amz-Date"));
    }

    #[test]
    fn all_lines_of_accept_encoding_count() {
        let text = "GET / HTTP/1.1\r\nAccept-Encoding: gzip\r\nAccept-Encoding: br\r\n\r\n";
        assert_eq!(parse(text).unwrap().accept_encoding.best(), Some(Coding::Gzip));
    }

    #[test]
    fn the_path_of_a_broken_head_is_found() {
        for (input, expected) in [
            ("GET /a/b?c HTTP/1.1\r\nnonsense\r\n\r\n", Some("/a/b")),
            ("\r\nPOST /a HTTP/9\r\n", Some("/a")),
            ("GET /a/b c d", Some("/a/b")),
            ("GET /a\r\n\r\n", Some("/a")),
            ("GET\t/a#b HTTP/1.1\n\n", Some("/a")),
            ("GET http://host/a/b?c HTTP/1.1", Some("/a/b")),
            ("GET /cut/off/by/the/lim", Some("/cut/off/by/the/lim")),
            ("GET * HTTP/1.1", Some("*")),
            ("GET\r\n/a HTTP/1.1", None),
            ("GET ", None),
            ("\r\n", None),
            ("", None),
        ] {
            let line = RequestLine::read(input.as_bytes());
            assert_eq!(line.as_ref().map(|line| &*line.path), expected, "{input:?}");
        }
        let is_head = |input: &str| RequestLine::read(input.as_bytes()).unwrap().is_head;
        assert_eq!((is_head("HEAD /a"), is_head("HEADS /a")), (true, false));
        assert_eq!(RequestLine::read(b"GET /a\xff HTTP/1.1").unwrap().path, "/a\u{fffd}");
    }

    #[test]
    fn a_head_ends_once() {
        for text in [
            "GET / HTTP/1.1\n\nGET /health HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\nContent-Length: 3\n\nabc\r\n\r\n",
        ] {
            assert_eq!(parse(text).unwrap_err(), HeadError::Malformed, "{text}");
        }
    }

    #[test]
    fn the_old_version_has_neither_chunks_nor_continue() {
        let chunks = "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n";
        assert_eq!(parse(chunks).unwrap_err(), HeadError::Malformed);
        let expects = |version| {
            let text = format!("POST / HTTP/1.{version}\r\nExpect: 100-continue\r\n\r\n");
            parse(&text).unwrap().expects_continue
        };
        assert_eq!((expects(0), expects(1)), (false, true));
    }

    #[test]
    fn contradictory_lengths_are_malformed() {
        for headers in [
            "Content-Length: 1\r\nContent-Length: 2",
            "Content-Length: 1\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: gzip",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            "Content-Length: -1",
            "Content-Length: +1",
            "Content-Length: 1 1",
            "Content-Length: ",
            "Content-Length: 99999999999999999999999",
        ] {
            let head = format!("POST / HTTP/1.1\r\n{headers}\r\n\r\n");
            assert_eq!(parse(&head).unwrap_err(), HeadError::Malformed, "{headers}");
        }
    }

    #[test]
    fn too_many_headers_are_told_apart() {
        let head = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(HEADERS_MAX + 1));
        assert_eq!(parse(&head).unwrap_err(), HeadError::TooManyHeaders);
    }

    #[test]
    fn the_end_is_found_across_two_reads() {
        let text = b"GET / HTTP/1.1\r\n\r\n";
        for cut in 0..text.len() {
            assert_eq!(find_head_end(&text[..cut], 0), None);
            assert_eq!(find_head_end(text, cut), Some(text.len()));
        }
    }
}
