//! What all services of one host share.

use std::collections::BTreeMap;
use std::sync::Arc;

use monotable::model::backend::Backend;
use monotable::model::{HoldsRule, Settings, Store, Table};
use monotable_kit::blobs::{BlobStore, Blobs, MemoryBlobs};
use monotable_kit::outbox::Mailer;
use monotable_kit::{
    AuthKey, Cors, FieldKeys, Grant, Host, KeepsRequests, LogSink, MetricsRegistry, Randomness,
    Rate, Records, SignIn, SignInRows, SignInSettings, SignInStore as _, StandardError,
    SystemRandomness, Throttle, ThrottleSettings, TrustedProxy,
};

use crate::error::Error;
use crate::identity::Identity;
use crate::secrets;
use crate::service::{BoxFuture, Service};

/// The settings of all services of one host.
pub struct HostSettings {
    /// The store that their tables are in.
    pub backend: Arc<dyn Backend>,
    /// Whether tables are created that do not exist.
    pub tables_missing: MissingTables,
    /// Authenticates requests.
    pub identity: Identity,
    /// Delivers e-mails; without it they wait.
    pub mailer: Option<Arc<dyn Mailer>>,
    /// Signs cursors and encrypts secrets in recorded responses: the same after a restart.
    pub cursor_key: [u8; 32],
    /// Encrypts personal data in rows: the same after a restart. Without it, services that encrypt
    /// fields do not start.
    pub field_keys: Option<FieldKeys>,
    /// Stores photos and other files.
    pub blobs: Arc<dyn BlobStore>,
    /// The public address of the services, such as `https://api.example.org`.
    pub origin: String,
    /// Roles of users who sign in, by their e-mail addresses.
    pub grants: Vec<Grant>,
    /// Origins of web pages that may send requests.
    pub origins: Vec<String>,
    /// The names of tables by service; services without an entry use their usual one.
    pub tables: BTreeMap<String, String>,
    /// The rate limits.
    pub limits: ThrottleSettings,
    /// Proxies that report the addresses of clients.
    pub trusted_proxies: Vec<TrustedProxy>,
    /// Gets a line for each request.
    pub log: Arc<dyn LogSink>,
    /// The registry of the services' metrics.
    pub metrics: MetricsRegistry,
    /// The source of randomness for secrets.
    pub randomness: Arc<dyn Randomness>,
}

/// What happens if the table of a service does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingTables {
    /// It is created.
    Create,
    /// The service can't be opened. The embedded engine creates tables nevertheless.
    Refuse,
}

impl HostSettings {
    /// Creates settings with defaults: without e-mail, with keys and files that end with the
    /// process, and with a log on standard error.
    pub fn new(backend: Arc<dyn Backend>, identity: Identity) -> Self {
        let mut cursor_key = [0; 32];
        SystemRandomness.fill(&mut cursor_key);
        Self {
            backend,
            tables_missing: MissingTables::Create,
            identity,
            mailer: None,
            cursor_key,
            field_keys: FieldKeys::read(&secrets::random()).ok(),
            blobs: Arc::new(MemoryBlobs::default()),
            origin: "http://127.0.0.1:8000".to_owned(),
            grants: Vec::new(),
            origins: Vec::new(),
            tables: BTreeMap::new(),
            limits: ThrottleSettings::default(),
            trusted_proxies: Vec::new(),
            log: Arc::new(StandardError),
            metrics: MetricsRegistry::default(),
            randomness: Arc::new(SystemRandomness),
        }
    }

    /// Returns the host of a service with this table. A service with its own tokens adds them to
    /// the authenticator.
    pub fn host<T: KeepsRequests + HoldsRule<AuthKey>>(&self, db: &Store<T>) -> Host {
        self.host_of(Arc::new(db.clone()), db.sign_in_rows())
    }

    fn host_of(&self, records: Arc<dyn Records>, sign_in: SignInRows) -> Host {
        let sign_in = SignIn::new(
            sign_in,
            SignInSettings {
                key: self.cursor_key,
                mailer: self.mailer.clone(),
                grants: self.grants.clone(),
                origin: self.origin.clone(),
                randomness: Arc::clone(&self.randomness),
            },
        );
        Host::new(self.identity.authenticator(), records)
            .sign_in(sign_in)
            .origin(self.origin.as_str())
            .cors(Cors::origins(&self.origins))
            .metrics(self.metrics.clone())
            .trusted_proxies(self.trusted_proxies.iter().copied())
            .secrets_key(self.cursor_key)
            .randomness(Arc::clone(&self.randomness))
            .throttle(Throttle::new(self.limits))
            .log(Arc::clone(&self.log))
    }

    /// Returns the keys of encrypted fields, for a service that has such fields.
    ///
    /// # Errors
    /// Returns [`Error::NoFieldKeys`] if there are none.
    pub fn field_keys(&self) -> Result<FieldKeys, Error> {
        self.field_keys.clone().ok_or(Error::NoFieldKeys)
    }

    /// Returns the blobs of a service.
    pub fn blobs_of(&self, service: &'static str) -> Blobs {
        Blobs::new(Arc::clone(&self.blobs), service, &self.cursor_key)
    }

    /// Opens the table of a service. If it does not exist, it is created or refused, according to
    /// the settings.
    pub fn open_table<'a, T: Table>(&'a self, table_name: &'a str) -> BoxFuture<'a, Store<T>> {
        Box::pin(async move {
            Ok(self.table::<T>(table_name).open_shared(Arc::clone(&self.backend)).await?)
        })
    }

    /// Opens the table of a service whose backfill enables its expiry: in an existing table, it
    /// stays disabled until then.
    pub fn open_older_table<'a, T: Table>(
        &'a self,
        table_name: &'a str,
    ) -> BoxFuture<'a, Store<T>> {
        Box::pin(async move {
            let table = self.table::<T>(table_name).expiry_as_found();
            Ok(table.open_shared(Arc::clone(&self.backend)).await?)
        })
    }

    fn table<T: Table>(&self, table_name: &str) -> Settings<T> {
        let table = Settings::<T>::new().table_name(table_name).cursor_key(self.cursor_key);
        let table = table.protected();
        match self.tables_missing {
            MissingTables::Create => table.create_missing(),
            MissingTables::Refuse => table,
        }
    }

    /// Returns the name of a service's table.
    pub(crate) fn table_name<'a>(&'a self, service: &'a dyn Service) -> &'a str {
        self.tables.get(service.name()).map_or(service.table_name(), String::as_str)
    }
}

/// Returns the usual limits, with as many writes per second for each caller as given. Callers that may
/// write more may also send more requests.
pub fn limits(writes_per_second: Option<u32>) -> ThrottleSettings {
    let usual = ThrottleSettings::default();
    let Some(writes) = writes_per_second else { return usual };
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
