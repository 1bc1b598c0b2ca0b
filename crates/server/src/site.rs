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
    /// Answers a request, among whose extensions is the [`SocketAddr`](std::net::SocketAddr) of whoever
    /// sent it, or passed it on. It never panics.
    fn call(&self, request: Request<Bytes>) -> SiteReply;
}

/// A response on its way.
pub type SiteReply = Pin<Box<dyn Future<Output = Response<SiteBody>> + Send>>;

/// The body of a response: of known size, or one that goes on until it ends.
pub type SiteBody = Pin<Box<dyn Body<Data = Bytes, Error = Infallible> + Send>>;

/// A request as the site sees it.
pub(crate) fn request(incoming: Incoming<'_>) -> Result<Request<Bytes>, Refusal> {
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
    request.body(Bytes::copy_from_slice(incoming.body)).map_err(|_| Refusal::Malformed)
}
