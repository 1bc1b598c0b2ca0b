//! What the service has while it runs.

use std::ops::Deref;
use std::sync::Arc;

use monotable::model::Store;
use monotable::model::time::Timestamp;
use monotable_kit::outbox::{Lane, LetterSealer, Mailer, Outbox};
use monotable_kit::{
    Background, BoxFuture, CallCounters, Core, FieldKeys, LimitsCalls, Metrics, Problem,
    Randomness, State,
};

use crate::api::admin::counts::Announced;
use crate::gateway::Gateway;
use crate::jobs;
use crate::money::Cashier;
use crate::table::{CodeKurukshetra, Config};

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
    /// The figures that organisers were shown last.
    pub(crate) announced: Announced,
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
            announced: Announced::default(),
        }
    }

    /// Delivers e-mails by this mailer; until then they wait.
    ///
    /// # Errors
    /// 500 if the lane of the e-mails can't be part of a key, which it can.
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
    /// 503 if an administrator has not made them yet.
    pub async fn config(&self) -> Result<Config, Problem> {
        self.cashier.config().await
    }

    /// Does the background work that is due.
    ///
    /// # Errors
    /// If what was promised can't be read. Work that fails is tried again later.
    pub fn work(&self) -> BoxFuture<'_, ()> {
        Box::pin(jobs::work(self))
    }

    /// Deletes rows that have expired, forgets personal data that is kept no longer, and checks the rows. Returns how many
    /// rows have expired.
    ///
    /// # Errors
    /// What the table reports.
    pub fn sweep(&self) -> BoxFuture<'_, usize> {
        Box::pin(async move {
            let expired = self.background.sweep().await? + jobs::sweep::expired(&self.db).await?;
            jobs::nightly(self).await?;
            Ok(expired)
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

    fn measure(&self, metrics: &Metrics) {
        self.background.measure(metrics);
    }
}
