//! What the service has while it runs.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use monotable::model::Store;
use monotable::model::time::Timestamp;
use monotable_kit::blobs::{BlobKey, Blobs};
use monotable_kit::jobs::{Jobs, JobsReport};
use monotable_kit::language_model::LanguageModel;
use monotable_kit::{
    BoxFuture, CallCounters, Core, LimitsCalls, Metrics, Problem, Randomness, Request, SignIn,
    State,
};

use crate::api::announce::Moves;
use crate::api::photos;
use crate::jobs;
use crate::limits::ScansOfMinute;
use crate::table::{Audit, GameId, ScavengerHunt, Stamps};

/// How long rows stay after they have expired.
const EXPIRED_KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// The tokens that a model may use for a team, unless the host says otherwise.
pub const TOKENS_MAX: u64 = 20_000;

/// The running service.
pub struct App {
    core: Core<ScavengerHunt>,
    /// Codes at levels and codes to join teams follow from it.
    pub(crate) code_key: [u8; 32],
    /// Keeps photos.
    pub(crate) blobs: Blobs,
    /// How people sign in, if they can.
    pub(crate) sign_in: Option<SignIn>,
    /// Speaks for the characters, if there is a model; otherwise the program does.
    pub(crate) narrator: Option<Arc<dyn LanguageModel>>,
    /// The tokens that the model may use for a team.
    pub(crate) tokens_max: u64,
    pub(crate) jobs: Jobs<ScavengerHunt>,
    pub(crate) scans: ScansOfMinute,
    pub(crate) moves: Moves,
}

impl Deref for App {
    type Target = Core<ScavengerHunt>;

    fn deref(&self) -> &Self::Target {
        &self.core
    }
}

impl App {
    /// Starts the service on an open table. The key signs cursors, and codes follow from it.
    pub fn new(
        db: Store<ScavengerHunt>,
        randomness: Arc<dyn Randomness>,
        key: [u8; 32],
        blobs: Blobs,
    ) -> Self {
        Self {
            jobs: jobs::jobs(&db, &blobs),
            blobs,
            core: Core::new(db, randomness, key),
            code_key: key,
            sign_in: None,
            narrator: None,
            tokens_max: TOKENS_MAX,
            scans: ScansOfMinute::default(),
            moves: Moves::default(),
        }
    }

    /// Lets people sign in.
    #[must_use]
    pub fn sign_in(self, sign_in: Option<SignIn>) -> Self {
        Self { sign_in, ..self }
    }

    /// Lets a model speak for the characters, with so many tokens for each team.
    #[must_use]
    pub fn narrator(self, narrator: Option<Arc<dyn LanguageModel>>, tokens_max: u64) -> Self {
        Self { narrator, tokens_max, ..self }
    }

    /// Begins a line of the audit: what the caller does to a row, such as `TEAM#1`.
    ///
    /// # Errors
    /// Returns 401 if the caller is not signed in.
    pub(crate) fn audit(
        &self,
        call: &Request,
        game_id: &GameId,
        action: &str,
        entity: impl Into<String>,
    ) -> Result<Audit, Problem> {
        Ok(Audit {
            id: self.new_id()?,
            ts: self.db.now().epoch_seconds(),
            game_id: game_id.clone(),
            actor: call.principal()?.id.clone(),
            action: action.to_owned(),
            entity: entity.into(),
            before: std::collections::BTreeMap::new(),
            after: std::collections::BTreeMap::new(),
            request_id: Some(call.request_id.clone()).filter(|id| !id.is_empty()),
            stamps: Stamps::default(),
        })
    }

    /// Does the background work that is due.
    ///
    /// # Errors
    /// Fails if the stored work can't be read. Work that fails is tried again later.
    pub fn work(&self) -> BoxFuture<'_, JobsReport> {
        Box::pin(self.jobs.run_due())
    }

    /// Deletes rows a day after they have expired, and photos that no row names. Returns how many rows those were.
    ///
    /// # Errors
    /// Returns the errors of the table and the blob store.
    pub fn sweep(&self) -> BoxFuture<'_, usize> {
        Box::pin(async move {
            let is_named = |key: BlobKey| -> BoxFuture<'_, bool> {
                Box::pin(async move { photos::is_named(&self.db, &key).await })
            };
            self.blobs.collect_orphans(self.db.now(), is_named).await?;
            Ok(self.db.delete_expired_for(EXPIRED_KEPT).await?)
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
        self.jobs.measure(metrics);
    }
}
