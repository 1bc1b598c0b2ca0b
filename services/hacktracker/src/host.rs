//! HackTracker as a host runs it: its option, its table, its background work and its sample data.

use std::sync::Arc;

use monotable::model::Table as _;
use monotable_host::{
    BoxError, BoxFuture, DemoSettings, HostSettings, OpenService, OptionValues, RunningService,
    Service, ServiceOption, problem_error,
};

use crate::app::App;
use crate::legacy::backfill;
use crate::table::HackTracker;
use crate::{demo, service};

/// The option for [`App::list_shards`].
const LIST_SHARDS: &str = "hacktracker-list-shards";

/// HackTracker, ready to be opened.
#[derive(Clone, Debug)]
pub struct HackTrackerService {
    list_shards: u16,
}

impl Default for HackTrackerService {
    fn default() -> Self {
        Self { list_shards: 1 }
    }
}

impl Service for HackTrackerService {
    fn api(&self) -> monotable_kit::Service {
        service()
    }

    fn table_name(&self) -> &'static str {
        HackTracker::META.table_name
    }

    fn options(&self) -> Vec<ServiceOption> {
        let help = "Spread HackTracker's lists of all users, teams and games over this many index \
                    partitions; the number must never become smaller";
        vec![ServiceOption::new(LIST_SHARDS, "NUMBER", help).number(1..=64).default("1")]
    }

    fn configure(&mut self, values: &OptionValues) -> Result<(), BoxError> {
        if let Some(count) = values.number(LIST_SHARDS)? {
            self.list_shards = count;
        }
        Ok(())
    }

    fn open<'a>(
        &'a self,
        table_name: &'a str,
        settings: &'a HostSettings,
    ) -> BoxFuture<'a, OpenService> {
        Box::pin(async move {
            let db = settings.open_table(table_name).await?;
            let mut app = App::new(db, Arc::clone(&settings.randomness))
                .cursor_key(settings.cursor_key)
                .secrets_key(&settings.cursor_key)
                .list_shards(self.list_shards);
            if let Some(mailer) = &settings.mailer {
                app = app.mailer(Arc::clone(mailer)).map_err(problem_error)?;
            }
            let app = Arc::new(app);
            let router = service().router(Arc::clone(&app), settings.host(app.records()));
            Ok(OpenService { router, running: app })
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

    fn backfill(&self) -> BoxFuture<'_, String> {
        Box::pin(async {
            let report = backfill::backfill(&self.db).await?;
            Ok(serde_json::to_string_pretty(&report)?)
        })
    }

    fn demo<'a>(&'a self, settings: DemoSettings<'a>) -> BoxFuture<'a, String> {
        Box::pin(async move {
            demo::load(self).await.map_err(problem_error)?;
            Ok(self.instructions(settings))
        })
    }
}

impl App {
    /// Returns how to send requests as the demo users, with a token for each of them.
    fn instructions(&self, DemoSettings { url, issuer }: DemoSettings<'_>) -> String {
        let mut text = format!("HackTracker and its documentation: {url}/docs\n");
        let Some(issuer) = issuer else {
            text += "  its demo's people are demo-casey, demo-drew, demo-sam and demo-pat\n";
            return text;
        };
        text += "People of its demo, and their tokens for twelve hours (paste the lines into a \
                 shell):\n";
        for person in demo::people() {
            let token = issuer.token(&person, self.db.now());
            let name = person.id.trim_start_matches("demo-").to_uppercase();
            text += &format!("  export {name}={token}\n");
        }
        text += &format!("Ask it:\n  curl -H \"Authorization: Bearer $CASEY\" {url}/teams\n");
        text
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
        let service = HackTrackerService::default();
        let OpenService { running, .. } = service.open("league", &settings).await.unwrap();
        let demo =
            DemoSettings { url: "http://test/hacktracker", issuer: settings.identity.issuer() };
        let text = running.demo(demo).await.unwrap();
        assert!(text.contains("http://test/hacktracker/docs\n"), "{text}");
        assert!(text.contains("\n  export CASEY="), "{text}");
        running.work().await.unwrap();
        running.sweep().await.unwrap();
        running.backfill().await.unwrap();
        assert!(backend.calls() > 0);
    }

    #[test]
    fn the_shards_of_lists_can_be_set() {
        let mut service = HackTrackerService::default();
        service.configure(&OptionValues::default()).unwrap();
        assert_eq!(service.list_shards, 1);
        service.configure(&[(LIST_SHARDS, "8")].into_iter().collect()).unwrap();
        assert_eq!(service.list_shards, 8);
    }
}
