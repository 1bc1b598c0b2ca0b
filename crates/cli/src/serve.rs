//! `monotable serve`

mod network;
mod reload;
mod storage;
#[cfg(not(feature = "tls"))]
#[path = "serve/no_tls.rs"]
mod tls;
#[cfg(feature = "tls")]
mod tls;

use std::collections::BTreeMap;
use std::future::Future;
use std::io::Write as _;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::Args;
use monotable::prelude::Embedded;
use monotable_engine::{Database, Faults};
use monotable_host::{DemoSettings, HostSettings, Service, Services, Worker, limits, secrets};
use monotable_kit::outbox::Mailer;
use monotable_kit::{MetricsRegistry, SystemRandomness};
use monotable_server::Server;
use tokio::signal::unix::{SignalKind, signal};

pub(crate) use storage::DATA_DEFAULT;

use self::network::NetworkArguments;
use self::reload::Reloading;
use self::storage::StorageArguments;
use crate::identity::{GivenIdentity, IdentityArguments};
use crate::services::{FieldKeySource, OptionArguments, ServiceArguments, ServiceSite};
use crate::start_page::StartPage;
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
    options: OptionArguments,
    /// Reproduce what DynamoDB does in production:
    /// index-lag=200ms,unprocessed=0.1,conflicts=0.05,hot-partition=3000/1000,no-ttl
    #[arg(long, value_name = "SPEC", help_heading = "Faults")]
    faults: Option<String>,
}

/// What was checked before anything leaves a trace.
struct Checked {
    faults: Faults,
    services: Vec<Box<dyn Service>>,
    tables: BTreeMap<String, String>,
    identity: GivenIdentity,
    mailer: Option<Arc<dyn Mailer>>,
    field_keys: FieldKeySource,
}

pub(crate) fn run(arguments: Arguments) -> Result<()> {
    permissions::keep_new_files_private();
    let checked = arguments.check()?;
    let mut reloading = Reloading::default();
    let mut server = Server::bind(arguments.network.config(&mut reloading)?)?;
    let database = arguments.storage.open(checked.faults.clone())?;
    let directory = arguments.storage.directory();
    if let Some(certificate) = arguments.network.tls.self_signed(directory, &server)? {
        reloading.certificate = Some(certificate);
    }
    if let Some(certificate) = &reloading.certificate {
        server = certificate.secure(server);
    }
    if let Some(warning) = directory.and_then(permissions::warning) {
        eprintln!("warning: {warning}");
    }
    let mut greeting = arguments.greeting(&server, &checked.services);
    if arguments.services.demo {
        let aws = format!(
            "{} \\\n  aws dynamodb --endpoint-url {} --region {}",
            arguments.network.keys_shown(),
            url(&server, server.address()),
            arguments.storage.region
        );
        greeting += &demo::load(&database, &aws)?;
    }
    let start_page = arguments.start_page(&server, &database, &checked.services);
    if checked.services.is_empty() {
        let site = ServiceSite::without_services(start_page);
        return serve(server.site(site), database, greeting, reloading);
    }
    let (services, settings) = arguments.host_settings(&server, &database, checked)?;
    let services = block_on(Services::open(&services, &settings))?
        .map_err(|error| storage_failure(&database).unwrap_or_else(|| error.into()))?;
    if arguments.services.demo {
        let demo = block_on(services.demo(DemoSettings {
            url: &settings.origin,
            offers_people: server.site_address().ip().is_loopback(),
            issuer: settings.identity.issuer(),
        }))?;
        greeting +=
            &demo.map_err(|error| storage_failure(&database).unwrap_or_else(|| error.into()))?;
    }
    let _worker = Worker::start(&services, arguments.services.backfill())?;
    let site = ServiceSite::new(services, &settings.identity, start_page);
    serve(server.site(site), database, greeting, reloading)
}

fn serve(
    server: Server,
    database: Database,
    mut greeting: String,
    reloading: Reloading,
) -> Result<()> {
    let address = server.site_address();
    if let Some(invitation) = reloading.certificate.as_ref().and_then(|it| it.invitation(address)) {
        greeting += &invitation;
    }
    server.run_until(database, greet_and_wait(greeting, reloading))?;
    say("Stopped.");
    Ok(())
}

