//! `monotable bench`: measures any DynamoDB endpoint from outside, over HTTP or HTTPS.
//!
//! This module handles the command line and the terminal; `monotable-load` does the measuring.

use std::env;
use std::io::{self, IsTerminal as _, Write as _};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use monotable_load::{Credentials, Figure, Keys, Operation, Options, Progress, Report, TableEnd};

const AFTER_HELP: &str = "\
The run creates a table, fills it, and deletes it at the end. Every connection has one request in progress at any time.

With keys every request is signed, which costs the generator a few microseconds each; without, all \
requests carry the same placeholder of a signature's size.";

/// The arguments of `monotable bench`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The server: `http://host:port` or `https://host:port`
    #[arg(long, value_name = "URL")]
    endpoint: String,
    /// Trust the certificates in this PEM file, such as that of a server's own issuer, instead of
    /// those that browsers trust
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// The operations to measure, in this order, separated by commas
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "get,query,update,put,transaction,batch"
    )]
    operations: Vec<Operation>,
    /// How many connections to keep busy
    #[arg(long, value_name = "N", default_value_t = 32)]
    connections: usize,
    /// How many threads share the connections; a quarter of the cores unless given
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// How long to measure each operation
    #[arg(long, value_name = "SECONDS", default_value_t = 3.0)]
    seconds: f64,
    /// How long to run each operation before it is measured
    #[arg(long, value_name = "SECONDS", default_value_t = 0.5)]
    warm_up: f64,
    /// How many items of 1 KB to fill the table with
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    items: u64,
    /// The seed of the random keys, as printed by an earlier run
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Use this table and keep it; if it exists, an earlier run must have filled it with as many items
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// Do not delete the table at the end
    #[arg(long)]
    keep_table: bool,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    signing: Signing,
}

// No documentation comment: clap would use it as that of the whole command.
#[derive(Args)]
struct Signing {
    /// The access key to sign with; AWS_ACCESS_KEY_ID unless given
    #[arg(long, value_name = "KEY", requires = "secret_key")]
    access_key: Option<String>,
    /// The secret key to sign with; AWS_SECRET_ACCESS_KEY unless given
    #[arg(long, value_name = "KEY", requires = "access_key")]
    secret_key: Option<String>,
    /// The region to sign for; AWS_REGION or AWS_DEFAULT_REGION unless given
    #[arg(long, value_name = "NAME")]
    region: Option<String>,
}

/// Runs the measurement and prints its figures.
pub(crate) fn run(arguments: Arguments) -> Result<()> {
    let json = arguments.json;
    let options = arguments.options(|name| env::var(name).ok().filter(|value| !value.is_empty()));
    let interrupted = watch_for_interrupt()?;
    let mut line = ProgressLine::new();
    let report = monotable_load::run(&options, &mut |progress| {
        line.show(&progress);
        if interrupted.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    line.clear();
    print(&report?, json)
}

impl Arguments {
    /// Returns the options of the load generator; `variable` reads the environment.
    fn options(self, variable: impl Fn(&str) -> Option<String>) -> Options {
        let usual = Options::new(self.endpoint);
        let keep = self.keep_table || self.table.is_some();
        Options {
            authority: self.ca,
            credentials: self.signing.credentials(variable),
            operations: self.operations,
            connections: self.connections,
            threads: self.threads.unwrap_or(usual.threads),
            seconds: self.seconds,
            warm_up_seconds: self.warm_up,
            items: self.items,
            seed: self.seed,
            table: self.table,
            table_end: if keep { TableEnd::Keep } else { TableEnd::Delete },
            ..usual
        }
    }
}

impl Signing {
    /// Returns the keys from the command line, or all of them from the environment.
    fn credentials(self, variable: impl Fn(&str) -> Option<String>) -> Credentials {
        let keys = match (self.access_key, self.secret_key) {
            (Some(access_key), Some(secret_key)) => {
                Some(Keys { access_key, secret_key, session_token: None })
            }
            _ => variable("AWS_ACCESS_KEY_ID").zip(variable("AWS_SECRET_ACCESS_KEY")).map(
                |(access_key, secret_key)| Keys {
                    access_key,
                    secret_key,
                    session_token: variable("AWS_SESSION_TOKEN"),
                },
            ),
        };
        let region = self.region.or_else(|| variable("AWS_REGION"));
        let region = region.or_else(|| variable("AWS_DEFAULT_REGION"));
        Credentials { keys, region: region.unwrap_or_else(|| Credentials::default().region) }
    }
}

fn print(report: &Report, json: bool) -> Result<()> {
    let mut out = io::stdout().lock();
    if json {
        serde_json::to_writer_pretty(&mut out, report)?;
        writeln!(out)?;
    } else {
        write!(out, "{report}")?
    }
    // Scripts must notice a run that measured only errors.
    let is_failed = |figure: &Figure| figure.requests == 0 && !figure.errors.is_empty();
    if let Some(figure) = report.figures.iter().find(|figure| is_failed(figure)) {
        bail!("every {} failed", figure.operation);
    }
    Ok(())
}

/// Becomes true with the first Ctrl-C, so that the run can delete its table; a second one ends the
/// process at once.
fn watch_for_interrupt() -> Result<Arc<AtomicBool>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .context("the watch for Ctrl-C could not be started")?;
    let interrupted = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&interrupted);
    thread::spawn(move || {
        runtime.block_on(async {
            let _ = tokio::signal::ctrl_c().await;
            seen.store(true, Ordering::Relaxed);
            let _ = tokio::signal::ctrl_c().await;
        });
        std::process::exit(130);
    });
    Ok(interrupted)
}

