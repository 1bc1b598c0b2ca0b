//! The machine of a run, and the resources that the process uses.

use std::fmt;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::Result;

/// A description for reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name.
    pub processor: String,
    /// Cores that this process may use.
    pub cores: usize,
    /// Main memory.
    pub memory_gb: u64,
    /// The kernel's release.
    pub kernel: String,
    /// The device and file system of the data directory.
    pub disk: String,
}

impl Machine {
    /// Describes this machine; `directory` is where the data goes.
    pub fn describe(directory: &Path) -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let field = |text: &str, name: &str| {
            let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
            line.split_once(':').map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
        };
        let memory = field(&read("/proc/meminfo"), "MemTotal");
        let memory_kb: u64 =
            memory.split(' ').next().and_then(|kb| kb.parse().ok()).unwrap_or_default();
        Self {
            processor: field(&read("/proc/cpuinfo"), "model name"),
            cores: thread::available_parallelism().map_or(1, usize::from),
            memory_gb: memory_kb.div_ceil(1 << 20),
            kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            disk: mount_of(directory, &read("/proc/mounts")),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { processor, cores, memory_gb, kernel, disk } = self;
        write!(formatter, "{cores} × {processor}, {memory_gb} GB, Linux {kernel}, disk {disk}")
    }
}

/// Returns the device and file system of the longest mount point above `directory`.
fn mount_of(directory: &Path, mounts: &str) -> String {
    let directory = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
    mounts
        .lines()
        .filter_map(|line| {
            let mut words = line.split(' ');
            let (device, point, kind) = (words.next()?, words.next()?, words.next()?);
            directory.starts_with(point).then(|| (point.len(), format!("{device}, {kind}")))
        })
        .max_by_key(|(length, _)| *length)
        .map(|(_, disk)| disk)
        .unwrap_or_default()
}

/// Bytes of this process in main memory.
pub fn resident_bytes() -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).ok_or("no VmRSS")?;
    let kb: u64 = line.split_whitespace().nth(1).ok_or("no VmRSS")?.parse()?;
    Ok(kb << 10)
}

/// Bytes that a directory takes on disk, blocks not file lengths: fjall's journals are sparse.
pub fn disk_bytes(directory: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        bytes += metadata.blocks() * 512;
        if metadata.is_dir() {
            bytes += disk_bytes(&entry.path())?;
        }
    }
    Ok(bytes)
}

/// Waits until this process has nearly no work of its own left, such as compactions, but not longer
/// than `wait_max`.
pub fn settle(wait_max: Duration) {
    const STEP: Duration = Duration::from_millis(50);
    const QUIET_STEPS: u32 = 3;
    let end = Instant::now() + wait_max;
    let mut quiet_steps = 0;
    let mut ticks = processor_ticks();
    while quiet_steps < QUIET_STEPS && Instant::now() < end {
        thread::sleep(STEP);
        let ticks_now = processor_ticks();
        // A tick is 10 ms: up to one in 50 ms counts as quiet.
        quiet_steps = if ticks_now <= ticks + 1 { quiet_steps + 1 } else { 0 };
        ticks = ticks_now;
    }
}

/// Processor time of this process in hundredths of a second.
fn processor_ticks() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    fields.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum()
}
