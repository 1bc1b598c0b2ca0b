//! Failures on standard error: with time and level, as text or as JSON.

use std::io::{self, ErrorKind, Write as _};
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::ValueEnum;
use log::{Level, LevelFilter, Log, Metadata, Record};
use monotable::prelude::Timestamp;
use serde_json::json;

/// The form of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// 2026-11-19T03:17:11.123Z error: what failed
    Text,
    /// {"time":"2026-11-19T03:17:11.123Z","level":"error","message":"what failed"}
    Json,
}

/// The chosen form.
static FORMAT: OnceLock<LogFormat> = OnceLock::new();

/// Writes the log messages of the program's own crates from now on.
pub(crate) fn start(format: LogFormat) {
    if FORMAT.set(format).is_err() || log::set_logger(&Logger).is_err() {
        return;
    }
    log::set_max_level(LevelFilter::Warn);
    if format == LogFormat::Json {
        std::panic::set_hook(Box::new(|panic| write(Level::Error, &panic.to_string())));
    }
}

/// Reports why the command failed.
pub(crate) fn report_end(error: &anyhow::Error) {
    let text = format!("{error:#}{}", advice(error));
    match FORMAT.get() {
        Some(LogFormat::Json) => write(Level::Error, &text),
        Some(LogFormat::Text) | None => eprintln!("error: {text}"),
    }
}

/// Returns what to do if the disk is full. The engine's own errors contain it already.
fn advice(error: &anyhow::Error) -> &'static str {
    let is_full = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| matches!(cause.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded));
    if is_full { "; free some space and start again" } else { "" }
}

struct Logger;

impl Log for Logger {
    /// Third-party libraries report their failures to their callers.
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= Level::Warn && metadata.target().starts_with("monotable")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            write(record.level(), &record.args().to_string());
        }
    }

    fn flush(&self) {}
}

fn write(level: Level, message: &str) {
    let format = FORMAT.get().copied().unwrap_or(LogFormat::Text);
    // A failing log must not stop the server.
    let _ = std::io::stderr().lock().write_all(line(format, now(), level, message).as_bytes());
}

fn line(format: LogFormat, time: Timestamp, level: Level, message: &str) -> String {
    let level = if level == Level::Error { "error" } else { "warning" };
    match format {
        LogFormat::Text => format!("{time} {level}: {message}\n"),
        LogFormat::Json => {
            format!("{}\n", json!({ "time": time, "level": level, "message": message }))
        }
    }
}

/// Returns the current time.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let milliseconds = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_ms(milliseconds).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_time_and_level_and_are_one_line_as_json() {
        let time = Timestamp::from_ms(1_795_058_231_123).unwrap();
        let line = |format| line(format, time, Level::Warn, "a \"b\"\nc");
        assert_eq!(line(LogFormat::Text), "2026-11-19T03:17:11.123Z warning: a \"b\"\nc\n");
        assert_eq!(
            line(LogFormat::Json),
            "{\"level\":\"warning\",\"message\":\"a \\\"b\\\"\\nc\",\"time\":\"2026-11-19T03:17:11.123Z\"}\n"
        );
    }
}
