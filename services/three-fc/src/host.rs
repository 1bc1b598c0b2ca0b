//! 3FC as a host runs it: its table, its background work and its backfill.

use std::sync::Arc;

use monotable::model::Table as _;
use monotable_host::{
    BoxError, BoxFuture, HostSettings, OpenService, OptionValues, RunningService, Service,
    ServiceOption, TableMeta, problem_error,
};
use monotable_kit::{Principal, Zone};

use crate::api::public::announce;
use crate::app::App;
use crate::demo;
use crate::legacy::backfill;
use crate::service;
use crate::table::ThreeFc;

/// The option for the time zone of the people, and where they are unless it is given.
const ZONE: &str = "3fc-time-zone";
const ZONE_DEFAULT: &str = "Australia/Melbourne";

/// 3FC, ready to be opened.
#[derive(Clone, Debug, Default)]
pub struct ThreeFcService {
    /// The zone in which pages and e-mails show times; that of Melbourne unless set.
    zone: Option<Zone>,
}

impl Service for ThreeFcService {
    fn api(&self) -> monotable_kit::Service {
        service()
    }

    fn personal_fields(&self) -> &'static [&'static str] {
        &["User.email", "Player.nickname"]
    }

    fn table(&self) -> &'static TableMeta {
        ThreeFc::META
    }

    fn options(&self) -> Vec<ServiceOption> {
        let help = "The time zone in which pages and e-mails of 3FC show times, by its IANA name";
        vec![ServiceOption::new(ZONE, "NAME", help).default(ZONE_DEFAULT)]
    }

    fn configure(&mut self, values: &OptionValues) -> Result<(), BoxError> {
        self.zone = values.text(ZONE).map(Zone::named).transpose()?;
        Ok(())
    }

    fn open<'a>(
        &'a self,
        table_name: &'a str,
        settings: &'a HostSettings,
    ) -> BoxFuture<'a, OpenService> {
        Box::pin(async move {
            let db = settings.open_table(table_name).await?;
            let zone = self.zone.clone().map_or_else(|| Zone::named(ZONE_DEFAULT), Ok)?;
            let (randomness, blobs) = (&settings.randomness, settings.blobs_of(self.name()));
            let app = App::new(db, Arc::clone(randomness), settings.cursor_key, blobs);
            let mut app = app.zone(zone.clone());
            if let Some(mailer) = &settings.mailer {
                app = app.mailer(Arc::clone(mailer)).map_err(problem_error)?;
            }
            let host = settings.host(&app.db).zone(zone);
            let app = app.sign_in(host.sign_in.clone());
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
            let report = backfill::backfill(&self.db).await.map_err(problem_error)?;
            Ok(serde_json::to_string_pretty(&report)?)
        })
    }

    fn demo_people(&self) -> Vec<Principal> {
        demo::people()
    }

    fn demo<'a>(&'a self, url: &'a str) -> BoxFuture<'a, String> {
        Box::pin(async move {
            demo::load(self).await.map_err(problem_error)?;
            let (season, game) = (demo::SEASON, demo::LIVE_GAME);
            Ok(format!(
                "A season: {url}/seasons/{season}\n\
                 A game that is played now: {url}/games/{game}\n\
                 Its scorekeeper's page: {url}/score/{game}\n"
            ))
        })
    }
}
