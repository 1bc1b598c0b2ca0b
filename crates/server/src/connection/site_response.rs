//! Requests for the site, and its responses: whole, or as a stream.

use std::future::poll_fn;
use std::io::Write as _;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{
    CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, DATE, SERVER, TRANSFER_ENCODING,
    VARY,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use http_body::Body as _;

use super::{Connection, End};
use crate::buffers;
use crate::encoding::{COMPRESSED_BYTES_MIN, Coding};
use crate::site::{Site, SiteBody, Upload};

/// The headers that the server sets itself.
const OWN_HEADERS: [HeaderName; 5] = [CONNECTION, CONTENT_LENGTH, DATE, SERVER, TRANSFER_ENCODING];

/// How the end of a body is marked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Framing {
    /// There is no body: for HEAD, or for a status without one.
    None,
    /// The number of bytes.
    Length(usize),
    /// Chunks, the last of which is empty.
    Chunks,
    /// The connection ends.
    Close,
}

/// How a response of the site is sent.
#[derive(Clone, Copy)]
pub(super) struct SiteResponseForm {
    /// Whether it responds to a HEAD, and has no body.
    pub(super) is_head: bool,
    /// Whether the client supports chunks.
    pub(super) has_chunks: bool,
    /// How a body may be compressed.
    pub(super) coding: Option<Coding>,
    pub(super) keep_alive: bool,
}

impl Connection {
    /// Responds to a request for the site. Returns whether the connection continues.
    pub(super) async fn serve_site(
        &mut self,
        site: &dyn Site,
        request: Request<Upload>,
        coding: Option<Coding>,
        keep_alive: bool,
        output: &mut Vec<u8>,
    ) -> Result<bool, End> {
        let is_head = request.method() == Method::HEAD;
        let has_chunks = request.version() == http::Version::HTTP_11;
        let response = site.call(request).await;
        let keep_alive = keep_alive && !self.worker.is_stopping();
        let form = SiteResponseForm { is_head, has_chunks, coding, keep_alive };
        self.send_site_response(response, form, output).await
    }

    /// Sends a response of the site. Returns whether the connection continues.
    pub(super) async fn send_site_response(
        &mut self,
        response: Response<SiteBody>,
        form: SiteResponseForm,
        output: &mut Vec<u8>,
    ) -> Result<bool, End> {
        let SiteResponseForm { is_head, has_chunks, coding, keep_alive } = form;
        let (head, mut body) = response.into_parts();
        let has_body = !is_head
            && !head.status.is_informational()
            && ![StatusCode::NO_CONTENT, StatusCode::NOT_MODIFIED].contains(&head.status);
        let mut response = Response::from_parts(head, ());
        if is_compressible(response.headers()) || response.status() == StatusCode::NOT_MODIFIED {
            let varies = HeaderValue::from_static("accept-encoding");
            response.headers_mut().append(VARY, varies);
        }
        if !has_body {
            self.write_head(output, &response, Framing::None, keep_alive);
            self.send_out(output).await?;
            return Ok(keep_alive);
        }
        match body.size_hint().exact() {
            Some(_) => {
                let mut data = Vec::new();
                while let Some(part) = next(&mut body).await? {
                    data.extend_from_slice(&part);
                }
                let data = compressed(data, coding, response.headers_mut());
                self.write_head(output, &response, Framing::Length(data.len()), keep_alive);
                output.extend_from_slice(&data);
                self.send_out(output).await?;
                Ok(keep_alive)
            }
            None => {
                let framing = if has_chunks { Framing::Chunks } else { Framing::Close };
                let keep_alive = keep_alive && has_chunks;
                self.write_head(output, &response, framing, keep_alive);
                self.send_out(output).await?;
                // All events that were sent are complete.
                let at_stop = match response.headers().get(CONTENT_TYPE) {
                    Some(content_type) if content_type == "text/event-stream" => AtStop::End,
                    _ => AtStop::BreakOff,
                };
                self.send_stream(&mut body, (framing, at_stop), output).await?;
                Ok(keep_alive && !self.worker.is_stopping())
            }
        }
    }

    /// Sends the stream until it ends, the client leaves or the server stops.
    async fn send_stream(
        &mut self,
        body: &mut SiteBody,
        (framing, at_stop): (Framing, AtStop),
        output: &mut Vec<u8>,
    ) -> Result<(), End> {
        while let Some(data) = self.next_or_end(body, at_stop).await? {
            if data.is_empty() {
                continue;
            }
            if framing == Framing::Chunks {
                let _ = write!(output, "{:x}\r\n", data.len());
            }
            output.extend_from_slice(&data);
            if framing == Framing::Chunks {
                output.extend_from_slice(b"\r\n");
            }
            self.send_out(output).await?;
        }
        if framing == Framing::Chunks {
            output.extend_from_slice(b"0\r\n\r\n");
        }
        self.send_out(output).await
    }

