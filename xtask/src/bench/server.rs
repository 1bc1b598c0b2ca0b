//! Our own server as a child process: built, started, weighed, stopped.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::bench::http;
use crate::workspace::Workspace;

/// How long the server may take until it answers.
const START_MAX: Duration = Duration::from_secs(30);
const START_POLL: Duration = Duration::from_micros(200);

/// Where a server keeps its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Memory,
    Durable,
}

impl Mode {
    pub(crate) const ALL: [Self; 2] = [Self::Memory, Self::Durable];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Durable => "durable",
        }
    }
}

/// Builds the `monotable` command for release and returns its path from cargo's output.
pub(crate) fn build(workspace: &Workspace) -> Result<PathBuf> {
    let mut command = workspace.cargo(["build", "--release", "--package", "monotable-cli"]);
    command.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
    let output = command.output().context("cargo could not be started")?;
    if !output.status.success() {
        bail!("the command could not be built");
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let executable = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
        .next_back();
    executable.context("cargo built no command")
}

/// A running server. It is stopped and its data deleted when this is dropped.
pub(crate) struct Server {
    child: Child,
    /// Where it listens: `host:port`.
    pub(crate) address: String,
    /// From the start of the process to its first answer.
    pub(crate) first_answer: Duration,
    directory: PathBuf,
}

impl Server {
    /// Starts a server with an empty database below `directory`, and waits for its first answer.
    pub(crate) fn start(program: &Path, mode: Mode, directory: &Path) -> Result<Self> {
        let address = free_address()?;
        let directory = directory.join(format!("data-{}", address.replace(':', "-")));
        let mut command = Command::new(program);
        command.args(["serve", "--listen", &address]).stdout(Stdio::null());
        match mode {
            Mode::Memory => command.arg("--memory"),
            Mode::Durable => command.arg("--data").arg(&directory),
        };
        let start = Instant::now();
        let child = command.spawn().context("the server could not be started")?;
        let mut server = Self { child, address, first_answer: Duration::ZERO, directory };
        server.wait_for_answer(start)?;
        Ok(server)
    }

    fn wait_for_answer(&mut self, start: Instant) -> Result<()> {
        loop {
            let response = http::post(&self.address, "ListTables", "{}");
            match response {
                Ok(response) if response.starts_with("HTTP/1.1 200") => break,
                Ok(response) => bail!("the server answered {response}"),
                Err(_) if start.elapsed() < START_MAX => thread::sleep(START_POLL),
                Err(error) => return Err(error.context("the server does not answer")),
            }
            if let Some(status) = self.child.try_wait()? {
                bail!("the server ended with {status}");
            }
        }
        self.first_answer = start.elapsed();
        Ok(())
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Bytes of the process in main memory.
    pub(crate) fn resident_bytes(&self) -> Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)).context("no VmRSS")?;
        Ok(kilobytes.parse::<u64>()? << 10)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Nothing of it is needed any more, so there is nothing to do about a failure either.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.directory);
    }
}

/// Returns an address that nobody listens on at the moment.
fn free_address() -> Result<String> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string())
}
