//! btl.run for hosts: its narrator, its table, its background work and its sample data.

use std::sync::Arc;

use monotable::model::{Store, Table as _};
use monotable_host::{
    BoxError, BoxFuture, HostSettings, OpenService, OptionValues, RunningService, Service,
    ServiceOption, TableMeta, narrator, narrator_options, problem_error,
};
use monotable_kit::Principal;

use crate::app::{App, TOKENS_MAX};
use crate::change::announce;
use crate::jobs::narrate::Chat;
use crate::legacy::{Repairs, backfill};
use crate::rules::narration::{Narrator, Offline};
use crate::table::{BtlRun, MatchId};
use crate::tokens::MatchTokens;
use crate::{demo, service};

/// The option for the tokens that a narrator may use in a match.
const TOKENS: &str = "narrator-tokens";

/// Names of players, what they have written, and stories, which contain both; and what tokens are checked by. Personas stay
/// as far as turns depend on them.
const PERSONAL_FIELDS: &[&str] = &[
    "Profile.display_name",
    "Profile.avatar",
    "AllianceMessage.text",
    "SecretRow.token_hashes",
    "MatchRow.roster.*.name",
    "MatchRow.roster.*.persona.quirks",
    "MatchRow.roster.*.persona.catchphrase",
    "MatchRow.pendingActions.*.freeText",
    "MatchRow.memoryBlob",
    "SummaryRow.narration",
    "SummaryRow.highlights",
    "EventRow.data.roster.*.name",
    "EventRow.data.roster.*.persona.quirks",
    "EventRow.data.roster.*.persona.catchphrase",
    "EventRow.data.tribute.name",
    "EventRow.data.tribute.persona.quirks",
    "EventRow.data.tribute.persona.catchphrase",
    "EventRow.data.action.freeText",
    "EventRow.data.actions.*.action.freeText",
    "EventRow.data.narration",
    "EventRow.data.memory",
    "EventRow.data.text",
    "ShardedEventRow.data.roster.*.name",
    "ShardedEventRow.data.roster.*.persona.quirks",
    "ShardedEventRow.data.roster.*.persona.catchphrase",
    "ShardedEventRow.data.tribute.name",
    "ShardedEventRow.data.tribute.persona.quirks",
    "ShardedEventRow.data.tribute.persona.catchphrase",
    "ShardedEventRow.data.action.freeText",
    "ShardedEventRow.data.actions.*.action.freeText",
    "ShardedEventRow.data.narration",
    "ShardedEventRow.data.memory",
    "ShardedEventRow.data.text",
];

/// btl.run, ready to be opened.
#[derive(Clone)]
pub struct BtlRunService {
    /// The language model that writes stories; without one the program writes them itself.
    narrator: Option<Arc<dyn Narrator>>,
    tokens_max: u64,
    narrates_at_once: bool,
}

impl Default for BtlRunService {
    fn default() -> Self {
        Self { narrator: None, tokens_max: TOKENS_MAX, narrates_at_once: true }
    }
}

impl BtlRunService {
    /// Sets the narrator of the stories.
    #[must_use]
    pub fn narrator(mut self, narrator: Arc<dyn Narrator>) -> Self {
        self.narrator = Some(narrator);
        self
    }

    /// Sets the tokens that narrators may use in a match.
    #[must_use]
    pub fn tokens_max(mut self, tokens: u64) -> Self {
        self.tokens_max = tokens;
        self
    }

    /// Leaves stories to the background work, instead of writing each during the request that
    /// resolves its turn.
    #[must_use]
    pub fn narrates_later(mut self) -> Self {
        self.narrates_at_once = false;
        self
    }
}

impl Service for BtlRunService {
    fn api(&self) -> monotable_kit::Service {
        service()
    }

    fn personal_fields(&self) -> &'static [&'static str] {
        PERSONAL_FIELDS
    }

    fn table(&self) -> &'static TableMeta {
        BtlRun::META
    }

    fn options(&self) -> Vec<ServiceOption> {
        let help = "The tokens that the model may use in one match of btl.run [default: 50000]";
        narrator_options(ServiceOption::new(TOKENS, "NUMBER", help).number(0..=u64::MAX))
    }

    fn configure(&mut self, values: &OptionValues) -> Result<(), BoxError> {
        self.tokens_max = values.number(TOKENS)?.unwrap_or(TOKENS_MAX);
        if let Some(model) = narrator(values)? {
            self.narrator = Some(Arc::new(Chat::of(model)));
        }
        Ok(())
    }

    fn open<'a>(
        &'a self,
        table_name: &'a str,
        settings: &'a HostSettings,
    ) -> BoxFuture<'a, OpenService> {
        Box::pin(async move {
            let db: Store<BtlRun> = settings.open_table(table_name).await?;
            let randomness = Arc::clone(&settings.randomness);
            let app = App {
                narrator: self.narrator.clone().unwrap_or_else(|| Arc::new(Offline)),
                tokens_max: self.tokens_max,
                narrates_at_once: self.narrates_at_once,
                repairs: Repairs::default().log(Arc::clone(&settings.log)),
                ..App::with_cursor_key(db.clone(), randomness, settings.cursor_key)
            };
            let mut host = settings.host(&db);
            host.authenticator = MatchTokens::before(db, host.authenticator);
            Ok(OpenService::new(service(), Arc::new(app), host))
        })
    }
}

