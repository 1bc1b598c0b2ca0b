//! What the service has while it runs.

use std::ops::Deref;
use std::sync::Arc;

use monotable::model::Store;
use monotable::model::time::Timestamp;
use monotable_kit::outbox::{Lane, LetterSealer, Mailer, Outbox};
use monotable_kit::{
    Background, BoxFuture, CallCounters, Core, FieldKeys, LimitsCalls, Metrics, Problem, Randomness,
    SignIn, State,
};

use crate::gateway::Gateway;
use crate::jobs;
use crate::refusal::Refusal;
use crate::table::{CodeKurukshetra, CodeKurukshetraReads as _, Config};

/// The queue of e-mails.
pub(crate) const LANE: &str = "mail";

/// The running service.
pub struct App {
    core: Core<CodeKurukshetra>,
    /// Where teams pay.
    pub gateway: Arc<dyn Gateway>,
    /// Encrypts personal data in rows.
    pub field_keys: FieldKeys,
    /// Seals the texts of e-mails while they wait.
    pub(crate) letter_sealer: LetterSealer,
    /// Signs codes that people show: check-ins and certificates.
    pub(crate) code_key: [u8; 32],
    /// How people sign in, if they can.
    pub(crate) sign_in: Option<SignIn>,
    pub(crate) background: Background<CodeKurukshetra>,
    /// When each kind of regular work is due.
    pub(crate) schedule: jobs::Schedule,
}

impl Deref for App {
    type Target = Core<CodeKurukshetra>;

    fn deref(&self) -> &Self::Target {
        &self.core
    }
}

impl App {
    /// Starts the service on an open table. The key signs cursors and codes, and seals e-mails that wait.
    pub fn new(
        db: Store<CodeKurukshetra>,
        randomness: Arc<dyn Randomness>,
        key: [u8; 32],
        gateway: Arc<dyn Gateway>,
        field_keys: FieldKeys,
    ) -> Self {
        let core = Core::new(db.clone(), randomness, key);
        let jobs = jobs::jobs(db, Arc::clone(&gateway));
        Self {
            core,
            gateway,
            field_keys,
            letter_sealer: LetterSealer::new(&key),
            code_key: key,
            sign_in: None,
            background: Background::new(jobs),
            schedule: jobs::Schedule::default(),
        }
    }

    /// Lets people sign in.
    #[must_use]
    pub fn sign_in(self, sign_in: Option<SignIn>) -> Self {
        Self { sign_in, ..self }
    }

    /// Delivers e-mails by this mailer; until then they wait.
    ///
    /// # Errors
    /// 500 if the lane of the e-mails can't be part of a key, which it can.
    pub fn mailer(mut self, mailer: Arc<dyn Mailer>) -> Result<Self, Problem> {
        let lane = Lane::new(LANE).map_err(|error| Problem::internal(error.to_string()))?;
        let (sealer, randomness) = (self.letter_sealer.clone(), Arc::clone(&self.randomness));
        self.background.deliver(Outbox::new(self.db.clone(), lane, mailer, sealer, randomness));
        Ok(self)
    }

    /// Returns the settings of the event.
    ///
    /// # Errors
    /// 503 if an administrator has not made them yet.
    pub async fn config(&self) -> Result<Config, Problem> {
        Ok(self.db.config().await?.ok_or(Refusal::NotConfigured)?)
    }

    /// Does the background work that is due.
    ///
    /// # Errors
    /// If what was promised can't be read. Work that fails is tried again later.
    pub fn work(&self) -> BoxFuture<'_, ()> {
        Box::pin(jobs::work(self))
    }

    /// Deletes rows that have expired, and returns how many.
    ///
    /// # Errors
    /// What the table reports.
    pub fn sweep(&self) -> BoxFuture<'_, usize> {
        Box::pin(async move {
            Ok(self.background.sweep().await? + jobs::sweep::expired(&self.db).await?)
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
