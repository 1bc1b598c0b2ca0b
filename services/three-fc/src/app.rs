//! What the service has while it runs.

use std::ops::Deref;
use std::sync::Arc;

use monotable::model::Store;
use monotable::model::time::Timestamp;
use monotable_kit::blobs::{BlobKey, Blobs};
use monotable_kit::outbox::{Lane, LetterSealer, Mailer, Outbox};
use monotable_kit::{
    Background, BoxFuture, Core, Metrics, Problem, Randomness, SignIn, State, WorkReport, Zone,
};

use crate::api::avatars;
use crate::api::sheets::{self, Sheets};
use crate::jobs;
use crate::table::ThreeFc;

/// The queue of e-mails.
pub(crate) const LANE: &str = "mail";

/// The running service.
pub struct App {
    core: Core<ThreeFc>,
    /// Seals the texts of e-mails while they wait.
    pub(crate) letter_sealer: LetterSealer,
    /// How people sign in, if they can.
    pub(crate) sign_in: Option<SignIn>,
    /// The goals and line-ups of games that are looked at.
    pub(crate) sheets: Sheets,
    /// Keeps the pictures of players.
    pub(crate) blobs: Blobs,
    /// Where the people are.
    pub(crate) zone: Zone,
    pub(crate) background: Background<ThreeFc>,
}

impl Deref for App {
    type Target = Core<ThreeFc>;

    fn deref(&self) -> &Self::Target {
        &self.core
    }
}

impl App {
    /// Starts the service on an open table. The key signs cursors and seals e-mails that wait.
    pub fn new(
        db: Store<ThreeFc>,
        randomness: Arc<dyn Randomness>,
        key: [u8; 32],
        blobs: Blobs,
    ) -> Self {
        let letter_sealer = LetterSealer::new(&key);
        Self {
            background: Background::new(jobs::jobs(&db, &letter_sealer, Zone::default())),
            core: Core::new(db, randomness, key).ulids(),
            letter_sealer,
            sign_in: None,
            sheets: sheets::none(),
            blobs,
            zone: Zone::default(),
        }
    }

    /// Shows times in e-mails in this zone, which also decides what day it is. Set before the mailer.
    #[must_use]
    pub fn zone(self, zone: Zone) -> Self {
        let jobs = jobs::jobs(&self.db, &self.letter_sealer, zone.clone());
        Self { background: Background::new(jobs), zone, ..self }
    }

    /// Lets people sign in.
    #[must_use]
    pub fn sign_in(self, sign_in: Option<SignIn>) -> Self {
        Self { sign_in, ..self }
    }

    /// Delivers e-mails by this mailer; until then they wait.
    ///
    /// # Errors
    /// Returns 500 if the lane of the e-mails can't be part of a key, which never happens.
    pub fn mailer(mut self, mailer: Arc<dyn Mailer>) -> Result<Self, Problem> {
        let lane = Lane::new(LANE).map_err(|error| Problem::internal(error.to_string()))?;
        let (sealer, randomness) = (self.letter_sealer.clone(), Arc::clone(&self.randomness));
        self.background.deliver(Outbox::new(self.db.clone(), lane, mailer, sealer, randomness));
        Ok(self)
    }

    /// Does the background work that is due.
    ///
    /// # Errors
    /// Fails if the stored work can't be read. Work that fails is tried again later.
    pub fn work(&self) -> BoxFuture<'_, WorkReport> {
        self.background.work()
    }

    /// Deletes rows that have expired, and pictures that no row names. Returns how many rows those were: see
    /// [`Background::sweep`].
    ///
    /// # Errors
    /// Returns the errors of the table and the store of blobs.
    pub fn sweep(&self) -> BoxFuture<'_, usize> {
        Box::pin(async move {
            let is_named = |picture: BlobKey| -> BoxFuture<'_, bool> {
                Box::pin(async move { avatars::is_named(&self.db, &picture).await })
            };
            self.blobs.collect_orphans(self.db.now(), is_named).await?;
            self.background.sweep().await
        })
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
