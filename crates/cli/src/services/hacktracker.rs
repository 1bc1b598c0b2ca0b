//! HackTracker behind the server's port.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Result;
use axum::Router;
use axum::response::Response;
use http::HeaderMap;
use monotable::model::Table as _;
use monotable::prelude::{Embedded, Timestamp};
use monotable_hacktracker::patterns::HackTracker as Design;
use monotable_hacktracker::{App, backfill, demo, service};
use monotable_kit::outbox::FileMailer;
use monotable_kit::{Problem, SystemRandomness};

use super::hosted::{Hosted, Promise, Running};
use super::{Setting, told};
use crate::identity::Identity;

/// Where letters are put, one file each.
const MAIL_DIRECTORY: &str = "mail";

pub(super) struct HackTracker;

impl Hosted for HackTracker {
    fn name(&self) -> &'static str {
        "hacktracker"
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
        .table_name(setting.table_name(&HackTracker))
        .environment(&setting.environment)
        .cursor_key(cursor_key);
    let store = settings.open(Embedded::new(setting.database.clone())).await?;
    let mut app = App::new(store.clone(), Arc::new(SystemRandomness)).cursor_key(cursor_key);
    if let Some(directory) = &setting.directory {
        let mailer = FileMailer::new(directory.join(MAIL_DIRECTORY));
        app = app.mailer(Arc::new(mailer)).map_err(told)?;
    }
    let app = Arc::new(app);
    let host = setting.host(store, |tokens| tokens)?;
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
        Box::pin(async { self.app.sweep().await.map(drop).map_err(told) })
    }

    fn backfill(&self) -> Promise<'_, String> {
        Box::pin(async {
            let report = backfill::backfill(&self.app.db).await?;
            Ok(serde_json::to_string_pretty(&report)?)
        })
    }

    fn demo<'a>(&'a self, identity: &'a Identity, address: SocketAddr) -> Promise<'a, String> {
        Box::pin(async move {
            demo::load(&self.app).await.map_err(told)?;
            self.greeting(identity, address)
        })
    }
}

impl Opened {
    /// How to ask the service as the people of its demo, with a token for each of them.
    fn greeting(&self, identity: &Identity, address: SocketAddr) -> Result<String> {
        let url = format!("http://{address}/hacktracker");
        let mut text = format!("HackTracker answers at {url}; read about it at {url}/docs\n");
        let Some(issuer) = identity.issuer()? else {
            text += "  its demo's people are demo-casey, demo-drew, demo-sam and demo-pat\n";
            return Ok(text);
        };
        text += "People of its demo, and their tokens for twelve hours (paste the lines into a \
                 shell):\n";
        for person in demo::people() {
            let token = issuer.token(&person, self.app.db.now());
            let name = person.id.trim_start_matches("demo-").to_uppercase();
            text += &format!("  export {name}={token}\n");
        }
        text += &format!("Ask it:\n  curl -H \"Authorization: Bearer $CASEY\" {url}/teams\n");
        Ok(text)
    }
}
