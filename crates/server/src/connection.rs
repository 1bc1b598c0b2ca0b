//! One connection: requests in, responses out, one after the other.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use http::uri::Scheme;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::time::Instant;

use crate::access::{Peer, Route};
use crate::buffers::{self, Buffers};
use crate::dispatch::{self, Answer, Incoming};
use crate::http::find_head_end;
use crate::places::Place;
use crate::refusal::Refusal;
use crate::secure::TlsAcceptor;
use crate::site::{self, Upload};
use crate::timer::{TimedOut, Timer};
use crate::worker::Worker;

mod receive;
mod send;
mod site_response;
mod stream;

use receive::Extent;
use stream::Stream;

/// Why a connection ends.
enum End {
    /// The client is done, or too slow for a response.
    Silent,
    /// The request is refused; the client gets the reason and the connection is closed.
    Refused(Refusal),
}

impl From<Refusal> for End {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<std::io::Error> for End {
    fn from(_: std::io::Error) -> Self {
        Self::Silent
    }
}

impl From<TimedOut> for End {
    fn from(_: TimedOut) -> Self {
        Self::Silent
    }
}

/// A connection with a client.
pub(crate) struct Connection {
    stream: Stream,
    peer: Peer,
    worker: Rc<Worker>,
    place: Rc<Place>,
    timer: Timer,
    /// How long it may wait for a request.
    idle_time_max: Duration,
}

impl Connection {
    pub(crate) fn new(stream: TcpStream, peer: Peer, worker: Rc<Worker>, place: Rc<Place>) -> Self {
        // Responses are written whole; waiting for more to send would only delay them.
        let _ = stream.set_nodelay(true);
        let limits = worker.limits();
        // A connection is kept longer after its first request.
        let idle_time_max = limits.head_timeout.min(limits.idle_timeout);
        let timer = Timer::new(idle_time_max);
        Self { stream: Stream::Plain(stream), peer, worker, place, timer, idle_time_max }
    }

    /// Serves requests until the client, a limit or a shutdown ends it.
    pub(crate) async fn serve(self) {
        match self.worker.shared().config.tls.clone() {
            None => drop(self.serve_requests().await),
            Some(tls) => {
                let Some(secured) = self.secured(&*tls).await else { return };
                // Reports that nothing was truncated, if the client accepts that at once.
                secured.serve_requests().await.shut_down().await;
            }
        }
    }

    /// Performs the handshake as soon as the client starts it. A plain-text request is refused.
    async fn secured(mut self, tls: &dyn TlsAcceptor) -> Option<Self> {
        if !self.wait_for_request().await {
            return None;
        }
        if !self.stream.begins_handshake() {
            let mut buffers = self.worker.pool().take();
            self.refuse(&mut buffers, Refusal::NotSecure).await;
            self.worker.pool().give_back(buffers);
            return None;
        }
        let Self { stream, peer, worker, place, mut timer, idle_time_max } = self;
        let Stream::Plain(socket) = stream else { return None };
        timer.arm(worker.limits().head_timeout);
        let secured = timer.limit(tls.accept(socket)).await.ok()?.ok()?;
        Some(Self { stream: Stream::Tls(secured), peer, worker, place, timer, idle_time_max })
    }

    /// Serves requests to the end; returns the stream.
    async fn serve_requests(mut self) -> Stream {
        while self.wait_for_request().await {
            let mut buffers = self.worker.pool().take();
            let goes_on = match self.read_what_is_there(&mut buffers.input).await {
                Poll::Ready(Ok(0) | Err(_)) => false,
                Poll::Ready(Ok(_)) => self.serve_burst(&mut buffers).await,
                Poll::Pending => true,
            };
            self.worker.pool().give_back(buffers);
            if !goes_on {
                break;
            }
        }
        self.stream
    }

    /// Waits, without holding a buffer, until something arrives. A connection that must be closed
    /// ends only if nothing has arrived: a request that was sent before is served.
    async fn wait_for_request(&mut self) -> bool {
        let now = Instant::now();
        self.timer.arm_at(now + self.idle_time_max);
        self.place.set_idle(now);
        let Self { stream, worker, place, timer, .. } = self;
        let arrived = poll_fn(|context| match stream.poll_arrived(context) {
            Poll::Ready(result) => Poll::Ready(result.is_ok()),
            Poll::Pending
                if (worker.is_stopping() || place.must_leave()) && !stream.has_input() =>
            {
                Poll::Ready(false)
            }
            Poll::Pending => {
                place.register(context.waker());
                Poll::Pending
            }
        });
        let arrived = timer.limit(arrived).await;
        place.set_busy();
        arrived == Ok(true)
    }

