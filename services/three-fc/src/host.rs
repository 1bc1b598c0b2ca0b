//! 3FC as a host runs it: its table, its background work and its backfill.

use std::sync::Arc;

use monotable::model::Table as _;
use monotable_host::{
    BoxFuture, HostSettings, OpenService, RunningService, Service, problem_error,
};

use monotable_kit::Principal;

use crate::app::App;
use crate::demo;
use crate::legacy::backfill;
use crate::service;
use crate::table::ThreeFc;

/// 3FC, ready to be opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreeFcService;

impl Service for ThreeFcService {
    fn api(&self) -> monotable_kit::Service {
        service()
    }

    fn table_name(&self) -> &'static str {
        ThreeFc::META.table_name
    }

    fn open<'a>(
        &'a self,
        table_name: &'a str,
        settings: &'a HostSettings,
    ) -> BoxFuture<'a, OpenService> {
        Box::pin(async move {
            let db = settings.open_table(table_name).await?;
            let mut app = App::new(db, Arc::clone(&settings.randomness), settings.cursor_key);
            if let Some(mailer) = &settings.mailer {
                app = app.mailer(Arc::clone(mailer)).map_err(problem_error)?;
            }
            let host = settings.host(&app.db);
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
