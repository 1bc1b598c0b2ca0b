//! Receives whole requests, within their time and their share of the memory.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;

use super::{Connection, End};
use crate::access::Route;
use crate::body_memory::BodyShare;
use crate::dispatch::Incoming;
use crate::http::{Body, BodyLength, Chunks, Head, HeadError, find_head_end};
use crate::limits::{Limits, ROOM_BYTES_MAX, SMALL_BODY_BYTES};
use crate::pace::Pace;
use crate::refusal::Refusal;
use crate::timer::TimedOut;

/// The maximum size of the lines around the arriving chunk.
const CHUNK_LINES_BYTES_MAX: usize = 4 * 1024;

/// The part of the input that belongs to a request.
pub(super) struct Extent {
    pub(super) head: Head,
    pub(super) route: Route,
    pub(super) head_end: usize,
    pub(super) body_end: usize,
    /// Where the next request begins.
    pub(super) taken: usize,
    /// Whether the body was too large for the site, which gets no body and reports that; the
    /// connection ends.
    pub(super) is_cut: bool,
    /// The request's part of the memory for large bodies.
    pub(super) body_share: BodyShare,
}

/// A body that is being received.
struct Upload {
    since: Instant,
    received_bytes: usize,
    /// The maximum length of the input, including the head.
    input_bytes_max: usize,
    share: BodyShare,
    pace: Pace,
}

impl Upload {
    fn new(limits: &Limits, input_bytes_max: usize) -> Self {
        let since = Instant::now();
        let pace = Pace::new(limits.body_bytes_per_second_min, since);
        Self { since, received_bytes: 0, input_bytes_max, share: BodyShare::default(), pace }
    }
}

/// What is known about a request before its body.
struct Start {
    head: Head,
    head_end: usize,
    route: Route,
    body_bytes_max: usize,
}

impl Start {
    /// Returns a request with its whole body.
    fn with_body(self, body_end: usize, taken: usize, share: BodyShare) -> Extent {
        let Self { head, head_end, route, .. } = self;
        Extent { head, route, head_end, body_end, taken, is_cut: false, body_share: share }
    }

    /// Returns the result for a body that is too large: a site reports it itself.
    fn cut(self, taken: usize) -> Result<Extent, End> {
        match self.route {
            Route::Site(..) => {
                let body_end = self.head_end;
                let extent = self.with_body(body_end, taken, BodyShare::default());
                Ok(Extent { is_cut: true, ..extent })
            }
            Route::Server | Route::Closed(_) => Err(End::Refused(Refusal::BodyTooLarge)),
        }
    }
}

impl Connection {
    /// Returns where a request goes, and how large its body may be.
    fn start(&self, head: Head, head_bytes: &[u8]) -> Start {
        let incoming = Incoming { head: &head, head_bytes, body: &[], peer: self.peer };
        let route = Route::of(self.worker.shared(), incoming);
        let most = self.worker.limits().body_bytes_max;
        let body_bytes_max = match &route {
            Route::Site(_, path, _) => most.min(path.body_bytes_max),
            Route::Server | Route::Closed(_) => most,
        };
        Start { head, head_end: head_bytes.len(), route, body_bytes_max }
    }

    /// Reads until a whole request is in the input.
    pub(super) async fn receive(&mut self, input: &mut Vec<u8>) -> Result<Extent, End> {
        let head_end = self.receive_head(input).await?;
        let head = Head::parse(&input[..head_end]).map_err(|error| {
            End::Refused(match error {
                HeadError::Malformed => Refusal::Malformed,
                HeadError::TooManyHeaders => Refusal::HeadTooLarge,
            })
        })?;
        let start = self.start(head, &input[..head_end]);
        match start.head.body {
            BodyLength::Known(length) if length > start.body_bytes_max as u64 => {
                start.cut(input.len())
            }
            BodyLength::Known(length) => {
                let body_end = head_end + length as usize;
                let share = if input.len() < body_end {
                    self.receive_rest(input, &start.head, head_end, body_end).await?
                } else {
                    BodyShare::default()
                };
                Ok(start.with_body(body_end, body_end, share))
            }
            BodyLength::Chunked => self.receive_chunks(input, start).await,
        }
    }

    async fn receive_head(&mut self, input: &mut Vec<u8>) -> Result<usize, End> {
        let head_bytes_max = self.worker.limits().head_bytes_max;
        let mut searched = 0;
        let mut timed = false;
        loop {
            // Clients of another protocol, such as TLS, get an error before the timeout.
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
            // The timeout of a head starts with its first bytes; more bytes do not reset it.
            if !timed {
                self.timer.arm(self.worker.limits().head_timeout);
                timed = true;
            }
            searched = input.len();
            self.read_some(input).await?;
        }
    }

