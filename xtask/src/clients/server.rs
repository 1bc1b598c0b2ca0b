//! A server of our own for one suite: built, started on a free port, and stopped.

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::install::SOURCES;
use crate::tools;
use crate::workspace::{self, Workspace};

/// The key of `clients/keys.toml` that may do everything. A server without keys takes any.
const ACCESS_KEY: &str = "CLIENTSEVERYTHING";
const SECRET_KEY: &str = "everything-in-tests-only";

/// Whom a server answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Everybody.
    Open,
    /// The keys of `clients/keys.toml`, by their signatures.
    Signed,
    /// The same through TLS.
    Secured,
    /// Everybody; and its services, which have the demo's rows, believe who anybody says to be.
    Claimed,
    /// Everybody; its services have sample data, and take the tokens that it prints.
    Demo,
}

impl Access {
    /// Returns the folder in [`tools::FOLDER`] for the data of a server that does not keep it in memory.
    fn data_folder(self) -> Option<&'static str> {
        match self {
            // The certificate is kept with the data.
            Self::Secured => Some("secured"),
            // E-mails are written beside the data.
            Self::Demo => Some("browser/data"),
            Self::Open | Self::Signed | Self::Claimed => None,
        }
    }
}

/// Builds the `monotable` command as the other tests are built, and says where it is.
pub(crate) fn build(workspace: &Workspace) -> Result<PathBuf> {
    let build = ["build", "--quiet", "--package", "monotable-cli", "--features", "s3"];
    workspace::run(&mut workspace.cargo(build))?;
    // This program was built by the same cargo, and lies in a profile's folder of the same target
    // directory.
    let this = std::env::current_exe().context("this program does not know where it is")?;
    let target = this.ancestors().nth(2).context("this program is in no target directory")?;
    Ok(target.join("debug").join("monotable"))
}

/// Returns a copy of the keys that only this user can read: the server warns of any other, and git knows
/// nothing of readers.
fn private_keys(workspace: &Workspace) -> Result<PathBuf> {
    let keys = workspace.path(tools::FOLDER).join("keys.toml");
    fs::copy(workspace.path(SOURCES).join("keys.toml"), &keys)?;
    fs::set_permissions(&keys, Permissions::from_mode(0o600))?;
    Ok(keys)
}

/// Returns an empty directory for the buckets of exports and imports.
fn empty_buckets(workspace: &Workspace) -> Result<PathBuf> {
    let directory = buckets(workspace);
    if directory.exists() {
        fs::remove_dir_all(&directory)?;
    }
    fs::create_dir_all(&directory)?;
    Ok(directory)
}

fn buckets(workspace: &Workspace) -> PathBuf {
    workspace.path(tools::FOLDER).join("buckets")
}

/// A running server with an empty database; it is stopped when this is dropped.
pub(crate) struct Server {
    program: PathBuf,
    child: Child,
    url: String,
    /// The certificate that clients must trust.
    certificate: Option<PathBuf>,
    /// The directory of the buckets, if it has any.
    buckets: PathBuf,
    /// Kept open: the server would fail to print into a closed pipe.
    output: BufReader<ChildStdout>,
}

impl Server {
    /// Starts a server and waits until it says where it listens.
    pub(crate) fn start(workspace: &Workspace, program: &Path, access: Access) -> Result<Self> {
        let mut command = workspace.command(program);
        command.args(["serve", "--listen", "127.0.0.1:0"]).stdout(Stdio::piped());
        let mut certificate = None;
        if let Some(data) = access.data_folder() {
            let data = workspace.path(tools::FOLDER).join(data);
            if data.exists() {
                fs::remove_dir_all(&data)?;
            }
            command.arg("--data").arg(&data);
            certificate = (access == Access::Secured).then(|| data.join("tls-certificate.pem"));
        } else {
            command.arg("--memory");
        }
        match access {
            Access::Open => drop(command.arg("--buckets").arg(empty_buckets(workspace)?)),
            Access::Signed => {
                command.arg("--buckets").arg(empty_buckets(workspace)?);
                command.arg("--credentials").arg(private_keys(workspace)?);
            }
            Access::Secured => {
                command.arg("--tls-self-signed").arg("--credentials").arg(private_keys(workspace)?);
            }
            Access::Claimed => drop(command.args(["--demo", "--quiet", "--development-identity"])),
            Access::Demo => drop(command.args(["--demo", "--quiet"])),
        }
        let mut child = command.spawn().context("the server could not be started")?;
        let output = child.stdout.take().context("the server has no output")?;
        let output = BufReader::new(output);
        let program = program.to_owned();
        let buckets = buckets(workspace);
        let mut server = Self { program, child, url: String::new(), certificate, buckets, output };
        let mut greeting = String::new();
        server.output.read_line(&mut greeting)?;
        let url = greeting.trim_end().rsplit(' ').next().unwrap_or_default();
        let scheme = if access == Access::Secured { "https://" } else { "http://" };
        ensure!(url.starts_with(scheme), "the server begins with {greeting:?}");
        server.url = url.to_owned();
        Ok(server)
    }

    /// Returns what the server prints before it answers requests, without the first line.
    pub(crate) fn greeting(&mut self) -> Result<String> {
        let mut greeting = String::new();
        while !greeting.ends_with("Ctrl-C stops it.\n") {
            let count = self.output.read_line(&mut greeting)?;
            ensure!(count > 0, "the server ended after {greeting:?}");
        }
        Ok(greeting)
    }

    /// Points the SDKs in a command to this server, and away from everything else.
    pub(crate) fn introduce_to(&self, command: &mut Command) {
        for (variable, value) in [
            ("AWS_ENDPOINT_URL", self.url.as_str()),
            ("AWS_REGION", "us-east-1"),
            ("AWS_DEFAULT_REGION", "us-east-1"),
            ("AWS_ACCESS_KEY_ID", ACCESS_KEY),
            ("AWS_SECRET_ACCESS_KEY", SECRET_KEY),
            ("AWS_CONFIG_FILE", "/dev/null"),
            ("AWS_SHARED_CREDENTIALS_FILE", "/dev/null"),
            ("AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED", "true"),
            ("NO_PROXY", "127.0.0.1"),
        ] {
            command.env(variable, value);
        }
        // Some suites start servers of their own.
        command.env("MONOTABLE_PROGRAM", &self.program);
        command.env("MONOTABLE_BUCKETS", &self.buckets);
        for variable in ["AWS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"] {
            match &self.certificate {
                Some(certificate) => command.env(variable, certificate),
                None => command.env_remove(variable),
            };
        }
        for variable in ["AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL_DYNAMODB"] {
            command.env_remove(variable);
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Nobody uses its database again, so there is nothing to do about a failure either.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
