//! The C shim that makes file calls fail: compiled when a test needs it, preloaded into the writer.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Failure, Outcome, ensure};

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/shim/io_fault.c");

/// The compiled shim, for as long as a test needs it.
pub struct Shim(PathBuf);

impl Drop for Shim {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Shim {
    /// Compiles the shim into a directory. Prints a notice and returns `None` where that is
    /// impossible.
    pub fn compile(directory: &Path) -> Outcome<Option<Self>> {
        if !cfg!(target_os = "linux") {
            eprintln!("NOTICE: skipped, failing file calls works on Linux only (LD_PRELOAD)");
            return Ok(None);
        }
        let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        if Command::new(&compiler).arg("--version").output().is_err() {
            eprintln!("NOTICE: skipped, there is no C compiler ({}); set CC", compiler.display());
            return Ok(None);
        }
        // Tests of one process run at the same time, each with its own.
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let object = directory.join(format!("io_fault-{}-{number}.so", std::process::id()));
        let output = Command::new(&compiler)
            .args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"])
            .arg(&object)
            .args([SOURCE, "-ldl", "-lpthread"])
            .output()?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Ok(Some(Self(object)))
    }

    /// Returns the environment of a program that runs under the shim; it reports calls on the files
    /// in `directory`. The shim's source describes the other settings.
    pub fn environment(
        &self,
        directory: &Path,
        report: &Path,
        settings: &[(&'static str, OsString)],
    ) -> Vec<(&'static str, OsString)> {
        let mut environment = vec![
            ("LD_PRELOAD", self.0.clone().into_os_string()),
            ("MONOTABLE_IO_DIR", directory.into()),
            ("MONOTABLE_IO_REPORT", report.into()),
        ];
        environment.extend(settings.iter().cloned());
        environment
    }
}

/// The shim's report about a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// One line per failed call: kind, number, file.
    pub failed: Vec<String>,
    /// The number of calls of each kind; empty if the program did not exit normally.
    pub totals: BTreeMap<String, u64>,
}

impl Report {
    /// Reads the report.
    pub fn read(path: &Path) -> Outcome<Self> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::new(format!("the shim was not loaded: {error}")))?;
        let mut report = Self::default();
        for line in text.lines() {
            match line.strip_prefix("total ").and_then(|total| total.split_once(' ')) {
                Some((call, total)) => drop(report.totals.insert(call.into(), total.parse()?)),
                None => report.failed.push(line.to_owned()),
            }
        }
        Ok(report)
    }
}
