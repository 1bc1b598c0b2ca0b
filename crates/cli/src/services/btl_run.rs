//! btl.run behind the server's port.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Result;
use axum::Router;
use axum::response::Response;
use http::HeaderMap;
use monotable::model::Table as _;
use monotable::prelude::{Embedded, Timestamp};
use monotable_btl_run::commands::repair::backfill;
use monotable_btl_run::patterns::BtlRun as Design;
use monotable_btl_run::tokens::MatchTokens;
use monotable_btl_run::{App, demo, service};
use monotable_kit::{Problem, SystemRandomness};

use super::hosted::{Hosted, Promise, Running};
use super::{Setting, told};
use crate::identity::Identity;

pub(super) struct BtlRun;

impl Hosted for BtlRun {
    fn name(&self) -> &'static str {
        "btl-run"
    }

    fn table_name(&self) -> &'static str {
        Design::META.table_name
    }

    fn body_bytes_max(&self) -> usize {
        service().body_bytes_max()
    }

    fn open<'a>(&'a self, setting: &'a Setting) -> Promise<'a, Box<dyn Running>> {
        Box::pin(async { Ok(Box::new(opened(setting).await?) as Box<dyn Running>) })
    }

    fn refuse(&self, headers: &HeaderMap, problem: &Problem, now: Timestamp) -> Response {
        service().refuse(headers, problem, now)
    }
}

async fn opened(setting: &Setting) -> Result<Opened> {
    let cursor_key = setting.cursor_key()?;
    let settings = Design::settings()
        .table_name(setting.table_name(&BtlRun))
        .environment(&setting.environment)
        .cursor_key(cursor_key);
    let store = settings.open(Embedded::new(setting.database.clone())).await?;
    let app = App::new(store.clone(), Arc::new(SystemRandomness));
    let mut app = app.cursor_key(cursor_key).narrates_at_once();
    if let Some(narrator) = &setting.narrator {
        app = app.narrator(Arc::clone(narrator));
    }
    let app = Arc::new(app);
    let host = setting.host(store.clone(), |users| MatchTokens::before(store, users))?;
    Ok(Opened { router: service().router(Arc::clone(&app), host), app })
}

struct Opened {
    app: Arc<App>,
    router: Router,
}

impl Running for Opened {
    fn router(&self) -> Router {
        self.router.clone()
    }

    fn work(&self) -> Promise<'_, ()> {
        Box::pin(async { self.app.work().await.map(drop).map_err(told) })
    }

    fn sweep(&self) -> Promise<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn backfill(&self) -> Promise<'_, String> {
        Box::pin(async {
            let report = backfill(&self.app).await.map_err(told)?;
            Ok(serde_json::to_string_pretty(&report)?)
        })
    }

    fn demo<'a>(&'a self, _identity: &'a Identity, address: SocketAddr) -> Promise<'a, String> {
        Box::pin(async move {
            let played = demo::load(&self.app).await.map_err(told)?;
            let url = format!("http://{address}/btl-run");
            Ok(format!(
                "btl.run answers at {url}; read about it at {url}/docs\n\
                 A match that was played: {url}/match/{played}\n"
            ))
        })
    }
}
