//! One connection: requests in, responses out, one after the other.

use std::cell::Cell;
use std::future::poll_fn;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

use crate::buffers::Buffers;
use crate::dispatch::{self, Incoming, Refusal};
use crate::http::{Body, BodyLength, Chunks, Head, HeadError, find_head_end};
use crate::limits::SMALL_BODY_BYTES;
use crate::timer::{TimedOut, Timer};
use crate::worker::Worker;

/// How much of a refused body is read and thrown away, so that the client gets to read why.
const LINGER_BYTES_MAX: usize = 8 * 1024 * 1024;
const LINGER_TIME: Duration = Duration::from_secs(2);
/// How often clients that read slowly are looked at; as long as the unit of the least rate.
const READERS_CHECKED_EVERY: Duration = Duration::from_secs(1);
/// The lines around the chunk that is arriving.
const CHUNK_LINES_BYTES_MAX: usize = 4 * 1024;

/// Why a connection ends.
enum End {
    /// The client is done, or too slow to be told so.
    Silent,
    /// The request can't be read; the client is told and the connection closed.
    Refused(Refusal),
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

/// What of the input belongs to a request.
struct Extent {
    head: Head,
    head_end: usize,
    body_end: usize,
    /// Where the next request begins.
    taken: usize,
    /// The request's share of the memory for large bodies.
    _body_share: Option<OwnedSemaphorePermit>,
}

/// A body on its way.
struct Upload {
    since: Instant,
    received_bytes: usize,
    /// How long the input can become, head and all.
    input_bytes_max: usize,
    share: Option<OwnedSemaphorePermit>,
}

impl Upload {
    fn new(input_bytes_max: usize) -> Self {
        Self { since: Instant::now(), received_bytes: 0, input_bytes_max, share: None }
    }
}

/// A connection with a client.
pub(crate) struct Connection {
    stream: TcpStream,
    peer: SocketAddr,
    worker: Rc<Worker>,
    timer: Timer,
    /// Whether a request is being worked on; a shutdown lets it finish.
    busy: Rc<Cell<bool>>,
}

impl Connection {
    pub(crate) fn new(
        stream: TcpStream,
        peer: SocketAddr,
        worker: Rc<Worker>,
        busy: Rc<Cell<bool>>,
    ) -> Self {
        // Responses are written whole; waiting for more to send would only delay them.
        let _ = stream.set_nodelay(true);
        let timer = Timer::new(worker.limits().idle_timeout);
        Self { stream, peer, worker, timer, busy }
    }

    /// Serves requests until the client, a limit or a shutdown ends it.
    pub(crate) async fn serve(mut self) {
        while self.wait_for_request().await {
            self.busy.set(true);
            let mut buffers = self.worker.pool().take();
            let goes_on = self.serve_burst(&mut buffers).await;
            self.worker.pool().give_back(buffers);
            self.busy.set(false);
            if !goes_on || self.worker.is_stopping() {
                break;
            }
        }
    }

    /// Waits, without holding a buffer, until something arrives.
    async fn wait_for_request(&mut self) -> bool {
        self.timer.arm(self.worker.limits().idle_timeout);
        let readable = poll_fn(|context| self.stream.poll_read_ready(context));
        matches!(self.timer.limit(readable).await, Ok(Ok(())))
    }

