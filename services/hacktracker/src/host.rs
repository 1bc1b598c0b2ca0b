//! HackTracker for hosts: its option, its table, its background work and its sample data.

use std::sync::Arc;

use monotable::model::Table as _;
use monotable_host::{
    BoxError, BoxFuture, HostSettings, OpenService, OptionValues, RunningService, Service,
    ServiceOption, TableMeta, problem_error,
};
use monotable_kit::Principal;

use crate::api::announce;
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

    fn personal_fields(&self) -> &'static [&'static str] {
        &[
            "User.email",
            "User.first_name",
            "User.last_name",
            "User.phone_number",
            "Player.first_name",
            "Player.last_name",
            "Invite.email",
        ]
    }

    fn table(&self) -> &'static TableMeta {
        HackTracker::META
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
            let host = settings.host(&app.db);
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
            announce::followed(self).await;
            Ok(())
        })
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

    fn demo_people(&self) -> Vec<Principal> {
        demo::people()
    }

    fn demo<'a>(&'a self, url: &'a str) -> BoxFuture<'a, String> {
        Box::pin(async move {
            demo::load(self).await.map_err(problem_error)?;
            let mut text = String::new();
            if let Some(game_id) = demo::live_game(self).await.map_err(problem_error)? {
                text += &format!(
                    "A game that is played now, for its scorekeeper: {url}/score/{game_id}\n"
                );
            }
            let bearer = "Authorization: Bearer $CASEY";
            Ok(text + &format!("Send a request:\n  curl -H \"{bearer}\" {url}/teams\n"))
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
        let service = HackTrackerService::default();
        let OpenService { running, .. } = service.open("league", &settings).await.unwrap();
        let text = running.demo("http://test/hacktracker").await.unwrap();
        assert!(text.contains("http://test/hacktracker/teams\n"), "{text}");
        assert_eq!(running.demo_people().len(), 4);
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
