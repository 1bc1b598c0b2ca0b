//! What the service has while it runs.

use std::ops::Deref;
use std::sync::Arc;

use monotable::model::Store;
use monotable::model::time::Timestamp;
use monotable_kit::outbox::{Lane, LetterSealer, Mailer, Outbox};
use monotable_kit::{
    Background, BoxFuture, CallCounters, Core, FieldKeys, LimitsCalls, Metrics, MinuteCalls,
    Problem, Randomness, Request, Route, State,
};

use crate::api::admin::counts::Announced;
use crate::jobs;
use crate::limits;
use crate::money::Cashier;
use crate::policy;
use crate::table::{Audit, CodeKurukshetra, Config};
use monotable_kit::payment_gateway::Gateway;

/// The queue of e-mails.
pub(crate) const LANE: &str = "mail";

/// What the service needs of its host.
pub struct AppSettings {
    /// Signs cursors and codes, and seals e-mails that wait: the same after a restart.
    pub key: [u8; 32],
    /// Where teams pay.
    pub gateway: Arc<dyn Gateway>,
    /// Encrypts personal data in rows.
    pub field_keys: FieldKeys,
    /// Where people reach the service, such as `https://example.org/codekurukshetra`.
    pub url: String,
}

/// The running service.
pub struct App {
    core: Core<CodeKurukshetra>,
    /// Moves money and slots.
    pub(crate) cashier: Cashier,
    /// Encrypts personal data in rows.
    pub field_keys: FieldKeys,
    /// Signs codes that people show: check-ins and certificates.
    pub(crate) code_key: [u8; 32],
    pub(crate) background: Background<CodeKurukshetra>,
    /// When each kind of regular work is due.
    pub(crate) schedule: jobs::Schedule,
    /// How the event grows, as metrics.
    pub(crate) growth: jobs::growth::Growth,
    /// The figures that organisers were shown last.
    pub(crate) announced: Announced,
    calls: MinuteCalls<String>,
}

impl Deref for App {
    type Target = Core<CodeKurukshetra>;

    fn deref(&self) -> &Self::Target {
        &self.core
    }
}

impl App {
    /// Starts the service on an open table.
    pub fn new(
        db: Store<CodeKurukshetra>,
        randomness: Arc<dyn Randomness>,
        settings: AppSettings,
    ) -> Self {
        let AppSettings { key, gateway, field_keys, url } = settings;
        let letter_sealer = LetterSealer::new(&key);
        let cashier = Cashier { db: db.clone(), gateway, letter_sealer, url: url.into() };
        Self {
            core: Core::new(db, randomness, key),
            field_keys,
            code_key: key,
            background: Background::new(jobs::jobs(cashier.clone())),
            cashier,
            schedule: jobs::Schedule::default(),
            growth: jobs::growth::Growth::default(),
            announced: Announced::default(),
            calls: MinuteCalls::default(),
        }
    }

    /// Delivers e-mails by this mailer; until then they wait.
    ///
    /// # Errors
    /// Returns 500 if the lane of the e-mails can't be part of a key, which never happens.
    pub fn mailer(mut self, mailer: Arc<dyn Mailer>) -> Result<Self, Problem> {
        let lane = Lane::new(LANE).map_err(|error| Problem::internal(error.to_string()))?;
        let (sealer, randomness) =
            (self.cashier.letter_sealer.clone(), Arc::clone(&self.randomness));
        self.background.deliver(Outbox::new(self.db.clone(), lane, mailer, sealer, randomness));
        Ok(self)
    }

    /// Returns the settings of the event.
    ///
    /// # Errors
    /// Returns 503 if an administrator has not created them yet.
    pub async fn config(&self) -> Result<Config, Problem> {
        self.cashier.config().await
    }

    /// Begins a line of the audit: what the caller does to a row, such as `TEAM#1`.
    ///
    /// # Errors
    /// Returns 401 if the caller is not signed in.
    pub(crate) fn audit(
        &self,
        call: &Request,
        action: &str,
        entity: impl Into<String>,
    ) -> Result<Audit, Problem> {
        let entry = Audit::of_service(self.db.now(), self.new_id()?, action, entity);
        Ok(entry.by(policy::account(call)?, call))
    }

    /// Does the background work that is due.
    ///
    /// # Errors
    /// Fails if the stored work can't be read. Work that fails is tried again later.
    pub fn work(&self) -> BoxFuture<'_, ()> {
        Box::pin(jobs::work(self))
    }

    /// Forgets personal data that is kept no longer, checks the rows, and deletes those that have expired. Returns how many
    /// that were. Nothing expires before there are settings: rows of older programs may have an expiry that counts for
    /// nothing, which is seen by them.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub fn sweep(&self) -> BoxFuture<'_, usize> {
        Box::pin(async move {
            let is_configured = jobs::nightly(self).await?;
            if is_configured { self.background.sweep().await } else { Ok(0) }
        })
    }
}

impl LimitsCalls for App {
    fn call_counters(&self) -> &dyn CallCounters {
        &self.db
    }
}

impl State for App {
    fn now(&self) -> Timestamp {
        self.db.now()
    }

    fn admit(&self, route: &Route, request: &Request) -> Result<(), Problem> {
        limits::admit(&self.calls, route, request, self.db.now())
    }

    fn measure(&self, metrics: &Metrics) {
        self.background.measure(metrics);
        self.growth.measure(metrics);
    }
}
