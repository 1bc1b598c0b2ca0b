//! Sends responses, as fast as clients read them.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;

use super::site_response::SiteResponseForm;
use super::stream::Stream;
use super::{Connection, End};
use crate::access;
use crate::buffers::{self, Buffers};
use crate::dispatch;
use crate::http::RequestLine;
use crate::pace::Pace;
use crate::refusal::Refusal;
use crate::site::SiteReply;
use crate::timer::TimedOut;

/// How much of a refused body is read and discarded, so that the client can read the reason.
const LINGER_BYTES_MAX: usize = 8 * 1024 * 1024;
const LINGER_TIME: Duration = Duration::from_secs(2);

impl Connection {
    /// Sends a response; mostly the system accepts it at once.
    pub(super) async fn send(&mut self, response: &[u8]) -> Result<(), End> {
        let written = self.stream.write_at_once(response).await?;
        if written == response.len() && self.stream.is_flushed().await? {
            return Ok(());
        }
        self.send_slowly(response, written).await
    }

    /// Sends the rest as fast as the client reads: within the time limit, and not slower than the
    /// minimum rate of bodies while too much of all responses is unread.
    async fn send_slowly(&mut self, response: &[u8], written: usize) -> Result<(), End> {
        let Self { stream, worker, timer, .. } = self;
        let limits = worker.limits();
        let backlog = &worker.shared().backlog;
        let Some(_unread) = backlog.add(response.len()) else {
            return Err(End::Silent);
        };
        let start = Instant::now();
        let due = start + limits.write_timeout;
        let mut pace = Pace::new(limits.body_bytes_per_second_min, start);
        let mut rest = &response[written..];
        while !rest.is_empty() {
            timer.arm_at(due.min(pace.next_check()));
            let written = match timer.limit(stream.write(rest)).await {
                Ok(written) => written?,
                Err(TimedOut) => 0,
            };
            rest = &rest[written..];
            let now = Instant::now();
            pace.note(written, now);
            let is_too_slow = now >= due || (pace.is_slow() && backlog.is_full());
            if is_too_slow && !rest.is_empty() {
                return Err(End::Silent);
            }
        }
        timer.arm_at(due);
        timer.limit(stream.flush()).await??;
        Ok(())
    }

    /// Sends the reason for refusing a request, and reads on for a moment: if the connection were
    /// closed at once, the network would discard the response.
    pub(super) async fn refuse(&mut self, buffers: &mut Buffers, refusal: Refusal) {
        self.worker.metrics().count_refused();
        let of_site = self.refused_by_site(&buffers.input, refusal);
        buffers.input.clear();
        buffers::slim(&mut buffers.input);
        if let Some((response, form)) = of_site {
            let response = response.await;
            buffers.output.clear();
            if self.send_site_response(response, form, &mut buffers.output).await.is_ok() {
                self.linger(&mut buffers.input).await;
            }
            return;
        }
        let response = dispatch::refuse(&self.worker, refusal, &mut buffers.output);
        self.timer.arm(LINGER_TIME);
        let Self { stream, timer, .. } = self;
        let linger = async {
            stream.write_all(response).await?;
            throw_away(stream, &mut buffers.input).await
        };
        let _ = timer.limit(linger).await;
    }

    /// Returns the site's response to a refused request, if its path is known and belongs to the
    /// site.
    fn refused_by_site(
        &self,
        input: &[u8],
        refusal: Refusal,
    ) -> Option<(SiteReply, SiteResponseForm)> {
        let RequestLine { is_head, path } = RequestLine::read(input)?;
        let site = access::refusing_site(self.worker.shared(), self.peer, &path)?;
        let form = SiteResponseForm { is_head, has_chunks: false, coding: None, keep_alive: false };
        Some((site.refuse(&path, refusal), form))
    }

    /// Reads on for a moment after the last response of a connection whose client is still sending.
    pub(super) async fn linger(&mut self, input: &mut Vec<u8>) {
        self.timer.arm(LINGER_TIME);
        let Self { stream, timer, .. } = self;
        let _ = timer.limit(throw_away(stream, input)).await;
    }
}

/// Reports that nothing more is sent, and reads and discards what arrives.
async fn throw_away(stream: &mut Stream, input: &mut Vec<u8>) -> std::io::Result<()> {
    stream.shutdown().await?;
    let mut thrown_away = 0;
    while thrown_away < LINGER_BYTES_MAX {
        input.clear();
        match stream.read_buf(input).await? {
            0 => break,
            count => thrown_away += count,
        }
    }
    Ok(())
}
