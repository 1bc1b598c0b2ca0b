//! `monotable serve`

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use monotable_engine::{Database, Durability, Options};
use monotable_server::credentials::Credentials;
use monotable_server::{Config, Server};
use monotable_wire::Operation;
use tokio::signal::unix::{SignalKind, signal};

use crate::identity::{Identity, IdentityArguments};
use crate::narrator::NarratorArguments;
use crate::services::{Services, Setting, Worker, block_on};
use crate::{demo, faults, services};

/// Where the data is when nobody says so.
pub(crate) const DATA_DEFAULT: &str = "./monotable-data";

/// What `monotable serve` takes.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Keep the data in this directory; it is created if there is none
    #[arg(long, value_name = "DIR", default_value = DATA_DEFAULT)]
    data: PathBuf,
    /// Keep the data in memory only
    #[arg(long, conflicts_with = "data")]
    memory: bool,
    /// The IP address and port to listen on; other addresses than the loopback need --credentials
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8000")]
    listen: SocketAddr,
    /// Ask for signatures of the keys in this file, and allow each what it says
    #[arg(long, value_name = "FILE")]
    credentials: Option<PathBuf>,
    /// Load a small world to play with; what is there already is left alone
    #[arg(long)]
    demo: bool,
    /// Let a crash of the machine lose the writes of the last so many milliseconds, for speed
    #[arg(long, value_name = "MILLISECONDS", conflicts_with = "memory")]
    relaxed: Option<u64>,
    /// Reproduce what DynamoDB does in production:
    /// index-lag=200ms,unprocessed=0.1,conflicts=0.05,hot-partition=3000/1000,no-ttl
    #[arg(long, value_name = "SPEC")]
    faults: Option<String>,
    /// The region in ARNs
    #[arg(long, default_value = "us-east-1")]
    region: String,
    /// The environment in the names of the services' tables, such as hacktracker-dev
    #[arg(long, value_name = "NAME", default_value = "dev")]
    environment: String,
    /// Write no line for each request to a service
    #[arg(long)]
    quiet: bool,
    /// Bring rows that older programs wrote into the services' tables up to date, while serving
    #[arg(long)]
    backfill: bool,
    /// Let web pages of this origin (scheme, host and port) ask the services; can be repeated
    #[arg(long = "cors-origin", value_name = "ORIGIN")]
    origins: Vec<String>,
    /// Believe whoever says who they are in the header X-User-Id; never in the environment prod
    #[arg(long)]
    development_identity: bool,
    /// Keep the rows of a service in a table of another name: btl-run=btl-run-kvs-{environment}; can
    /// be repeated
    #[arg(long = "table", value_name = "SERVICE=NAME", value_parser = table)]
    tables: Vec<(String, String)>,
    #[command(flatten)]
    identity: IdentityArguments,
    #[command(flatten)]
    narrator: NarratorArguments,
}

/// `SERVICE=NAME`.
fn table(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((service, name)) if services::is_known(service) && !name.is_empty() => {
            Ok((service.to_owned(), name.to_owned()))
        }
        _ => Err(format!("give SERVICE=NAME, where SERVICE is {}", services::names())),
    }
}

pub(crate) fn run(arguments: Arguments) -> Result<()> {
    let options = arguments.options()?;
    let identity = Arc::new(arguments.identity()?);
    let narrator = arguments.narrator.read()?;
    // Last comes what leaves a trace: a start that is refused creates no database.
    let server = Server::bind(arguments.config()?)?;
    let database = match arguments.memory {
        true => Database::memory_with(options),
        false => Database::open(&arguments.data, options)?,
    };
    let services = Services::new(Setting {
        database: database.clone(),
        environment: arguments.environment.clone(),
        identity,
        directory: arguments.directory().map(Path::to_owned),
        origins: arguments.origins.clone(),
        tables: arguments.tables.iter().cloned().collect(),
        narrator,
        has_log: !arguments.quiet,
    });
    block_on(services.open_existing())?;
    let mut greeting = arguments.greeting(server.address());
    if arguments.demo {
        let aws = format!(
            "{} \\\n  aws dynamodb --endpoint-url http://{} --region {}",
            arguments.keys_shown(),
            server.address(),
            arguments.region
        );
        greeting += &demo::load(&database, &aws)?;
        greeting += &block_on(services.demo(server.address()))??;
    }
    let worker = Worker::start(&services, arguments.backfill)?;
    server.site(services).run_until(database, greet_and_wait(greeting))?;
    drop(worker);
    say("Stopped.");
    Ok(())
}

impl Arguments {
    fn config(&self) -> Result<Config> {
        let mut config = Config::new(self.listen);
        if let Some(file) = &self.credentials {
            let credentials = Credentials::read(file, &known_actions())?;
            for warning in &credentials.warnings {
                eprintln!("warning: {warning}");
            }
            config.keys = Some(credentials.keys);
        }
        Ok(config)
    }

    fn identity(&self) -> Result<Identity> {
        let development = self.development_identity.then_some(self.environment.as_str());
        self.identity.read(self.directory(), development)
    }

    /// Where data is kept, if it is.
    fn directory(&self) -> Option<&Path> {
        (!self.memory).then_some(self.data.as_path())
    }

    fn options(&self) -> Result<Options> {
        let faults = self.faults.as_deref().map(faults::parse).transpose()?.unwrap_or_default();
        let durability = match self.relaxed {
            None => Durability::Full,
            Some(milliseconds) => {
                Durability::Relaxed { sync_every: Duration::from_millis(milliseconds) }
            }
        };
        Ok(Options { durability, faults, region: self.region.clone(), ..Options::default() })
    }

    fn greeting(&self, address: SocketAddr) -> String {
        let data = match self.memory {
            true => "in memory, gone when the server stops".to_owned(),
            false => shown(&self.data),
        };
        let access = match &self.credentials {
            Some(file) => format!("signed with a key of {}", file.display()),
            None => "anybody on this machine; no signature is checked".to_owned(),
        };
        format!(
            "Monotable {version} answers DynamoDB's API at http://{address}\n\
             \x20 data    {data}\n\
             \x20 access  {access}\n\
             \x20 try     {keys} \\\n\
             \x20         aws dynamodb list-tables --endpoint-url http://{address} --region {region}\n",
            version = env!("CARGO_PKG_VERSION"),
            keys = self.keys_shown(),
            region = self.region,
        )
    }

    /// The beginning of a command that an SDK or the AWS CLI takes its keys from.
    fn keys_shown(&self) -> &'static str {
        match self.credentials {
            Some(_) => "AWS_ACCESS_KEY_ID=KEY AWS_SECRET_ACCESS_KEY=SECRET",
            None => "AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any",
        }
    }
}

fn shown(path: &Path) -> String {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

/// What a key can be allowed: the operations, and the parts of transactions and statements.
fn known_actions() -> Vec<&'static str> {
    let parts =
        ["ConditionCheckItem", "PartiQLSelect", "PartiQLInsert", "PartiQLUpdate", "PartiQLDelete"];
    Operation::ALL.iter().map(|operation| operation.name()).chain(parts).collect()
}

/// Prints a line. Whoever closed the output does not want to read it.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Greets when signals are heard and requests are answered; ready when the process is to stop.
async fn greet_and_wait(greeting: String) {
    let signals = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
    say(&format!("{greeting}Ctrl-C stops it."));
    match signals {
        (Ok(mut interrupt), Ok(mut terminate)) => {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        }
        // Then a signal ends the process as it ends any other.
        _ => std::future::pending().await,
    }
}
