//! btl.run behind the server's port.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Result;
use axum::Router;
use monotable::model::Table as _;
use monotable::prelude::Embedded;
use monotable_btl_run::commands::repair::backfill;
use monotable_btl_run::patterns::BtlRun as Design;
use monotable_btl_run::tokens::MatchTokens;
use monotable_btl_run::{App, demo, service};
use monotable_kit::{StandardError, SystemRandomness};

use super::hosted::{BoxFuture, Hosted, Running};
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

    fn open<'a>(&'a self, setting: &'a Setting) -> BoxFuture<'a, Arc<dyn Running>> {
        Box::pin(async { Ok(Arc::new(opened(setting).await?) as Arc<dyn Running>) })
    }
}

async fn opened(setting: &Setting) -> Result<Opened> {
    let cursor_key = setting.cursor_key()?;
    let settings =
        Design::settings().table_name(setting.table_name(&BtlRun)).cursor_key(cursor_key);
    let store = settings.open(Embedded::new(setting.database.clone())).await?;
    let app = App::new(store.clone(), Arc::new(SystemRandomness));
    let mut app =
        app.cursor_key(cursor_key).narrates_at_once().tokens_max(setting.narration.tokens_max);
    if let Some(narrator) = &setting.narration.narrator {
        app = app.narrator(Arc::clone(narrator));
    }
    if setting.has_log {
        app = app.log(Arc::new(StandardError));
    }
    let app = Arc::new(app);
    let host = setting.host(app.records(), |users| MatchTokens::before(store, users))?;
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

    fn work(&self) -> BoxFuture<'_, ()> {
        Box::pin(async { self.app.work().await.map(drop).map_err(told) })
    }

    fn sweep(&self) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn backfill(&self) -> BoxFuture<'_, String> {
        Box::pin(async {
            let report = backfill(&self.app).await.map_err(told)?;
            Ok(serde_json::to_string_pretty(&report)?)
        })
    }

    fn demo<'a>(&'a self, _identity: &'a Identity, address: SocketAddr) -> BoxFuture<'a, String> {
        Box::pin(async move {
            let played = demo::load(&self.app).await.map_err(told)?;
            let url = format!("http://{address}/btl-run");
            Ok(format!(
                "btl.run and its documentation: {url}/docs\n\
                 A match that was played: {url}/match/{played}\n"
            ))
        })
    }
}
