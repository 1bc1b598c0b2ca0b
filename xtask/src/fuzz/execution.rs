//! One run of a libFuzzer program: its output read, its figures kept, its failure explained.

use std::collections::VecDeque;
use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::workspace::Workspace;

/// How many of the last lines are shown when a target fails.
const LINES_KEPT: usize = 60;
/// How often progress is shown.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);

/// libFuzzer's exit code after SIGINT or SIGTERM.
const INTERRUPTED: i32 = 72;

/// Whether libFuzzer's lines are shown while it runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    Quiet,
    Shown,
}

/// What a run did.
pub(super) struct Execution {
    pub(super) runs: u64,
    elapsed: Duration,
}

impl fmt::Display for Execution {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.elapsed.as_secs_f64();
        let rate = self.runs as f64 / seconds.max(0.001);
        write!(formatter, "{} executions in {seconds:.1} s, {rate:.0} a second", self.runs)
    }
}

/// Runs a target to its end.
pub(super) fn run(
    workspace: &Workspace,
    target: &str,
    mut command: Command,
    progress: Progress,
) -> Result<Execution> {
    let artifacts = workspace.path("fuzz/artifacts").join(target);
    std::fs::create_dir_all(&artifacts)?;
    command.arg(format!("-artifact_prefix={}/", artifacts.display()));
    let started = Instant::now();
    let mut child = command
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("the fuzz target `{target}` could not be started"))?;
    let output = child.stderr.take().context("libFuzzer's output is not readable")?;
    let log = Log::read(BufReader::new(output), target, progress)?;
    let status = child.wait()?;
    let elapsed = started.elapsed();
    if status.code() == Some(INTERRUPTED) {
        bail!("the fuzz target `{target}` was interrupted from outside; it had found nothing");
    }
    if !status.success() {
        for line in &log.last_lines {
            eprintln!("{line}");
        }
        bail!("the fuzz target `{target}` ended with {status}; {}", log.advice(workspace, target));
    }
    let runs = log.runs.context("libFuzzer did not say how many executions there were")?;
    Ok(Execution { runs, elapsed })
}

#[derive(Default)]
struct Log {
    last_lines: VecDeque<String>,
    runs: Option<u64>,
    failing_input: Option<String>,
}

impl Log {
    fn read(mut output: impl BufRead, target: &str, progress: Progress) -> Result<Self> {
        let mut log = Self::default();
        let mut shown_at = Instant::now();
        let mut bytes = Vec::new();
        // Not `lines()`: a panic message may quote bytes of the input that are not UTF-8.
        while output.read_until(b'\n', &mut bytes)? > 0 {
            let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
            bytes.clear();
            if let Some(runs) = line.strip_prefix("stat::number_of_executed_units:") {
                log.runs = runs.trim().parse().ok();
            }
            if let Some((_, path)) = line.split_once("Test unit written to ") {
                log.failing_input = Some(path.to_owned());
            }
            if progress == Progress::Shown
                && line.starts_with('#')
                && shown_at.elapsed() >= PROGRESS_INTERVAL
            {
                println!("{target}: {line}");
                shown_at = Instant::now();
            }
            if log.last_lines.len() == LINES_KEPT {
                log.last_lines.pop_front();
            }
            log.last_lines.push_back(line);
        }
        Ok(log)
    }

    fn advice(&self, workspace: &Workspace, target: &str) -> String {
        match &self.failing_input {
            Some(path) => {
                let root = workspace.path("");
                let path = Path::new(path);
                let path = path.strip_prefix(root).unwrap_or(path).display();
                format!("reproduce it with `cargo xtask fuzz {target} --input {path}`")
            }
            None => "libFuzzer kept no input, as with a stack overflow: \
                     its last lines are above"
                .to_owned(),
        }
    }
}
