//! The writer as a child process: started, killed, or waited for.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::plan::WriterPlan;
use super::{Failure, Outcome, ensure};

/// A writer that has not ended by then never will: its work takes less than a hundredth of this
/// time.
const HANG: Duration = Duration::from_secs(120);

/// Printed by the writer on its standard output once the database is open.
pub const OPENED: &str = "opened";
/// Printed when it has written everything and waits to be killed.
pub const WRITTEN: &str = "written";

/// A running writer.
pub struct Writer {
    child: Child,
    lines: Receiver<String>,
    errors: Receiver<String>,
}

/// How a writer ended.
pub struct Ended {
    /// Its exit status.
    pub status: ExitStatus,
    /// What it wrote to standard error.
    pub errors: String,
    /// What it wrote to standard output.
    pub lines: Vec<String>,
}

impl Writer {
    /// Starts a writer with additional environment variables.
    pub fn start(
        program: &Path,
        plan: &WriterPlan,
        environment: &[(&str, OsString)],
    ) -> Outcome<Self> {
        let mut child = Command::new(program)
            .args(plan.to_arguments())
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .env("RUST_BACKTRACE", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (send_line, lines) = channel();
        let stdout = child.stdout.take().ok_or_else(|| Failure::new("no standard output"))?;
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let _ = send_line.send(line);
            }
        });
        let (send_error, errors) = channel();
        let mut stderr = child.stderr.take().ok_or_else(|| Failure::new("no standard error"))?;
        std::thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stderr.read_to_end(&mut text);
            let _ = send_error.send(String::from_utf8_lossy(&text).into_owned());
        });
        Ok(Self { child, lines, errors })
    }

    /// Waits until the writer prints [`OPENED`] or [`WRITTEN`].
    pub fn wait_for(&mut self, expected: &str) -> Outcome {
        match self.lines.recv_timeout(HANG) {
            Ok(line) => {
                ensure!(line == expected, "the writer said {line:?}, not {expected:?}");
                Ok(())
            }
            Err(RecvTimeoutError::Timeout) => Err(self.hang(expected)),
            Err(RecvTimeoutError::Disconnected) => Err(self.early_end()),
        }
    }

    /// Lets the writer work for this long, then kills it with SIGKILL. It must not end before.
    pub fn kill_after(mut self, delay: Duration) -> Outcome {
        let deadline = Instant::now() + delay;
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) if line == OPENED => continue,
                Ok(line) => return Err(Failure::new(format!("the writer said {line:?}"))),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return Err(self.early_end()),
            }
        }
        self.child.kill()?;
        self.child.wait()?;
        let errors = self.errors.recv().unwrap_or_default();
        ensure!(errors.is_empty(), "the writer complained: {errors}");
        Ok(())
    }

    /// Waits until the writer ends by itself.
    pub fn wait(mut self) -> Outcome<Ended> {
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(HANG) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Timeout) => return Err(self.hang("its end")),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let status = self.child.wait()?;
        Ok(Ended { status, errors: self.errors.recv().unwrap_or_default(), lines })
    }

    fn hang(&mut self, before: &str) -> Failure {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let errors = self.errors.recv().unwrap_or_default();
        Failure::new(format!("the writer hangs before {before:?}; it said {errors:?}"))
    }

    fn early_end(&mut self) -> Failure {
        let status = self.child.wait().map_or_else(|error| error.to_string(), |s| s.to_string());
        let errors = self.errors.recv().unwrap_or_default();
        Failure::new(format!("the writer ended by itself ({status}): {errors}"))
    }
}
