//! ScavengerHunt as a host runs it: its table, its tokens and its background work.

use std::sync::Arc;

use monotable::model::Table as _;
use monotable_host::{
    BoxError, BoxFuture, HostSettings, OpenService, OptionValues, RunningService, Service,
    ServiceOption, TableMeta, narrator, narrator_options, problem_error,
};
use monotable_kit::Principal;
use monotable_kit::language_model::LanguageModel;

use crate::api::announce;
use crate::app::{App, TOKENS_MAX};
use crate::legacy::backfill;
use crate::table::ScavengerHunt;
use crate::tokens::GameTokens;
use crate::{demo, service};

/// The option for the tokens that a model may use for a team.
const TOKENS: &str = "narrator-team-tokens";

/// ScavengerHunt, ready to be opened.
#[derive(Clone)]
pub struct ScavengerHuntService {
    /// The language model that speaks for the characters; without one the program does.
    narrator: Option<Arc<dyn LanguageModel>>,
    tokens_max: u64,
}

impl Default for ScavengerHuntService {
    fn default() -> Self {
        Self { narrator: None, tokens_max: TOKENS_MAX }
    }
}

impl ScavengerHuntService {
    /// Lets this model speak for the characters, with so many tokens for each team.
    #[must_use]
    pub fn narrator(self, narrator: Arc<dyn LanguageModel>, tokens_max: u64) -> Self {
        Self { narrator: Some(narrator), tokens_max }
    }
}

impl Service for ScavengerHuntService {
    fn api(&self) -> monotable_kit::Service {
        service()
    }

    fn personal_fields(&self) -> &'static [&'static str] {
        &[
            "User.display_name",
            "Message.text",
            "CoordinateSnapshot.latitude",
            "CoordinateSnapshot.longitude",
        ]
    }

    fn table(&self) -> &'static TableMeta {
        ScavengerHunt::META
    }

    fn options(&self) -> Vec<ServiceOption> {
        let help =
            "The tokens that the model may use for one team of ScavengerHunt [default: 20000]";
        narrator_options(ServiceOption::new(TOKENS, "NUMBER", help).number(0..=u64::MAX))
    }

    fn configure(&mut self, values: &OptionValues) -> Result<(), BoxError> {
        self.tokens_max = values.number(TOKENS)?.unwrap_or(TOKENS_MAX);
        self.narrator = narrator(values)?.or_else(|| self.narrator.take());
        Ok(())
    }

    fn open<'a>(
        &'a self,
        table_name: &'a str,
        settings: &'a HostSettings,
    ) -> BoxFuture<'a, OpenService> {
        Box::pin(async move {
            // Until the backfill, expiries of older programs do not count: messages that players have cleared tell when
            // their teams arrived.
            let db = settings.open_older_table(table_name).await?;
            let (randomness, blobs) = (&settings.randomness, settings.blobs_of(self.name()));
            let app = App::new(db, Arc::clone(randomness), settings.cursor_key, blobs);
            let mut host = settings.host(&app.db);
            host.authenticator = GameTokens::before(app.db.clone(), host.authenticator);
            let app = app.narrator(self.narrator.clone(), self.tokens_max);
            let app = app.sign_in(host.sign_in.clone());
            Ok(OpenService::new(service(), Arc::new(app), host))
        })
    }
}

impl RunningService for App {
    fn work(&self) -> BoxFuture<'_, ()> {
        Box::pin(async { App::work(self).await.map(drop).map_err(problem_error) })
    }

    fn sweep(&self) -> BoxFuture<'_, ()> {
        Box::pin(async { App::sweep(self).await.map(drop).map_err(problem_error) })
    }

    fn refresh(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            announce::followed(self).await;
            Ok(())
        })
    }

    fn backfill(&self) -> BoxFuture<'_, String> {
        Box::pin(async {
            let report = backfill::backfill(&self.db).await.map_err(problem_error)?;
            Ok(serde_json::to_string_pretty(&report)?)
        })
    }

    fn demo_people(&self) -> Vec<Principal> {
        demo::people()
    }

    fn demo<'a>(&'a self, url: &'a str) -> BoxFuture<'a, String> {
        Box::pin(async move { demo::load(self, url).await.map_err(problem_error) })
    }
}
