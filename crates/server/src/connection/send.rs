//! Responses on their way, as fast as clients read them.

use std::io::ErrorKind;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::Instant;

use super::{Connection, End};
use crate::buffers::{self, Buffers};
use crate::dispatch::{self, Refusal};
use crate::pace::Pace;
use crate::timer::TimedOut;

/// How much of a refused body is read and thrown away, so that the client gets to read why.
const LINGER_BYTES_MAX: usize = 8 * 1024 * 1024;
const LINGER_TIME: Duration = Duration::from_secs(2);

impl Connection {
    /// Sends a response; mostly the system takes it at once.
    pub(super) async fn send(&mut self, response: &[u8]) -> Result<(), End> {
        let written = match self.stream.try_write(response) {
            Ok(written) => written,
            Err(error) if error.kind() == ErrorKind::WouldBlock => 0,
            Err(error) => return Err(error.into()),
        };
        match written == response.len() {
            true => Ok(()),
            false => self.send_slowly(response, written).await,
        }
    }

    /// Sends the rest as fast as the client reads: within the time that everybody has, and not slower
    /// than bodies must be while too much of all responses is unread.
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
        Ok(())
    }

    /// Says why the request is not taken, and reads on for a moment: closing at once would make
    /// the network throw the answer away.
    pub(super) async fn refuse(&mut self, buffers: &mut Buffers, refusal: Refusal) {
        buffers.input.clear();
        buffers::slim(&mut buffers.input);
        let response = dispatch::refuse(&self.worker, refusal, &mut buffers.output);
        self.timer.arm(LINGER_TIME);
        let Self { stream, timer, .. } = self;
        let linger = async {
            stream.write_all(response).await?;
            throw_away(stream, &mut buffers.input).await
        };
        let _ = timer.limit(linger).await;
    }

    /// Reads on for a moment behind the last response of a connection whose client is still sending.
    pub(super) async fn linger(&mut self, input: &mut Vec<u8>) {
        self.timer.arm(LINGER_TIME);
        let Self { stream, timer, .. } = self;
        let _ = timer.limit(throw_away(stream, input)).await;
    }
}

/// Says that nothing more is sent, and reads what comes without keeping it.
async fn throw_away(stream: &mut TcpStream, input: &mut Vec<u8>) -> std::io::Result<()> {
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
