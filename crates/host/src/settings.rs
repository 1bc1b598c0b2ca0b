//! What all services of one host share.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use monotable::model::backend::Backend;
use monotable_kit::{
    Cors, Host, MetricsRegistry, NoLog, Randomness as _, Rate, Records, SystemRandomness, Throttle,
    ThrottleSettings, TrustedProxy,
};

use crate::identity::Identity;
use crate::service::Service;

/// The settings of all services of one host.
pub struct HostSettings {
    /// The store that their tables are in.
    pub backend: Arc<dyn Backend>,
    /// Whose requests they accept.
    pub identity: Identity,
    /// The directory for files, if there is one: e-mails until something else sends them.
    pub directory: Option<PathBuf>,
    /// Signs cursors and encrypts secrets that are kept for repeats: the same after a restart.
    pub cursor_key: [u8; 32],
    /// The address of the services as clients know it, such as `https://api.example.org`.
    pub origin: String,
    /// Origins of web pages that may send requests.
    pub origins: Vec<String>,
    /// The names of their tables by service; a service that is not in it has its usual one.
    pub tables: BTreeMap<String, String>,
    /// Writes per second that are admitted for each caller, if not the usual number.
    pub writes_per_second: Option<u32>,
    /// Proxies that report the addresses of clients.
    pub trusted_proxies: Vec<TrustedProxy>,
    /// Whether requests are logged.
    pub request_log: RequestLog,
    /// Where the services register their metrics.
    pub metrics: MetricsRegistry,
}

/// Whether requests are logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestLog {
    /// A line on standard error for each request.
    StandardError,
    /// Nothing.
    Off,
}

impl HostSettings {
    /// Returns the settings of services that need no others: without a directory, with a cursor key that
    /// ends with the process, and with a log of their requests.
    pub fn new(backend: Arc<dyn Backend>, identity: Identity) -> Self {
        let mut cursor_key = [0; 32];
        SystemRandomness.fill(&mut cursor_key);
        Self {
            backend,
            identity,
            directory: None,
            cursor_key,
            origin: "http://127.0.0.1:8000".to_owned(),
            origins: Vec::new(),
            tables: BTreeMap::new(),
            writes_per_second: None,
            trusted_proxies: Vec::new(),
            request_log: RequestLog::StandardError,
            metrics: MetricsRegistry::default(),
        }
    }

    /// Returns what the router of a service needs of its host. A service with tokens of its own adds them
    /// to the authenticator.
    pub fn host(&self, records: Arc<dyn Records>) -> Host {
        let host = Host::new(self.identity.authenticator(), records)
            .origin(&self.origin)
            .cors(Cors::origins(&self.origins))
            .metrics(self.metrics.clone())
            .trusted_proxies(self.trusted_proxies.iter().copied())
            .secrets_key(self.cursor_key)
            .throttle(Throttle::new(self.limits()));
        match self.request_log {
            RequestLog::StandardError => host,
            RequestLog::Off => host.log(NoLog),
        }
    }

    /// Returns the name of a service's table.
    pub(crate) fn table_name<'a>(&'a self, service: &'a dyn Service) -> &'a str {
        self.tables.get(service.name()).map_or(service.table_name(), String::as_str)
    }

    /// Returns the rates that are admitted. Callers that may write more may also send more requests.
    pub(crate) fn limits(&self) -> ThrottleSettings {
        let usual = ThrottleSettings::default();
        let Some(writes) = self.writes_per_second else { return usual };
        let at_least = |rate: Rate| Rate {
            per_second: rate.per_second.max(writes),
            burst: rate.burst.max(writes),
        };
        let burst = usual.writes_of_one.burst.max(writes);
        ThrottleSettings {
            everybody: at_least(usual.everybody),
            requests_of_one: at_least(usual.requests_of_one),
            writes_of_one: Rate { per_second: writes, burst },
            ..usual
        }
    }
}