impl RunningService for App {
    fn work(&self) -> BoxFuture<'_, ()> {
        Box::pin(async { App::work(self).await.map(drop).map_err(problem_error) })
    }

    fn refresh(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            for topic in self.events.followed() {
                if let Ok(match_id) = MatchId::new(topic)
                    && let Ok(row) = self.match_row(&match_id).await
                {
                    announce(self, &row.state);
                }
            }
            Ok(())
        })
    }

    fn backfill(&self) -> BoxFuture<'_, String> {
        Box::pin(async {
            let report = backfill(self).await.map_err(problem_error)?;
            Ok(serde_json::to_string_pretty(&report)?)
        })
    }

    fn demo_people(&self) -> Vec<Principal> {
        demo::people()
    }

    fn demo<'a>(&'a self, url: &'a str) -> BoxFuture<'a, String> {
        Box::pin(async move {
            let played = demo::load(&Arc::new(self.clone())).await.map_err(problem_error)?;
            Ok(format!(
                "A finished match: {url}/match/{played}\nIts story: {url}/stories/{played}\n"
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use monotable::prelude::Embedded;
    use monotable_host::{Identity, secrets};
    use monotable_kit::{JwtSettings, LocalIssuer};
    use monotable_testkit::failing::Failing;

    use super::*;

    #[tokio::test]
    async fn it_runs_on_any_backend() {
        let backend = Failing::never(&Embedded::memory());
        let issuer =
            LocalIssuer::new(JwtSettings::new("test", "test"), &secrets::random()).unwrap();
        let settings = HostSettings::new(Arc::new(backend.clone()), Identity::local(issuer));
        let service = BtlRunService::default();
        let OpenService { running, .. } = service.open("arena", &settings).await.unwrap();
        let text = running.demo("http://test/btl-run").await.unwrap();
        assert!(text.contains("http://test/btl-run/match/"), "{text}");
        running.work().await.unwrap();
        running.sweep().await.unwrap();
        running.backfill().await.unwrap();
        assert!(backend.calls() > 0);
    }

    fn configured(values: &[(&str, &str)]) -> Result<BtlRunService, String> {
        let mut service = BtlRunService::default();
        let values = values.iter().copied().collect();
        service.configure(&values).map(|()| service).map_err(|error| error.to_string())
    }

    #[test]
    fn the_program_writes_stories_unless_a_model_is_named() {
        let service = configured(&[]).unwrap();
        assert!(service.narrator.is_none());
        assert_eq!(service.tokens_max, TOKENS_MAX);
        let model = [("narrator", "http://127.0.0.1:1"), ("narrator-model", "m")];
        let service = configured(&model).unwrap();
        assert!(service.narrator.is_some());
        assert_eq!(service.tokens_max, TOKENS_MAX);
        let service = configured(&[&model[..], &[(TOKENS, "1200")]].concat()).unwrap();
        assert_eq!(service.tokens_max, 1_200);
    }

    #[test]
    fn a_model_that_no_request_can_reach_is_refused() {
        for (values, text) in [
            (
                &[("narrator", "localhost"), ("narrator-model", "m")][..],
                "must begin with http:// or https://",
            ),
            (
                &[
                    ("narrator", "http://localhost"),
                    ("narrator-model", "m"),
                    ("narrator-key", "/nowhere/key"),
                ],
                "the narrator's key: the file of the secret can't be read",
            ),
        ] {
            let error = configured(values).err().unwrap();
            assert!(error.contains(text), "{error}");
        }
    }

    #[test]
    fn the_help_names_the_default_of_tokens_and_the_variable_of_the_key() {
        let options = BtlRunService::default().options();
        let help = |name| options.iter().find(|option| option.name == name).unwrap().help;
        assert!(help(TOKENS).contains(&TOKENS_MAX.to_string()));
        assert!(help("narrator-key").contains("MONOTABLE_NARRATOR_KEY"));
    }
}