    /// Reads without waiting. There may be nothing: after a read that filled its buffer exactly the
    /// runtime assumes that there is more.
    async fn read_what_is_there(&mut self, input: &mut Vec<u8>) -> Poll<std::io::Result<usize>> {
        let mut read = pin!(self.stream.read_buf(input));
        poll_fn(|context| Poll::Ready(read.as_mut().poll(context))).await
    }

    /// Serves the request that is arriving and those that follow immediately. Returns whether the
    /// connection continues.
    async fn serve_burst(&mut self, buffers: &mut Buffers) -> bool {
        loop {
            match self.serve_one(buffers).await {
                // One connection with many requests must not block the others of the worker.
                Ok(true) if !buffers.input.is_empty() => tokio::task::yield_now().await,
                Ok(goes_on) => return goes_on,
                Err(End::Silent) => return false,
                Err(End::Refused(refusal)) => {
                    self.refuse(buffers, refusal).await;
                    return false;
                }
            }
        }
    }

    async fn serve_one(&mut self, buffers: &mut Buffers) -> Result<bool, End> {
        let mut extent = self.receive(&mut buffers.input).await?;
        let incoming = Incoming {
            head: &extent.head,
            head_bytes: &buffers.input[..extent.head_end],
            body: &buffers.input[extent.head_end..extent.body_end],
            peer: self.peer,
        };
        if let Route::Site(site, path, audience) = &extent.route {
            let site = Arc::clone(site);
            let is_cut = extent.is_cut;
            let upload = if is_cut {
                Upload::TooLarge
            } else {
                let bytes_max = self.worker.limits().body_bytes_max.min(path.body_bytes_max);
                site::upload(incoming, bytes_max, &self.worker, &mut extent.body_share).await?
            };
            let mut request = site::request(incoming, upload)?;
            if path.is_start {
                request.extensions_mut().insert(*audience);
            }
            if self.worker.shared().config.tls.is_some() {
                request.extensions_mut().insert(Scheme::HTTPS);
            }
            let coding = extent.head.accept_encoding.best();
            let keep_alive = extent.head.keep_alive && !is_cut;
            release(&mut buffers.input, extent);
            self.idle_time_max = self.worker.limits().idle_timeout;
            let served =
                self.serve_site(&*site, request, coding, keep_alive, &mut buffers.output).await?;
            if is_cut {
                self.linger(&mut buffers.input).await;
            }
            return Ok(served);
        }
        self.wait_for_room(incoming).await?;
        let is_head = incoming.method() == b"HEAD";
        let (route, share) = (&extent.route, &mut extent.body_share);
        let Answer { response, keep_alive } =
            dispatch::answer(&self.worker, incoming, route, share, &mut buffers.output).await?;
        // A body would be parsed as the next response.
        let response = if is_head {
            &response[..find_head_end(response, 0).unwrap_or(response.len())]
        } else {
            response
        };
        release(&mut buffers.input, extent);
        self.idle_time_max = self.worker.limits().idle_timeout;
        self.send(response).await?;
        buffers.output.clear();
        buffers::slim(&mut buffers.output);
        Ok(keep_alive)
    }

    /// Waits while too much of other responses is unread: this one would add to it.
    async fn wait_for_room(&mut self, incoming: Incoming<'_>) -> Result<(), End> {
        let backlog = &self.worker.shared().backlog;
        if backlog.is_empty() {
            return Ok(());
        }
        let Some(size) = dispatch::response_size(incoming) else {
            return Ok(());
        };
        self.timer.arm(self.worker.limits().body_timeout);
        let room = self.timer.limit(backlog.room(size)).await;
        room.map_err(|TimedOut| End::Refused(Refusal::Busy))
    }
}

/// Releases the memory of a request that was parsed: others need it while it is processed, or while
/// the client reads the response.
fn release(input: &mut Vec<u8>, extent: Extent) {
    input.drain(..extent.taken);
    buffers::slim(input);
}
