//! A file with a line of JSON for each request: to the database, and to the services.
//!
//! Requests never wait for the file: lines go through a queue of limited length to a thread that writes them. Lines for which the
//! queue has no room are dropped and counted.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use monotable::prelude::Timestamp;
use monotable_kit::LogSink;
use monotable_metrics::{Kind, Page};
use monotable_server::{LoggedRequest, RequestLog};
use serde_json::{Map, Value, json};

use crate::logging;

/// The maximum number of lines that wait to be written.
const QUEUE_LINES_MAX: usize = 16_384;
/// The maximum number of bytes written at once, unless one line has more.
const WRITE_BYTES_MAX: usize = 64 * 1024;

/// The open file. The last handle writes the waiting lines and closes it.
pub(crate) struct AccessLog {
    path: PathBuf,
    /// `None` while it is being closed.
    lines: Option<SyncSender<Vec<u8>>>,
    writer: Option<JoinHandle<()>>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    /// The file for further lines, if it was opened again.
    reopened: Mutex<Option<File>>,
    dropped: AtomicU64,
}

impl AccessLog {
    /// Opens a file and appends lines to it.
    ///
    /// # Errors
    /// Fails if the file can't be opened or created.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = open(path)?;
        let shared = Arc::new(Shared::default());
        let (lines, received) = sync_channel(QUEUE_LINES_MAX);
        let of_writer = Arc::clone(&shared);
        let writer = std::thread::Builder::new()
            .name("monotable-log".to_owned())
            .spawn(move || write_lines(file, &received, &of_writer))?;
        Ok(Self { path: path.to_owned(), lines: Some(lines), writer: Some(writer), shared })
    }

    /// Returns the file's name.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the file by its name again, after log rotation has renamed it.
    ///
    /// # Errors
    /// Fails if the file can't be opened; lines continue to go to the old one.
    pub(crate) fn reopen(&self) -> io::Result<()> {
        let file = open(&self.path)?;
        *self.shared.reopened.lock().unwrap_or_else(PoisonError::into_inner) = Some(file);
        Ok(())
    }

    pub(crate) fn write_metrics(&self, page: &mut Page) {
        let help =
            "Lines that are missing in the access log because it could not be written fast enough.";
        page.metric("monotable_access_log_dropped_total", Kind::Counter, help)
            .value(&[], self.shared.dropped.load(Ordering::Relaxed));
    }

    fn push(&self, line: Vec<u8>) {
        if self.lines.as_ref().is_some_and(|lines| lines.try_send(line).is_err()) {
            self.shared.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Drop for AccessLog {
    fn drop(&mut self) {
        self.lines = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

impl RequestLog for AccessLog {
    fn log(&self, request: &LoggedRequest<'_>) {
        let mut line = line(logging::now(), request).to_string().into_bytes();
        line.push(b'\n');
        self.push(line);
    }
}

impl LogSink for AccessLog {
    fn write(&self, line: &[u8]) {
        self.push(line.to_vec());
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

/// Returns the log line of a request to the database.
fn line(time: Timestamp, request: &LoggedRequest<'_>) -> Value {
    let LoggedRequest { key_name, operation, observation, status, code, latency } = *request;
    let mut members = Map::new();
    members.insert("time".to_owned(), json!(time));
    let mut add = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            members.insert(name.to_owned(), value);
        }
    };
    add("key", key_name.map(Value::from));
    add("operation", operation.map(|operation| operation.name().into()));
    add("tables", (!observation.tables.is_empty()).then(|| json!(observation.tables)));
    add("status", Some(status.into()));
    add("code", code.map(Value::from));
    add("readUnits", observation.used.map(|used| used.read_units.into()));
    add("writeUnits", observation.used.map(|used| used.write_units.into()));
    add("latencyUs", latency.map(|it| u64::try_from(it.as_micros()).unwrap_or(u64::MAX).into()));
    Value::Object(members)
}

/// Writes lines until the queue is closed.
fn write_lines(mut file: File, lines: &Receiver<Vec<u8>>, shared: &Shared) {
    let mut is_failing = false;
    while let Ok(first) = lines.recv() {
        let mut count = 1;
        let mut text = first;
        if is_failing {
            // A partial line may precede it.
            text.insert(0, b'\n');
        }
        while text.len() < WRITE_BYTES_MAX
            && let Ok(line) = lines.try_recv()
        {
            text.extend_from_slice(&line);
            count += 1;
        }
        if let Some(reopened) =
            shared.reopened.lock().unwrap_or_else(PoisonError::into_inner).take()
        {
            file = reopened;
        }
        let written = file.write_all(&text);
        if let (Err(error), false) = (&written, is_failing) {
            log::error!("the access log can't be written: {error}");
        }
        is_failing = written.is_err();
        if is_failing {
            shared.dropped.fetch_add(count, Ordering::Relaxed);
        }
    }
}