impl Arguments {
    /// A start that is refused creates no database.
    fn check(&self) -> Result<Checked> {
        let directory = self.storage.directory();
        let services = self.services.selected(self.options.values())?;
        let needs_services = self
            .services
            .flag_for_services()
            .or(self.network.services_listen.map(|_| "--services-listen"))
            .or(self.identity.development_identity.then_some("--development-identity"))
            .map(str::to_owned)
            .or(self.options.flag_for_services());
        if let Some(flag) = needs_services.filter(|_| services.is_empty()) {
            bail!(
                "{flag} has no effect without a service; add --services all, or a service's name"
            );
        }
        if self.identity.development_identity {
            self.check_development_identity()?;
        }
        Ok(Checked {
            faults: self.faults.as_deref().map(faults::parse).transpose()?.unwrap_or_default(),
            tables: self.services.table_names(&services)?,
            identity: self.identity.read(&self.services.environment)?,
            mailer: self.services.mail.mailer(directory)?,
            field_keys: self.services.field_keys.source(
                directory,
                self.services.demo,
                &services,
            )?,
            services,
        })
    }

    /// The services, and what all of them share. Secrets that do not exist are created.
    fn host_settings(
        &self,
        server: &Server,
        database: &Database,
        checked: Checked,
    ) -> Result<(Vec<Box<dyn Service>>, HostSettings)> {
        let Checked { services, tables, identity, mailer, field_keys, .. } = checked;
        let directory = self.storage.directory();
        let settings = HostSettings {
            backend: Arc::new(Embedded::new(database.clone())),
            identity: identity.complete(directory)?,
            mailer,
            cursor_key: secrets::cursor_key(directory)?,
            field_keys: field_keys.complete()?,
            origin: match &self.services.url {
                Some(origin) => origin.clone(),
                None => url(server, server.site_address()),
            },
            grants: self.services.grants.clone(),
            origins: self.services.origins.clone(),
            tables,
            limits: limits(self.services.writes_per_second.map(NonZeroU32::get)),
            trusted_proxies: self.network.trusted_proxies.clone(),
            log: self.services.request_log(),
            metrics: MetricsRegistry::default(),
            randomness: Arc::new(SystemRandomness),
        };
        Ok((services, settings))
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

    /// What browsers see at `/`.
    fn start_page(
        &self,
        server: &Server,
        database: &Database,
        services: &[Box<dyn Service>],
    ) -> StartPage {
        let faults =
            self.faults.as_ref().map(|faults| format!("Faults are injected on purpose: {faults}."));
        let identity = self.identity.development_identity.then(|| {
            "Services trust the header X-User-Id without a token: this is for development."
                .to_owned()
        });
        let warnings = [faults, self.storage.warning(), self.network.warning(), identity];
        StartPage {
            database: database.clone(),
            data: self.storage.shown(),
            region: self.storage.region.clone(),
            warnings: warnings.into_iter().flatten().collect(),
            services: services.iter().map(|service| service.api().service_name()).collect(),
            services_port: self.network.services_listen.map(|_| server.site_address().port()),
            scheme: server.scheme(),
        }
    }

    fn greeting(&self, server: &Server, services: &[Box<dyn Service>]) -> String {
        let endpoint = url(server, server.address());
        let mut text = format!("Monotable {VERSION} answers DynamoDB's API at {endpoint}\n");
        let mut line = |label: &str, value: &str| text += &format!("  {label:<11} {value}\n");
        let banner = [self.storage.banner(), self.network.banner(server)].concat();
        for (label, value) in &banner {
            line(label, value);
        }
        if let Some(faults) = &self.faults {
            line("faults", &format!("injected on purpose: {faults}"));
        }
        if !services.is_empty() {
            let names: Vec<&str> = services.iter().map(|service| service.name()).collect();
            let address = url(server, server.site_address());
            line("services", &format!("{} at {address}", names.join(", ")));
        }
        if self.identity.development_identity {
            line("identity", "WARNING: services trust the header X-User-Id without a token");
        }
        line("try", &format!("{} \\", self.network.keys_shown()));
        let region = &self.storage.region;
        line("", &format!("aws dynamodb list-tables --endpoint-url {endpoint} --region {region}"));
        text
    }
}

/// Runs a future to its end on a runtime of its own.
fn block_on<T>(future: impl Future<Output = T>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(future))
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
/// stop. SIGHUP reads files again.
async fn greet_and_wait(greeting: String, reloading: Reloading) {
    let stopping = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
    let mut hangups = reloading.is_possible().then(|| signal(SignalKind::hangup()).ok()).flatten();
    say(&format!("{greeting}Ctrl-C stops it."));
    let (Ok(mut interrupt), Ok(mut terminate)) = stopping else {
        // Then a signal ends the process as it ends any other.
        return std::future::pending().await;
    };
    loop {
        let hangup = async {
            match &mut hangups {
                Some(hangups) => hangups.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = interrupt.recv() => return,
            _ = terminate.recv() => return,
            _ = hangup => match reloading.reload() {
                Ok(files) => say(&format!("Read {files} again.")),
                Err(error) => eprintln!("error: nothing is reloaded: {error:#}"),
            },
        }
    }
}

/// The URL of an address of the server.
fn url(server: &Server, address: SocketAddr) -> String {
    format!("{}://{address}", server.scheme())
}
