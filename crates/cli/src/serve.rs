//! `monotable serve`

mod backend;
mod backups;
mod logs;
mod network;
mod reload;
mod service_manager;
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
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::Args;
use monotable_engine::{Database, Faults};
use monotable_host::{DemoSettings, HostSettings, Service, Services, Worker, limits, secrets};
use monotable_kit::outbox::Mailer;
use monotable_kit::{LogSink, MetricsRegistry, SystemRandomness};
use monotable_lifecycle::{Lifecycle, Schedule};
use monotable_server::{RequestLog, Server};
use monotable_wire::Endpoint;
use tokio::signal::unix::{SignalKind, signal};

pub(crate) use backups::BACKUP_DIRECTORY;
pub(crate) use storage::{DATA_DEFAULT, REGION_DEFAULT, region};

use self::backend::{BackendArguments, OpenBackend};
use self::backups::BackupArguments;
use self::logs::LogArguments;
use self::network::NetworkArguments;
use self::reload::Reloading;
use self::service_manager::ServiceManager;
use self::storage::StorageArguments;
use crate::alarms::{AlarmArguments, Alarms};
use crate::backup_status::BackupStatus;
use crate::identity::{GivenIdentity, IdentityArguments};
use crate::program_metrics::ProgramMetrics;
use crate::services::{BlobSource, FieldKeySource, OptionArguments, ServiceArguments, ServiceSite};
use crate::start_page::StartPage;
use crate::{VERSION, faults, permissions};

const AFTER_HELP: &str = "\
Every flag can also be set by an environment variable (MONOTABLE_SERVE_SERVICES_URL for --services-url; true or false for a flag \
without a value, spaces between the values of one that can be repeated), or in the file of --config. The command line takes precedence over variables, and variables over the file.";

/// The arguments of `monotable serve`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Read flags that are not given from this TOML file: services = "3fc" sets --services 3fc
    #[arg(long, value_name = "FILE")]
    // `settings.rs` reads the flag; the field only lists it in the help.
    config: Option<std::path::PathBuf>,
    #[command(flatten)]
    storage: StorageArguments,
    #[command(flatten)]
    backend: BackendArguments,
    #[command(flatten)]
    backups: BackupArguments,
    #[command(flatten)]
    network: NetworkArguments,
    #[command(flatten)]
    logs: LogArguments,
    #[command(flatten)]
    alarms: AlarmArguments,
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

/// The result of the checks before anything is written.
struct Checked {
    faults: Faults,
    services: Vec<Box<dyn Service>>,
    tables: BTreeMap<String, String>,
    identity: GivenIdentity,
    mailer: Option<Arc<dyn Mailer>>,
    alarms: Option<Arc<Alarms>>,
    blobs: BlobSource,
    field_keys: FieldKeySource,
}

pub(crate) fn run(arguments: Arguments) -> Result<()> {
    permissions::keep_new_files_private();
    arguments.logs.start();
    let checked = arguments.check()?;
    let access_log = arguments.logs.access_log()?;
    let mut reloading = Reloading { access_log: access_log.clone(), ..Reloading::default() };
    let is_remote = arguments.backend.is_remote();
    let mut config = arguments.network.config(is_remote, &mut reloading)?;
    config.request_log = access_log.clone().map(|log| -> Arc<dyn RequestLog> { log });
    let mut server = Server::bind(config)?;
    let store = arguments.open_store(checked.faults.clone())?;
    let directory = arguments.storage.directory();
    if let Some(certificate) = arguments.network.tls.self_signed(directory, &server)? {
        reloading.certificate = Some(certificate);
    }
    if let Some(certificate) = &reloading.certificate {
        server = certificate.secure(server);
    }
    if let Some(warning) = directory.and_then(permissions::warning) {
        log::warn!("{warning}");
    }
    let mut greeting = arguments.greeting(&server, &store, &checked.services);
    let data = Data::open(&arguments, &store, &checked.blobs)?;
    let start_page = arguments.start_page(&server, &store, &data, &checked.services);
    let metrics = ProgramMetrics::new(
        directory.map(Path::to_owned),
        access_log.clone(),
        checked.alarms.clone(),
    );
    if let Some(alarms) = checked.alarms.clone() {
        server = server.watch(alarms.every, move |page| alarms.observe(page));
    }
    if checked.services.is_empty() {
        let site = ServiceSite::without_services(start_page, metrics);
        return serve(server.site(site), data, greeting, reloading);
    }
    let log = arguments.services.request_log(access_log.as_ref());
    let (services, settings) = arguments.host_settings(&server, &store, checked, log)?;
    let services = block_on(Services::open(&services, &settings))?;
    let services = services.map_err(|error| store.explain(error))?;
    if arguments.services.demo {
        let demo = block_on(services.demo(DemoSettings {
            url: &settings.origin,
            offers_people: server.site_address().ip().is_loopback(),
            issuer: settings.identity.issuer(),
        }))?;
        greeting += &demo.map_err(|error| store.explain(error))?;
    }
    let _worker = Worker::start(&services, arguments.services.backfill())?;
    let site = ServiceSite::new(services, &settings.identity, start_page, metrics);
    serve(server.site(site), data, greeting, reloading)
}