    /// Reads the rest of a body of known length; returns its share of the memory.
    async fn receive_rest(
        &mut self,
        input: &mut Vec<u8>,
        head: &Head,
        head_end: usize,
        body_end: usize,
    ) -> Result<BodyShare, End> {
        self.invite(head, &input[head_end..]).await?;
        let mut upload = Upload::new(self.worker.limits(), body_end);
        while input.len() < body_end {
            self.receive_more(input, &mut upload).await?;
        }
        Ok(upload.share)
    }

    async fn receive_chunks(&mut self, input: &mut Vec<u8>, start: Start) -> Result<Extent, End> {
        self.invite(&start.head, &input[start.head_end..]).await?;
        let input_bytes_max = start.head_end + start.body_bytes_max + CHUNK_LINES_BYTES_MAX;
        let mut upload = Upload::new(self.worker.limits(), input_bytes_max);
        let mut chunks = Chunks::new(start.head_end);
        loop {
            match chunks.take(input, start.body_bytes_max) {
                Body::Whole { end, taken } => return Ok(start.with_body(end, taken, upload.share)),
                Body::Malformed => return Err(End::Refused(Refusal::Malformed)),
                Body::TooLarge => return start.cut(input.len()),
                Body::Partial => chunks.close_gap(input),
            }
            self.receive_more(input, &mut upload).await?;
        }
    }

    /// Requests the body, if the client waits for `100 Continue`.
    async fn invite(&mut self, head: &Head, body: &[u8]) -> Result<(), End> {
        if head.expects_continue && body.is_empty() {
            self.timer.arm(self.worker.limits().write_timeout);
            let Self { stream, timer, .. } = self;
            let invite = async {
                stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await?;
                stream.flush().await
            };
            timer.limit(invite).await??;
        }
        Ok(())
    }

    /// Reads more of a body, which must keep arriving: received bytes extend its time.
    async fn receive_more(&mut self, input: &mut Vec<u8>, upload: &mut Upload) -> Result<(), End> {
        if input.capacity() == input.len() {
            self.make_room(input, upload).await?;
        }
        let due = upload.since + self.worker.limits().body_time(upload.received_bytes);
        let before = input.len();
        if upload.share.is_empty() {
            self.timer.arm_at(due);
            self.read_some(input).await?;
        } else {
            self.read_in_pace(input, upload, due).await?;
        }
        upload.received_bytes += input.len() - before;
        Ok(())
    }

    /// Reserves memory for more of a body: a little for each connection, the rest from the shared
    /// memory.
    async fn make_room(&mut self, input: &mut Vec<u8>, upload: &mut Upload) -> Result<(), End> {
        let missing = upload.input_bytes_max.saturating_sub(input.len());
        let room = missing.min(input.len().clamp(SMALL_BODY_BYTES, ROOM_BYTES_MAX));
        if input.len() + room > SMALL_BODY_BYTES {
            let Self { worker, timer, .. } = self;
            timer.arm(worker.limits().body_timeout);
            let grown = worker.shared().body_memory.grow(&mut upload.share, room);
            if timer.limit(grown).await.is_err() {
                return Err(End::Refused(Refusal::Busy));
            }
            // The client did not cause this wait.
            upload.since = Instant::now();
            upload.pace.restart(upload.since);
        }
        input.reserve_exact(room);
        Ok(())
    }

    /// Reads what has arrived, or waits for something. A slow client is cut off if another body
    /// waits for the memory that it holds.
    async fn read_in_pace(
        &mut self,
        input: &mut Vec<u8>,
        upload: &mut Upload,
        due: Instant,
    ) -> Result<(), End> {
        loop {
            self.timer.arm_at(due.min(upload.pace.next_check()));
            let count = match self.timer.limit(self.stream.read_buf(input)).await {
                Ok(Ok(0)) => return Err(End::Silent),
                Ok(count) => count?,
                Err(TimedOut) => 0,
            };
            let now = Instant::now();
            if now >= due && count == 0 {
                return Err(End::Silent);
            }
            upload.pace.note(count, now);
            if upload.pace.is_slow() && self.worker.shared().body_memory.is_wanted() {
                return Err(End::Refused(Refusal::Busy));
            }
            if count > 0 {
                return Ok(());
            }
        }
    }

    /// Reads what has arrived, or waits for something.
    async fn read_some(&mut self, input: &mut Vec<u8>) -> Result<(), End> {
        match self.timer.limit(self.stream.read_buf(input)).await? {
            Ok(0) => Err(End::Silent),
            Ok(_) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