/// A line on standard error that is overwritten, if it is a terminal.
struct ProgressLine {
    is_terminal: bool,
    width: usize,
}

impl ProgressLine {
    fn new() -> Self {
        Self { is_terminal: io::stderr().is_terminal(), width: 0 }
    }

    fn show(&mut self, progress: &Progress<'_>) {
        if self.is_terminal {
            let text = progress.to_string();
            let width = self.width;
            eprint!("\r{text:<width$}");
            self.width = text.chars().count();
        }
    }

    fn clear(&mut self) {
        if self.is_terminal {
            eprint!("\r{:width$}\r", "", width = self.width);
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn options(line: &str, variables: &[(&str, &str)]) -> Options {
        let words = ["bench", "--endpoint", "http://localhost:8000"].into_iter();
        let arguments = CommandLine::parse_from(words.chain(line.split_whitespace())).arguments;
        arguments.options(|name| {
            let found = variables.iter().find(|(variable, _)| *variable == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn without_arguments_the_usual_run_is_made() {
        assert_eq!(options("", &[]), Options::new("http://localhost:8000"));
    }

    #[test]
    fn arguments_change_the_run() {
        let options = options("--operations put,get --connections 1 --seconds 0.25", &[]);
        assert_eq!(options.operations, [Operation::Put, Operation::Get]);
        assert_eq!((options.connections, options.seconds), (1, 0.25));
    }

    #[test]
    fn a_named_table_is_kept() {
        assert_eq!(options("--table mine", &[]).table_end, TableEnd::Keep);
        assert_eq!(options("--keep-table", &[]).table_end, TableEnd::Keep);
    }

    #[test]
    fn keys_of_the_command_line_come_before_the_environment() {
        let variables = [
            ("AWS_ACCESS_KEY_ID", "env"),
            ("AWS_SECRET_ACCESS_KEY", "secret"),
            ("AWS_SESSION_TOKEN", "token"),
            ("AWS_DEFAULT_REGION", "eu-west-1"),
        ];
        let keys = |line| options(line, &variables).credentials.keys.unwrap();
        assert_eq!(keys("").access_key, "env");
        assert_eq!(keys("").session_token.as_deref(), Some("token"));
        let given = keys("--access-key mine --secret-key mine");
        assert_eq!((given.access_key.as_str(), given.session_token), ("mine", None));
        assert_eq!(options("", &variables).credentials.region, "eu-west-1");
        assert_eq!(options("--region x", &variables).credentials.region, "x");
        assert_eq!(options("", &variables[..1]).credentials.keys, None);
    }
}
