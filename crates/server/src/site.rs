//! Other content of the server: a site with its own paths, such as the services.
//!
//! The server receives its requests and sends its responses under the same limits as DynamoDB's;
//! the site interprets them.

use std::future::Future;
use std::io;
use std::pin::Pin;

use bytes::Bytes;
use http::{Request, Response, Version};
use http_body::Body;
use monotable_metrics::Page;

use crate::access::Reach;
use crate::body_memory::BodyShare;
use crate::dispatch::Incoming;
use crate::encoding::{ContentEncoding, DecodeError};
use crate::limits::HEADERS_MAX;
use crate::refusal::Refusal;
use crate::worker::Worker;

/// Responds to the requests for some paths.
pub trait Site: Send + Sync {
    /// Returns how requests for a path are received; `None` if the path is not the site's.
    fn find(&self, path: &str) -> Option<SitePath>;
    /// Responds to a request, whose extensions contain the [`SocketAddr`](std::net::SocketAddr) of
    /// its sender, or of the proxy that forwarded it, and
    /// [`Scheme::HTTPS`](http::uri::Scheme::HTTPS) if it came through TLS. It never panics.
    fn call(&self, request: Request<Upload>) -> SiteReply;
    /// Responds to a request that the server refuses, in the form of the site's own errors. The
    /// path is the site's; it may be truncated, and need not be a valid URI. It never panics.
    fn refuse(&self, path: &str, refusal: Refusal) -> SiteReply;
    /// Returns the lines that `/ready` shows after its own, about problems that do not prevent the
    /// server from responding.
    fn readiness(&self) -> String {
        String::new()
    }
    /// Writes its metrics to the server's page.
    fn write_metrics(&self, page: &mut Page);
}

/// How the requests for a path of the site are received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SitePath {
    /// The maximum size of a body, within the server's own. Larger bodies are discarded, and the
    /// site responds to them.
    pub body_bytes_max: usize,
    /// Who can reach it.
    pub reach: Reach,
    /// Whether it is the start page `/`, or belongs to it: then everyone with access to the
    /// database can reach it as well, also at the database's own address. Programs get DynamoDB's
    /// text at `/`.
    pub is_start: bool,
}

/// The viewer of a start page, in the extensions of its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// A caller that may use the database without a signature.
    Operator,
    /// A caller that can only reach the site.
    Visitor,
}

/// The body of a request for the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Upload {
    /// All of it.
    Whole(Bytes),
    /// It has more bytes than are accepted.
    TooLarge,
}

/// A response in progress.
pub type SiteReply = Pin<Box<dyn Future<Output = Response<SiteBody>> + Send>>;

/// The body of a response: of known size, or one that continues until it ends. After a failure the
/// connection is closed without the end of the response.
pub type SiteBody = Pin<Box<dyn Body<Data = Bytes, Error = io::Error> + Send>>;

/// Returns the body of a request for the site: decoded, if it is not too large then.
pub(crate) async fn upload(
    incoming: Incoming<'_>,
    bytes_max: usize,
    worker: &Worker,
    share: &mut BodyShare,
) -> Result<Upload, Refusal> {
    let encoding = incoming.head.content_encoding;
    match encoding.decode(incoming.body, bytes_max, worker, share).await {
        Ok(body) => Ok(Upload::Whole(Bytes::from(body.into_owned()))),
        Err(DecodeError::TooLarge) => Ok(Upload::TooLarge),
        Err(error) => Err(error.into()),
    }
}

/// Converts a request for the site.
pub(crate) fn request(incoming: Incoming<'_>, upload: Upload) -> Result<Request<Upload>, Refusal> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut head = httparse::Request::new(&mut headers);
    if head.parse(incoming.head_bytes).is_err() {
        unreachable!("the head was parsed before");
    }
    let version = match head.version {
        Some(1) => Version::HTTP_11,
        _ => Version::HTTP_10,
    };
    let mut request =
        Request::builder().method(incoming.method()).uri(incoming.target()).version(version);
    // These headers are about the body as it was sent.
    let is_decoded = incoming.head.content_encoding != ContentEncoding::Identity;
    let hidden: &[&str] = if is_decoded { &["content-encoding", "content-length"] } else { &[] };
    for header in head.headers.iter() {
        if !hidden.iter().any(|name| header.name.eq_ignore_ascii_case(name)) {
            request = request.header(header.name, header.value);
        }
    }
    let request = request.extension(incoming.peer.address);
    let request = request.body(upload).map_err(|_| Refusal::Malformed)?;
    // The response must come from the path that was found.
    if request.uri().path().as_bytes() == incoming.path() {
        Ok(request)
    } else {
        Err(Refusal::Malformed)
    }
}
