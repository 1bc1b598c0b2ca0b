//! `monotable serve`

mod network;
mod storage;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::num::NonZeroU32;
use std::path::Path;

use anyhow::{Result, bail};
use clap::Args;
use monotable_engine::{Database, Faults};
use monotable_server::Server;
use tokio::signal::unix::{SignalKind, signal};

pub(crate) use storage::DATA_DEFAULT;

use self::network::NetworkArguments;
use self::storage::StorageArguments;
use crate::identity::{GivenIdentity, IdentityArguments};
use crate::narrator::{Narration, NarratorArguments};
use crate::services::{
    HackTrackerArguments, Hosted, ServiceArguments, Services, Setting, Worker, block_on,
};
use crate::{VERSION, demo, faults, permissions};

/// What `monotable serve` takes.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    storage: StorageArguments,
    #[command(flatten)]
    network: NetworkArguments,
    #[command(flatten)]
    services: ServiceArguments,
    #[command(flatten)]
    identity: IdentityArguments,
    #[command(flatten)]
    narrator: NarratorArguments,
    #[command(flatten)]
    hacktracker: HackTrackerArguments,
    /// Reproduce what DynamoDB does in production:
    /// index-lag=200ms,unprocessed=0.1,conflicts=0.05,hot-partition=3000/1000,no-ttl
    #[arg(long, value_name = "SPEC", help_heading = "Faults")]
    faults: Option<String>,
}

/// What was checked before anything leaves a trace.
struct Checked {
    faults: Faults,
    hosted: Vec<Box<dyn Hosted>>,
    tables: BTreeMap<String, String>,
    identity: GivenIdentity,
    narration: Narration,
}

pub(crate) fn run(arguments: Arguments) -> Result<()> {
    permissions::keep_new_files_private();
    let checked = arguments.check()?;
    let server = Server::bind(arguments.network.config()?)?;
    let database = arguments.storage.open(checked.faults)?;
    if let Some(warning) = arguments.storage.directory().and_then(permissions::warning) {
        eprintln!("warning: {warning}");
    }
    let mut greeting = arguments.greeting(&server, &checked.hosted);
    if arguments.services.demo {
        let aws = format!(
            "{} \\\n  aws dynamodb --endpoint-url http://{} --region {}",
            arguments.network.keys_shown(),
            server.address(),
            arguments.storage.region
        );
        greeting += &demo::load(&database, &aws)?;
    }
    if checked.hosted.is_empty() {
        return serve(server, database, greeting);
    }
    let setting = Setting {
        database: database.clone(),
        identity: checked.identity.complete(arguments.storage.directory())?,
        directory: arguments.storage.directory().map(Path::to_owned),
        origins: arguments.services.origins.clone(),
        tables: checked.tables,
        narration: checked.narration,
        writes_per_second: arguments.services.writes_per_second.map(NonZeroU32::get),
        trusted_proxies: arguments.network.trusted_proxies.clone(),
        hacktracker: arguments.hacktracker.clone(),
        has_log: !arguments.services.quiet,
    };
    let services = block_on(Services::open(&checked.hosted, &setting))?
        .map_err(|error| storage_failure(&database).unwrap_or(error))?;
    if arguments.services.demo {
        let demo = block_on(services.demo(&setting.identity, server.site_address()))?;
        greeting += &demo.map_err(|error| storage_failure(&database).unwrap_or(error))?;
    }
    let _worker = Worker::start(&services, arguments.services.backfill)?;
    serve(server.site(services), database, greeting)
}

fn serve(server: Server, database: Database, greeting: String) -> Result<()> {
    server.run_until(database, greet_and_wait(greeting))?;
    say("Stopped.");
    Ok(())
}

impl Arguments {
    /// A start that is refused creates no database.
    fn check(&self) -> Result<Checked> {
        let hosted = self.services.selected();
        let narration = self.narrator.read()?;
        let needs_services = self
            .services
            .flag_for_services()
            .or(self.network.services_listen.map(|_| "--services-listen"))
            .or(self.identity.development_identity.then_some("--development-identity"))
            .or(narration.narrator.as_ref().map(|_| "--narrator"));
        if let Some(flag) = needs_services.filter(|_| hosted.is_empty()) {
            bail!(
                "{flag} has no effect without a service; add --services all, or a service's name"
            );
        }
        if self.identity.development_identity {
            self.check_development_identity()?;
        }
        Ok(Checked {
            faults: self.faults.as_deref().map(faults::parse).transpose()?.unwrap_or_default(),
            tables: self.services.table_names(&hosted)?,
            identity: self.identity.read(&self.services.environment)?,
            narration,
            hosted,
        })
    }

    /// Requests that are trusted to name their user must be from this machine.
    fn check_development_identity(&self) -> Result<()> {
        if self.network.credentials.is_some() {
            bail!(
                "--development-identity trusts every request to the services, and --credentials \
                 trusts none without a signature; leave one of them out"
            );
        }
        let address = self.network.services_address();
        if !address.ip().is_loopback() {
            bail!(
                "--development-identity trusts every request, so it is for the loopback only; the \
                 services would listen on {address}"
            );
        }
        Ok(())
    }

    fn greeting(&self, server: &Server, services: &[Box<dyn Hosted>]) -> String {
        let address = server.address();
        let mut text = format!("Monotable {VERSION} answers DynamoDB's API at http://{address}\n");
        let mut line = |label: &str, value: &str| text += &format!("  {label:<11} {value}\n");
        let banner = [self.storage.banner(), self.network.banner(server)].concat();
        for (label, value) in &banner {
            line(label, value);
        }
        if let Some(faults) = &self.faults {
            line("faults", &format!("injected on purpose: {faults}"));
        }
        if !services.is_empty() {
            let names: Vec<&str> = services.iter().map(|hosted| hosted.name()).collect();
            line("services", &format!("{} at http://{}", names.join(", "), server.site_address()));
        }
        if self.identity.development_identity {
            line("identity", "WARNING: services trust the header X-User-Id without a token");
        }
        line("try", &format!("{} \\", self.network.keys_shown()));
        let region = &self.storage.region;
        line(
            "",
            &format!("aws dynamodb list-tables --endpoint-url http://{address} --region {region}"),
        );
        text
    }
}

/// Why the storage takes no writes, if it does not: services only report that it failed.
fn storage_failure(database: &Database) -> Option<anyhow::Error> {
    database.accepts_writes().err().map(anyhow::Error::from)
}

/// Prints a line. Whoever closed the output does not want to read it.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Prints the greeting when signals are handled and requests are answered; ready when the process is to
/// stop.
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
