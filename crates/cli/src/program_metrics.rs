//! The metrics of the program itself: its version, its process, its disk.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use monotable_metrics::{Kind, Page};
use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_gettime};

use crate::VERSION;
use crate::access_log::AccessLog;
use crate::alarms::Alarms;

/// The source of the metrics.
#[derive(Default)]
pub(crate) struct ProgramMetrics {
    access_log: Option<Arc<AccessLog>>,
    alarms: Option<Arc<Alarms>>,
    /// The directory of the data, if it is kept.
    directory: Option<PathBuf>,
    /// When the program started, in seconds since 1970.
    started: f64,
}

impl ProgramMetrics {
    /// Describes a program that starts now.
    pub(crate) fn new(
        directory: Option<PathBuf>,
        access_log: Option<Arc<AccessLog>>,
        alarms: Option<Arc<Alarms>>,
    ) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { access_log, alarms, directory, started: since.as_secs_f64() }
    }

    pub(crate) fn write(&self, page: &mut Page) {
        let (version, commit) = version_and_commit(VERSION);
        let help = "The running version, in the labels.";
        page.metric("monotable_build_info", Kind::Gauge, help)
            .value(&[("version", version), ("commit", commit)], 1);
        self.write_process(page);
        self.write_disk(page);
        if let Some(log) = &self.access_log {
            log.write_metrics(page);
        }
        if let Some(alarms) = &self.alarms {
            alarms.write_metrics(page);
        }
    }

    /// Writes the process metrics of Prometheus's own libraries, under the same names.
    fn write_process(&self, page: &mut Page) {
        let mut gauge = |name, help: &str, value: Option<f64>| {
            if let Some(value) = value {
                page.metric(name, Kind::Gauge, help).value(&[], value);
            }
        };
        let help = "When the process began, in seconds since 1970.";
        gauge("process_start_time_seconds", help, Some(self.started));
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let number = |name| number_of(&status, name);
        let resident = number("VmRSS").map(|kilobytes| kilobytes * 1024.0);
        gauge("process_resident_memory_bytes", "Memory that the process uses.", resident);
        gauge("process_threads", "Threads of the process.", number("Threads"));
        let open = fs::read_dir("/proc/self/fd").ok().map(|files| files.count() as f64);
        gauge("process_open_fds", "Files and connections that the process has open.", open);
        let most = getrlimit(Resource::Nofile).current.map(|most| most as f64);
        gauge("process_max_fds", "Files and connections that it can have open.", most);
        let used = clock_gettime(ClockId::ProcessCPUTime);
        let help = "Time on all processors.";
        page.metric("process_cpu_seconds_total", Kind::Counter, help)
            .value(&[], used.tv_sec as f64 + used.tv_nsec as f64 / 1e9);
    }

    fn write_disk(&self, page: &mut Page) {
        let Some(disk) = self.directory.as_ref().and_then(|it| rustix::fs::statvfs(it).ok()) else {
            return;
        };
        let help = "Bytes that are free on the disk with the data.";
        page.metric("monotable_disk_free_bytes", Kind::Gauge, help)
            .value(&[], disk.f_bavail * disk.f_frsize);
        let help = "Bytes of the disk with the data.";
        page.metric("monotable_disk_size_bytes", Kind::Gauge, help)
            .value(&[], disk.f_blocks * disk.f_frsize);
    }
}

/// Splits `0.1.0 (1a2b3c4d5e6f 2026-11-16)`. A build without a commit has an empty one.
fn version_and_commit(text: &str) -> (&str, &str) {
    let (version, rest) = text.split_once(" (").unwrap_or((text, ""));
    (version, rest.split(' ').next().unwrap_or_default())
}

/// Returns the number after a name in `/proc/self/status`.
fn number_of(status: &str, name: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_has_a_commit_or_not() {
        let text = "0.1.0 (1a2b3c4d5e6f 2026-11-16)";
        assert_eq!(version_and_commit(text), ("0.1.0", "1a2b3c4d5e6f"));
        assert_eq!(version_and_commit("0.1.0"), ("0.1.0", ""));
    }

    #[test]
    fn numbers_of_a_process_are_read() {
        let status = "Name:\tmonotable\nVmRSS:\t   12345 kB\nThreads:\t7\n";
        assert_eq!(number_of(status, "VmRSS"), Some(12_345.0));
        assert_eq!(number_of(status, "Threads"), Some(7.0));
        assert_eq!(number_of(status, "VmSwap"), None);
    }
}