/// The database of this server with its backups, or nothing if services use another store.
struct Data {
    lifecycle: Option<Lifecycle>,
    schedule: Option<Schedule>,
}

impl Data {
    fn open(arguments: &Arguments, store: &OpenBackend, blobs: &BlobSource) -> Result<Self> {
        let directory = arguments.storage.directory();
        let open = |database: &Database| arguments.backups.open(database.clone(), directory, blobs);
        let lifecycle = store.database.as_ref().map(open).transpose()?;
        Ok(Self { lifecycle, schedule: arguments.backups.schedule(directory) })
    }

    /// Returns the state of scheduled backups.
    fn status(&self) -> Option<BackupStatus> {
        Some(BackupStatus { lifecycle: self.lifecycle.clone()?, schedule: self.schedule.clone()? })
    }
}

fn serve(server: Server, data: Data, mut greeting: String, reloading: Reloading) -> Result<()> {
    let address = server.site_address();
    if let Some(invitation) = reloading.certificate.as_ref().and_then(|it| it.invitation(address)) {
        greeting += &invitation;
    }
    let stop = greet_and_wait(greeting, reloading);
    match data.lifecycle {
        Some(lifecycle) => {
            let start = |schedule| lifecycle.start_schedule(schedule);
            let _scheduler = data.schedule.map(start).transpose()?;
            server.run_endpoint_until(Endpoint::with_lifecycle(lifecycle.clone()), stop)?;
        }
        None => server.run_site_until(stop)?,
    }
    say("Stopped.");
    Ok(())
}

impl Arguments {
    fn open_store(&self, faults: Faults) -> Result<OpenBackend> {
        self.backend.open(&self.storage, faults, self.backups.keeps_log())
    }

