//! `monotable` as a child process: a server that is started, killed or asked to stop, and commands
//! that end by themselves.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::JoinHandle;

use monotable_load::{Credentials, Endpoint};
use monotable_testkit::crash::place::{Medium, Place};

use crate::client::Client;

/// What comes before the address in the first line of a server.
const STARTS: [&str; 2] = [" answers DynamoDB's API at ", " serves services at "];

const PROGRAM: &str = env!("CARGO_BIN_EXE_monotable");
pub(crate) const BUILD_DIRECTORY: &str = env!("CARGO_TARGET_TMPDIR");

/// Where a server keeps its data.
#[derive(Clone, Copy)]
pub(crate) enum Data<'a> {
    Memory,
    Directory(&'a Path),
}

/// A server that runs. It is killed at the latest when it is dropped.
pub(crate) struct Server {
    child: Child,
    url: String,
    output: BufReader<ChildStdout>,
    errors: Option<JoinHandle<String>>,
}

/// How a process ended by itself.
#[derive(Debug)]
pub(crate) struct Ended {
    /// None after a signal.
    pub(crate) code: Option<i32>,
    pub(crate) output: String,
    pub(crate) errors: String,
}

/// A signal that asks a process to stop.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Signal {
    /// As Ctrl-C.
    Interrupt,
    /// As service managers do.
    Terminate,
    /// As terminals that close do, and those who want files to be read again.
    Hangup,
    /// As a process that hangs.
    #[cfg(feature = "cloud")]
    Stop,
    /// Ends a stop.
    #[cfg(feature = "cloud")]
    Continue,
}

impl Server {
    /// Starts a server on a port of its own, and waits until it answers.
    pub(crate) fn start(data: Data<'_>) -> Self {
        Self::start_with(data, &[])
    }

    /// Starts a server with more arguments.
    pub(crate) fn start_with(data: Data<'_>, more: &[&str]) -> Self {
        let mut arguments = vec![OsStr::new("serve"), "--listen".as_ref(), "127.0.0.1:0".as_ref()];
        match data {
            Data::Memory => arguments.push("--memory".as_ref()),
            Data::Directory(directory) => {
                arguments.extend([OsStr::new("--data"), directory.as_os_str()]);
            }
        }
        arguments.extend(more.iter().map(OsStr::new));
        Self::spawn(&arguments)
    }

    /// Starts a server with these arguments only, and waits until it answers.
    pub(crate) fn spawn<A: AsRef<OsStr>>(arguments: &[A]) -> Self {
        Self::spawn_in(arguments, &[])
    }

    /// Starts a server with more environment variables, and waits until it answers.
    pub(crate) fn spawn_in<A: AsRef<OsStr>>(
        arguments: &[A],
        environment: &[(&'static str, OsString)],
    ) -> Self {
        let (mut child, mut output, errors) = spawn(arguments, environment);
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let mut parts = STARTS.iter().filter_map(|start| line.trim_end().split_once(start));
        let Some((_, url)) = parts.next() else {
            let _ = child.kill();
            panic!("the server said {line:?} and {:?}", errors.join().unwrap());
        };
        Self { child, url: url.to_owned(), output, errors: Some(errors) }
    }

    /// As clients write its address.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// What it says before it serves, but for its first line.
    pub(crate) fn greeting(&mut self) -> String {
        let mut text = String::new();
        while !text.ends_with("Ctrl-C stops it.\n") {
            assert_ne!(self.output.read_line(&mut text).unwrap(), 0, "the server ended: {text}");
        }
        text
    }

    /// The next line that it says.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line
    }

    /// A client that does not sign.
    pub(crate) fn client(&self) -> Client {
        self.client_with(Credentials::default())
    }

    /// A client with keys.
    pub(crate) fn client_with(&self, credentials: Credentials) -> Client {
        Client::new(Endpoint::parse(&self.url, None).unwrap(), credentials)
    }

    /// kill -9. Until then it must not have complained.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        let status = self.child.wait().unwrap();
        assert_eq!(status.code(), None, "the server had ended by itself");
        assert_eq!(self.errors(), "");
    }

    /// Asks it to stop, without waiting.
    pub(crate) fn tell(&self, signal: Signal) {
        let name = match signal {
            Signal::Interrupt => "INT",
            Signal::Terminate => "TERM",
            Signal::Hangup => "HUP",
            #[cfg(feature = "cloud")]
            Signal::Stop => "STOP",
            #[cfg(feature = "cloud")]
            Signal::Continue => "CONT",
        };
        // The standard library only knows SIGKILL; every shell knows the others.
        let command = format!("kill -{name} {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
    }

    /// Waits until it has ended by itself.
    pub(crate) fn wait(mut self) -> Ended {
        let mut output = String::new();
        self.output.read_to_string(&mut output).unwrap();
        let code = self.child.wait().unwrap().code();
        Ended { code, output, errors: self.errors() }
    }

    fn errors(&mut self) -> String {
        self.errors.take().expect("asked once").join().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(errors) = self.errors.take() {
            let errors = errors.join().unwrap_or_default();
            // What the server said is the best hint of why a test fails.
            if std::thread::panicking() && !errors.is_empty() {
                eprintln!("the server said: {errors}");
            }
        }
    }
}

/// A file with a key for personal data, without which not every service can be opened on a directory.
pub(crate) const FIELD_KEYS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/field-keys");

/// A directory on the disk that holds the build.
pub(crate) fn place() -> Place {
    Place::new(&Medium::Disk.root(BUILD_DIRECTORY).unwrap()).unwrap()
}

/// Runs a command that ends by itself; one that begins to serve has failed to refuse.
pub(crate) fn run<A: AsRef<OsStr>>(arguments: &[A]) -> Ended {
    run_in(arguments, &[])
}

/// Runs a command that ends by itself with more environment variables.
pub(crate) fn run_in<A: AsRef<OsStr>>(
    arguments: &[A],
    environment: &[(&'static str, OsString)],
) -> Ended {
    let (mut child, mut reader, errors) = spawn(arguments, environment);
    let mut output = String::new();
    while reader.read_line(&mut output).unwrap() > 0 {
        if STARTS.iter().any(|start| output.contains(start)) {
            let _ = child.kill();
            let _ = child.wait();
            panic!("the server has started: {output}");
        }
    }
    let code = child.wait().unwrap().code();
    Ended { code, output, errors: errors.join().unwrap() }
}

/// Runs `monotable check`, which must find nothing but what a kill may leave.
#[track_caller]
pub(crate) fn assert_whole(directory: &Path) {
    let ended = run(&[OsStr::new("check"), directory.as_os_str()]);
    assert_eq!((ended.code, &*ended.errors), (Some(0), ""), "{}", ended.output);
    assert!(ended.output.contains("\nWhole"), "{}", ended.output);
}

fn spawn<A: AsRef<OsStr>>(
    arguments: &[A],
    environment: &[(&'static str, OsString)],
) -> (Child, BufReader<ChildStdout>, JoinHandle<String>) {
    let mut child = Command::new(PROGRAM)
        .args(arguments)
        // Keys of whoever runs the tests are none of theirs.
        .env_remove("AWS_ACCESS_KEY_ID")
        .env_remove("AWS_SECRET_ACCESS_KEY")
        .envs(environment.iter().cloned())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let mut errors = child.stderr.take().unwrap();
    // Read at once, so that a talkative process does not wait for a reader.
    let errors = std::thread::spawn(move || {
        let mut text = String::new();
        let _ = errors.read_to_string(&mut text);
        text
    });
    (child, output, errors)
}