    /// Returns the next part of a stream; `None` or an error when the server stops, an error when
    /// the client has left.
    async fn next_or_end(
        &mut self,
        body: &mut SiteBody,
        at_stop: AtStop,
    ) -> Result<Option<Bytes>, End> {
        let Self { stream, worker, place, .. } = self;
        poll_fn(|context| {
            if let Poll::Ready(data) = poll_data(body, context) {
                return Poll::Ready(data);
            }
            if worker.is_stopping() {
                return Poll::Ready(match at_stop {
                    AtStop::End => Ok(None),
                    AtStop::BreakOff => Err(End::Silent),
                });
            }
            if stream.poll_left(context).is_ready() {
                return Poll::Ready(Err(End::Silent));
            }
            place.register(context.waker());
            Poll::Pending
        })
        .await
    }

    async fn send_out(&mut self, output: &mut Vec<u8>) -> Result<(), End> {
        self.send(output).await?;
        output.clear();
        buffers::slim(output);
        Ok(())
    }

    fn write_head(
        &self,
        output: &mut Vec<u8>,
        response: &Response<()>,
        framing: Framing,
        keep_alive: bool,
    ) {
        let status = response.status();
        let reason = status.canonical_reason().unwrap_or("Unknown");
        let _ = write!(output, "HTTP/1.1 {} {reason}\r\nserver: Monotable\r\n", status.as_u16());
        self.worker.date.with(|date| {
            let _ = write!(output, "date: {date}\r\n");
        });
        for (name, value) in response.headers() {
            if !OWN_HEADERS.contains(name) {
                let _ = write!(output, "{name}: ");
                output.extend_from_slice(value.as_bytes());
                output.extend_from_slice(b"\r\n");
            }
        }
        let _ = match framing {
            Framing::None | Framing::Close => Ok(()),
            Framing::Length(bytes) => write!(output, "content-length: {bytes}\r\n"),
            Framing::Chunks => write!(output, "transfer-encoding: chunked\r\n"),
        };
        if !keep_alive {
            output.extend_from_slice(b"connection: close\r\n");
        }
        output.extend_from_slice(b"\r\n");
    }
}

/// Compresses a body if that is worthwhile and the client accepts it. Its `ETag` stays: it
/// identifies a version of what is shown, and clients send it back in `If-Match`.
fn compressed(data: Vec<u8>, coding: Option<Coding>, headers: &mut HeaderMap) -> Vec<u8> {
    let is_worth_it = data.len() > COMPRESSED_BYTES_MIN && is_compressible(headers);
    match coding.filter(|_| is_worth_it).and_then(|coding| Some((coding, coding.compress(&data)?)))
    {
        Some((coding, compressed)) => {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
            compressed
        }
        None => data,
    }
}

/// Returns whether a body may be compressed, for clients that accept that.
fn is_compressible(headers: &HeaderMap) -> bool {
    !headers.contains_key(CONTENT_ENCODING) && headers.get(CONTENT_TYPE).is_some_and(is_text)
}

/// Returns whether a body of this type is text.
fn is_text(content_type: &HeaderValue) -> bool {
    let content_type = content_type.as_bytes();
    content_type.starts_with(b"text/") || content_type.starts_with(b"application/json")
}

/// What happens to a stream when the server stops.
#[derive(Clone, Copy)]
enum AtStop {
    /// It ends as if it were complete.
    End,
    /// The connection is closed without its end, because something is missing.
    BreakOff,
}

async fn next(body: &mut SiteBody) -> Result<Option<Bytes>, End> {
    poll_fn(|context| poll_data(body, context)).await
}

/// Returns the next data of a body; trailers are not sent. A body that fails ends the connection,
/// because its head is sent.
fn poll_data(body: &mut SiteBody, context: &mut Context<'_>) -> Poll<Result<Option<Bytes>, End>> {
    loop {
        return match Pin::new(&mut *body).poll_frame(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(None) => Poll::Ready(Ok(None)),
            Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                Ok(data) => Poll::Ready(Ok(Some(data))),
                Err(_trailers) => continue,
            },
            Poll::Ready(Some(Err(_))) => Poll::Ready(Err(End::Silent)),
        };
    }
}
