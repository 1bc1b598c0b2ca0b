//! The bodies of a service's requests and responses, between the server and the service's router.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use monotable_server::{SiteBody, Upload};

/// Returns the body of a request, for a router.
pub(super) fn received(upload: Upload) -> Body {
    match upload {
        Upload::Whole(bytes) => Body::from(bytes),
        Upload::TooLarge => Body::new(TooLarge),
    }
}

/// A body that is larger than any service accepts, and was discarded.
struct TooLarge;

impl http_body::Body for TooLarge {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        Poll::Ready(Some(Err(io::ErrorKind::FileTooLarge.into())))
    }

    fn size_hint(&self) -> SizeHint {
        let mut size = SizeHint::default();
        size.set_lower(u64::MAX);
        size
    }
}

/// Returns a body for the server.
pub(super) fn sent(body: Body) -> SiteBody {
    Box::pin(Sent(body))
}

struct Sent(Body);

impl http_body::Body for Sent {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let next = Pin::new(&mut self.0).poll_frame(context);
        next.map(|frame| Some(frame?.map_err(io::Error::other)))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.size_hint()
    }
}
