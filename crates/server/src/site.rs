//! What else is answered on the port: a site with paths of its own, such as the services.
//!
//! The server receives its requests and sends its responses under the same limits as DynamoDB's; what
//! they mean, the site knows.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;

use bytes::Bytes;
use http::{Request, Response, Version};
use http_body::Body;

use crate::dispatch::{Incoming, Refusal};
use crate::limits::HEADERS_MAX;

/// Answers the requests for some paths.
pub trait Site: Send + Sync {
    /// Whether requests for a path are the site's.
    fn owns(&self, path: &str) -> bool;
    /// Bytes of a body that are received for a path, within those that the server takes. Of a body with
    /// more, nothing is kept: what the client gets to read about it, the site says.
    fn body_bytes_max(&self, path: &str) -> usize;
    /// Answers a request, among whose extensions is the [`SocketAddr`](std::net::SocketAddr) of whoever
    /// sent it, or passed it on. It never panics.
    fn call(&self, request: Request<Upload>) -> SiteReply;
}

/// The body of a request for the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Upload {
    /// All of it.
    Whole(Bytes),
    /// It has more bytes than are taken.
    TooLarge,
}

/// A response on its way.
pub type SiteReply = Pin<Box<dyn Future<Output = Response<SiteBody>> + Send>>;

/// The body of a response: of known size, or one that goes on until it ends.
pub type SiteBody = Pin<Box<dyn Body<Data = Bytes, Error = Infallible> + Send>>;

/// A request as the site sees it.
pub(crate) fn request(
    incoming: Incoming<'_>,
    is_too_large: bool,
) -> Result<Request<Upload>, Refusal> {
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
    for header in head.headers.iter() {
        request = request.header(header.name, header.value);
    }
    let request = request.extension(incoming.peer);
    let upload = match is_too_large {
        true => Upload::TooLarge,
        false => Upload::Whole(Bytes::copy_from_slice(incoming.body)),
    };
    request.body(upload).map_err(|_| Refusal::Malformed)
}