    /// Checks all flags: a refused start creates no database.
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
        if let Some(flag) = self.flag_for_database().filter(|_| self.backend.is_remote()) {
            bail!(
                "{flag} is for the embedded database, which --backend replaces; leave one of them out"
            );
        }
        self.backend.check(&services)?;
        let mailer = self.services.mail.mailer(directory)?;
        self.backups.check()?;
        Ok(Checked {
            faults: self.faults.as_deref().map(faults::parse).transpose()?.unwrap_or_default(),
            tables: self.services.table_names(&services)?,
            identity: self.identity.read(&self.services.environment)?,
            alarms: self.alarms.alarms(mailer.as_ref())?,
            mailer,
            blobs: self.services.blobs.source(directory)?,
            field_keys: self.services.field_keys.source(
                directory,
                self.services.demo,
                &services,
            )?,
            services,
        })
    }

    /// Returns the settings of all services. Missing secrets are created.
    fn host_settings(
        &self,
        server: &Server,
        store: &OpenBackend,
        checked: Checked,
        log: Arc<dyn LogSink>,
    ) -> Result<(Vec<Box<dyn Service>>, HostSettings)> {
        let Checked { services, tables, identity, mailer, blobs, field_keys, .. } = checked;
        let directory = self.storage.directory();
        let settings = HostSettings {
            backend: Arc::clone(&store.backend),
            tables_missing: store.tables_missing,
            identity: identity.complete(directory)?,
            mailer,
            cursor_key: secrets::cursor_key(directory)?,
            field_keys: field_keys.complete()?,
            blobs: blobs.open()?,
            origin: match &self.services.url {
                Some(origin) => origin.clone(),
                None => url(server, server.site_address()),
            },
            grants: self.services.grants.clone(),
            origins: self.services.origins.clone(),
            tables,
            limits: limits(self.services.writes_per_second.map(NonZeroU32::get)),
            trusted_proxies: self.network.trusted_proxies.clone(),
            log,
            metrics: MetricsRegistry::default(),
            randomness: Arc::new(SystemRandomness),
        };
        Ok((services, settings))
    }

    /// Returns the first flag that needs the embedded database.
    fn flag_for_database(&self) -> Option<&'static str> {
        let faults = self.faults.as_ref().map(|_| "--faults");
        let storage = self.storage.flag_for_database();
        let backups = self.backups.flag_for_database();
        storage.or(self.network.flag_for_database()).or(backups).or(faults)
    }

    /// Checks that requests which may name their user come from this machine.
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

    /// Returns the page for browsers at `/`.
    fn start_page(
        &self,
        server: &Server,
        store: &OpenBackend,
        data: &Data,
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
            database: store.database.clone(),
            backups: data.status(),
            data: self.storage.shown(),
            region: self.storage.region().to_owned(),
            warnings: warnings.into_iter().flatten().collect(),
            services: services.iter().map(|service| service.api().service_name()).collect(),
            services_port: self.network.services_listen.map(|_| server.site_address().port()),
            scheme: server.scheme(),
        }
    }

    fn greeting(
        &self,
        server: &Server,
        store: &OpenBackend,
        services: &[Box<dyn Service>],
    ) -> String {
        let endpoint = url(server, server.address());
        let does = match store.database {
            Some(_) => "answers DynamoDB's API",
            None => "serves services",
        };
        let mut text = format!("Monotable {VERSION} {does} at {endpoint}\n");
        let mut line = |label: &str, value: &str| text += &format!("  {label:<11} {value}\n");
        let banner = match &store.shown {
            None => [self.storage.banner(), self.network.banner(server)].concat(),
            Some(tables) => {
                let metrics = self.network.metrics_banner(server);
                [("tables", tables.clone())].into_iter().chain(metrics).collect()
            }
        };
        for (label, value) in banner.iter().chain(&self.backups.banner()) {
            line(label, value);
        }
        if let Some(faults) = &self.faults {
            line("faults", &format!("injected on purpose: {faults}"));
        }
        if !services.is_empty() {
            let names: Vec<&str> = services.iter().map(|service| service.name()).collect();
            let address = url(server, server.site_address());
            line("services", &names.join(", "));
            line("start page", &format!("{address}/ has links to their pages and documentation"));
        }
        if self.identity.development_identity {
            line("identity", "WARNING: services trust the header X-User-Id without a token");
        }
        if store.database.is_none() {
            return text;
        }
        line("try", &format!("{} \\", self.network.keys_shown()));
        let region = self.storage.region();
        line("", &format!("aws dynamodb list-tables --endpoint-url {endpoint} --region {region}"));
        text
    }
}

/// Runs a future to its end on a separate runtime.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(future))
}

/// Prints a line. A closed output is ignored.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Prints the greeting when signals are handled and requests are served, and reports to the service
/// manager; ready when the process shall stop.
async fn greet_and_wait(greeting: String, reloading: Reloading) {
    let Some(manager) = ServiceManager::of_environment() else {
        return wait(greeting, reloading, || ()).await;
    };
    tokio::select! {
        () = wait(greeting, reloading, || manager.ready()) => manager.stopping(),
        () = manager.live() => {}
    }
}

/// Prints the greeting when signals are handled; ready when the process shall stop. SIGHUP reads
/// files again.
async fn wait(greeting: String, reloading: Reloading, started: impl FnOnce()) {
    let stopping = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
    let mut hangups = reloading.is_possible().then(|| signal(SignalKind::hangup()).ok()).flatten();
    say(&format!("{greeting}Ctrl-C stops it."));
    started();
    let (Ok(mut interrupt), Ok(mut terminate)) = stopping else {
        // Then a signal ends the process as usual.
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
                Ok(done) => say(&done),
                Err(error) => log::error!("nothing is reloaded: {error:#}"),
            },
        }
    }
}

/// Returns the URL of an address of the server.
fn url(server: &Server, address: SocketAddr) -> String {
    format!("{}://{address}", server.scheme())
}