    /// Serves the request that is arriving and those that follow it closely. Whether the
    /// connection goes on.
    async fn serve_burst(&mut self, buffers: &mut Buffers) -> bool {
        loop {
            match self.serve_one(buffers).await {
                // One connection with many requests must not keep the worker from the others.
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
        let extent = self.receive(&mut buffers.input).await?;
        let keep_alive = extent.head.keep_alive && !self.worker.is_stopping();
        let incoming = Incoming {
            head: &extent.head,
            head_bytes: &buffers.input[..extent.head_end],
            body: &buffers.input[extent.head_end..extent.body_end],
            peer: self.peer,
        };
        let response =
            dispatch::answer(&self.worker, incoming, keep_alive, &mut buffers.output).await;
        let response = match &buffers.input[extent.head.method.clone()] {
            // A body would be taken for the next response.
            b"HEAD" => &response[..find_head_end(response, 0).unwrap_or(response.len())],
            _ => response,
        };
        self.send(response).await?;
        buffers.input.drain(..extent.taken);
        buffers.slim();
        Ok(keep_alive)
    }

    /// Reads until a whole request is in the input.
    async fn receive(&mut self, input: &mut Vec<u8>) -> Result<Extent, End> {
        let head_end = self.receive_head(input).await?;
        let head = Head::parse(&input[..head_end]).map_err(|error| {
            End::Refused(match error {
                HeadError::Malformed => Refusal::Malformed,
                HeadError::TooManyHeaders => Refusal::HeadTooLarge,
            })
        })?;
        let body_bytes_max = self.worker.limits().body_bytes_max;
        match head.body {
            BodyLength::Known(length) if length > body_bytes_max as u64 => {
                Err(End::Refused(Refusal::BodyTooLarge))
            }
            BodyLength::Known(length) => {
                let body_end = head_end + length as usize;
                let mut upload = Upload::new(body_end);
                if input.len() < body_end {
                    self.invite(&head, &input[head_end..]).await?;
                }
                while input.len() < body_end {
                    self.receive_more(input, &mut upload).await?;
                }
                let share = upload.share;
                Ok(Extent { head, head_end, body_end, taken: body_end, _body_share: share })
            }
            BodyLength::Chunked => self.receive_chunks(input, head, head_end).await,
        }
    }

    async fn receive_head(&mut self, input: &mut Vec<u8>) -> Result<usize, End> {
        let head_bytes_max = self.worker.limits().head_bytes_max;
        let mut searched = 0;
        let mut timed = false;
        loop {
            // Who speaks another protocol, such as TLS, is told so before the time is over.
            if input.first().is_some_and(|first| !first.is_ascii_graphic() && *first != b'\r') {
                return Err(End::Refused(Refusal::Malformed));
            }
            let end = find_head_end(input, searched);
            if end.unwrap_or(input.len()) > head_bytes_max {
                return Err(End::Refused(Refusal::HeadTooLarge));
            }
            if let Some(end) = end {
                return Ok(end);
            }
            // The clock of a head starts with its first bytes; more of them do not set it back.
            if !input.is_empty() && !timed {
                self.timer.arm(self.worker.limits().head_timeout);
                timed = true;
            }
            searched = input.len();
            self.read_some(input).await?;
        }
    }

    async fn receive_chunks(
        &mut self,
        input: &mut Vec<u8>,
        head: Head,
        head_end: usize,
    ) -> Result<Extent, End> {
        self.invite(&head, &input[head_end..]).await?;
        let body_bytes_max = self.worker.limits().body_bytes_max;
        let mut upload = Upload::new(head_end + body_bytes_max + CHUNK_LINES_BYTES_MAX);
        let mut chunks = Chunks::new(head_end);
        loop {
            match chunks.take(input, body_bytes_max) {
                Body::Whole { end: body_end, taken } => {
                    let share = upload.share;
                    return Ok(Extent { head, head_end, body_end, taken, _body_share: share });
                }
                Body::Malformed => return Err(End::Refused(Refusal::Malformed)),
                Body::TooLarge => return Err(End::Refused(Refusal::BodyTooLarge)),
                Body::Partial => chunks.close_gap(input),
            }
            self.receive_more(input, &mut upload).await?;
        }
    }

    /// Asks for the body, if the client waits to be asked.
    async fn invite(&mut self, head: &Head, body: &[u8]) -> Result<(), End> {
        if head.expects_continue && body.is_empty() {
            self.timer.arm(self.worker.limits().write_timeout);
            self.timer.limit(self.stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")).await??;
        }
        Ok(())
    }

    /// Reads more of a body, which must keep coming: what has arrived gives time for what has not.
    async fn receive_more(&mut self, input: &mut Vec<u8>, upload: &mut Upload) -> Result<(), End> {
        if input.capacity() == input.len() {
            self.make_room(input, upload).await?;
        }
        self.timer.arm_at(upload.since + self.worker.limits().body_time(upload.received_bytes));
        let before = input.len();
        self.read_some(input).await?;
        upload.received_bytes += input.len() - before;
        Ok(())
    }

    /// Makes room for more of a body: a little for everybody, the rest out of the common share. The
    /// memory itself is taken only as the body arrives.
    async fn make_room(&mut self, input: &mut Vec<u8>, upload: &mut Upload) -> Result<(), End> {
        let missing = upload.input_bytes_max.saturating_sub(input.len());
        let room = missing.min(input.len().max(SMALL_BODY_BYTES));
        if input.len() + room > SMALL_BODY_BYTES && upload.share.is_none() {
            let limits = self.worker.limits();
            self.timer.arm(limits.body_timeout);
            // All at once: bodies that hold a part while they wait for the rest would wait for each
            // other.
            let share = self.worker.body_share(upload.input_bytes_max.min(limits.bodies_bytes_max));
            match self.timer.limit(share).await {
                Ok(share) => upload.share = Some(share),
                Err(TimedOut) => return Err(End::Refused(Refusal::Busy)),
            }
            // The wait was not the client's.
            upload.since = Instant::now();
        }
        input.reserve_exact(room);
        Ok(())
    }

    /// Reads what has arrived, or waits for something.
    async fn read_some(&mut self, input: &mut Vec<u8>) -> Result<(), End> {
        match self.timer.limit(self.stream.read_buf(input)).await? {
            Ok(0) => Err(End::Silent),
            Ok(_) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Sends a response; mostly the system takes it at once.
    async fn send(&mut self, response: &[u8]) -> Result<(), End> {
        let written = match self.stream.try_write(response) {
            Ok(written) => written,
            Err(error) if error.kind() == ErrorKind::WouldBlock => 0,
            Err(error) => return Err(error.into()),
        };
        match &response[written..] {
            [] => Ok(()),
            rest => self.send_slowly(rest).await,
        }
    }

    /// Sends as fast as the client reads: within the time that everybody has, and not slower than
    /// bodies must be when too much of all responses is unread. Then a response more that the client
    /// does not take at once is given up: clients that don't read must not cost those that do.
    async fn send_slowly(&mut self, mut rest: &[u8]) -> Result<(), End> {
        let Self { stream, worker, timer, .. } = self;
        let limits = worker.limits();
        if worker.backlog.bytes() >= worker.unread_bytes_max() {
            return Err(End::Silent);
        }
        let mut unread = worker.backlog.add(rest.len());
        let due = Instant::now() + limits.write_timeout;
        let mut checked = Instant::now() + READERS_CHECKED_EVERY;
        let mut taken_bytes = 0;
        while !rest.is_empty() {
            timer.arm_at(checked.min(due));
            if let Ok(written) = timer.limit(stream.write(rest)).await {
                let written = written?;
                unread.take(written);
                taken_bytes += written;
                rest = &rest[written..];
            }
            let now = Instant::now();
            if now >= checked {
                let slow = taken_bytes < limits.body_bytes_per_second_min;
                if slow && worker.backlog.bytes() >= worker.unread_bytes_max() {
                    return Err(End::Silent);
                }
                checked = now + READERS_CHECKED_EVERY;
                taken_bytes = 0;
            }
            if now >= due && !rest.is_empty() {
                return Err(End::Silent);
            }
        }
        Ok(())
    }

    /// Says why the request is not taken, and reads on for a moment: closing at once would make
    /// the network throw the answer away.
    async fn refuse(&mut self, buffers: &mut Buffers, refusal: Refusal) {
        buffers.input.clear();
        buffers.slim();
        let response = dispatch::refuse(&self.worker, refusal, &mut buffers.output);
        self.timer.arm(LINGER_TIME);
        let Self { stream, timer, .. } = self;
        let linger = async {
            stream.write_all(response).await?;
            stream.shutdown().await?;
            let mut thrown_away = 0;
            while thrown_away < LINGER_BYTES_MAX {
                buffers.input.clear();
                match stream.read_buf(&mut buffers.input).await? {
                    0 => break,
                    count => thrown_away += count,
                }
            }
            std::io::Result::Ok(())
        };
        let _ = timer.limit(linger).await;
    }
}
