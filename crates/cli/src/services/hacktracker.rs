//! HackTracker behind the server's port.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Result;
use axum::Router;
use clap::Args;
use monotable::model::Table as _;
use monotable::prelude::Embedded;
use monotable_hacktracker::patterns::HackTracker as Design;
use monotable_hacktracker::{App, backfill, demo, service};
use monotable_kit::SystemRandomness;
use monotable_kit::outbox::FileMailer;

use super::hosted::{BoxFuture, Hosted, Running};
use super::{Setting, told};
use crate::identity::Identity;

/// What can be said about HackTracker on the command line.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Services")]
pub(crate) struct HackTrackerArguments {
    /// Spread HackTracker's lists of all users, teams and games over this many index partitions; the
    /// number must never become smaller
    #[arg(
        long = "hacktracker-list-shards",
        value_name = "NUMBER",
        default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=64)
    )]
    list_shards: u16,
}

impl Default for HackTrackerArguments {
    fn default() -> Self {
        Self { list_shards: 1 }
    }
}

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

    fn open<'a>(&'a self, setting: &'a Setting) -> BoxFuture<'a, Arc<dyn Running>> {
        Box::pin(async { Ok(Arc::new(opened(setting).await?) as Arc<dyn Running>) })
    }
}

async fn opened(setting: &Setting) -> Result<Opened> {
    let cursor_key = setting.cursor_key()?;
    let settings =
        Design::settings().table_name(setting.table_name(&HackTracker)).cursor_key(cursor_key);
    let store = settings.open(Embedded::new(setting.database.clone())).await?;
    let mut app = App::new(store, Arc::new(SystemRandomness))
        .cursor_key(cursor_key)
        .secrets_key(&cursor_key)
        .list_shards(setting.hacktracker.list_shards);
    if let Some(directory) = &setting.directory {
        let mailer = FileMailer::new(directory.join(MAIL_DIRECTORY));
        app = app.mailer(Arc::new(mailer)).map_err(told)?;
    }
    let app = Arc::new(app);
    let host = setting.host(app.records(), |tokens| tokens)?;
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
        Box::pin(async { self.app.sweep().await.map(drop).map_err(told) })
    }

    fn backfill(&self) -> BoxFuture<'_, String> {
        Box::pin(async {
            let report = backfill::backfill(&self.app.db).await?;
            Ok(serde_json::to_string_pretty(&report)?)
        })
    }

    fn demo<'a>(&'a self, identity: &'a Identity, address: SocketAddr) -> BoxFuture<'a, String> {
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
        let mut text = format!("HackTracker and its documentation: {url}/docs\n");
        let Some(issuer) = identity.issuer() else {
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
