//! The memory of this process, as the kernel counts it.

use std::fs;

use monotable_bench::Result;

/// Returns what is in memory now.
pub(crate) fn resident_kib() -> Result<u64> {
    figure("VmRSS:")
}

/// Returns the most that was in memory since [`forget_highest`].
pub(crate) fn highest_kib() -> Result<u64> {
    figure("VmHWM:")
}

/// Lets the highest figure begin at what is in memory now.
pub(crate) fn forget_highest() -> Result<()> {
    Ok(fs::write("/proc/self/clear_refs", "5")?)
}

fn figure(name: &str) -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let text = line.and_then(|line| line.trim().strip_suffix(" kB"));
    Ok(text.ok_or_else(|| format!("/proc/self/status has no {name}"))?.parse()?)
}
