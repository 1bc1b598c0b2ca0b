//! CodeKurukshetra as a host runs it: its gateway, its keys, its table and its background work.

use std::sync::Arc;

use monotable::model::Table as _;
use monotable_host::{
    BoxError, BoxFuture, HostSettings, OpenService, OptionValues, RunningService, Service,
    ServiceOption, TableMeta, problem_error,
};
use monotable_kit::payment_gateway::{Gateway, Simulator};
use monotable_kit::{Principal, Randomness as _, SystemRandomness};

use crate::api::admin::counts;
use crate::api::checkin;
use crate::app::{App, AppSettings};
use crate::legacy::backfill::backfill;
use crate::rules::settings;
use crate::table::{CodeKurukshetra, CodeKurukshetraReads as _, Config};
use crate::{demo, razorpay, service};

/// The option for the settings of the event.
const CONFIG: &str = "hackathon-config";
/// The heading that the options are listed under.
const HEADING: &str = "Hackathon";

/// CodeKurukshetra, ready to be opened.
#[derive(Clone)]
pub struct CodeKurukshetraService {
    gateway: Arc<dyn Gateway>,
    config: Option<Config>,
}

impl Default for CodeKurukshetraService {
    /// Lets teams pay at a simulated gateway, which charges nobody. It remembers nothing after the process has
    /// ended, so that each has ids of its own.
    fn default() -> Self {
        let simulator = Simulator::new(SystemRandomness.key()).delivering_webhooks();
        Self { gateway: Arc::new(simulator), config: None }
    }
}

impl CodeKurukshetraService {
    /// Lets teams pay at this gateway.
    #[must_use]
    pub fn gateway(mut self, gateway: Arc<dyn Gateway>) -> Self {
        self.gateway = gateway;
        self
    }
}

impl Service for CodeKurukshetraService {
    fn api(&self) -> monotable_kit::Service {
        service()
    }

    fn personal_fields(&self) -> &'static [&'static str] {
        &[
            "Participant.first_name",
            "Participant.last_name",
            "Participant.email",
            "Participant.phone",
            "Participant.github_username",
            "Participant.linkedin",
            "EmailGuard.email",
            "Invite.email",
            "Payment.metadata.user_agent",
            "Payment.metadata.ip_address",
            "Config.contact_email",
        ]
    }

    fn table(&self) -> &'static TableMeta {
        CodeKurukshetra::META
    }

    fn options(&self) -> Vec<ServiceOption> {
        let config = ServiceOption::new(
            CONFIG,
            "FILE",
            "A file with the settings of the event, as JSON; they are written if there are none yet",
        );
        let options = [config.file()].into_iter().chain(razorpay::options());
        options.map(|option| option.heading(HEADING)).collect()
    }

    fn encrypts_fields(&self) -> bool {
        true
    }

    fn configure(&mut self, values: &OptionValues) -> Result<(), BoxError> {
        if let Some(account) = razorpay::of_options(values)? {
            self.gateway = Arc::new(account);
        }
        if let Some(file) = values.text(CONFIG) {
            self.config = Some(read_config(file)?);
        }
        Ok(())
    }

    fn open<'a>(
        &'a self,
        table_name: &'a str,
        settings: &'a HostSettings,
    ) -> BoxFuture<'a, OpenService> {
        Box::pin(async move {
            // Until the backfill, expiries of older programs do not count.
            let db = settings.open_older_table(table_name).await?;
            if let Some(config) = &self.config
                && db.config().await?.is_none()
            {
                db.create(config).await?;
            }
            let key = settings.cursor_key;
            let field_keys = settings.field_keys()?;
            let gateway = Arc::clone(&self.gateway);
            let randomness = Arc::clone(&settings.randomness);
            let url = format!("{}/{}", settings.origin, self.name());
            let mut app = App::new(db, randomness, AppSettings { key, gateway, field_keys, url });
            if let Some(mailer) = &settings.mailer {
                app = app.mailer(Arc::clone(mailer)).map_err(problem_error)?;
            }
            let host = settings.host(&app.db);
            Ok(OpenService::new(service(), Arc::new(app), host))
        })
    }
}

/// Reads the settings of the event from a file, which has the attributes of the row in the table.
fn read_config(file: &str) -> Result<Config, BoxError> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let config: Config = serde_json::from_str(&text).map_err(|error| format!("{file}: {error}"))?;
    let wrong: Vec<String> = settings::problems(&config)
        .into_iter()
        .map(|problem| format!("{} {}", problem.field, problem.message))
        .collect();
    if wrong.is_empty() { Ok(config) } else { Err(format!("{file}: {}", wrong.join("; ")).into()) }
}

impl RunningService for App {
    fn work(&self) -> BoxFuture<'_, ()> {
        Box::pin(async { App::work(self).await.map_err(problem_error) })
    }

    fn backfill(&self) -> BoxFuture<'_, String> {
        Box::pin(async {
            let report = backfill(&self.db, &self.field_keys).await.map_err(problem_error)?;
            Ok(serde_json::to_string_pretty(&report)?)
        })
    }

    fn refresh(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            for topic in self.events.followed() {
                match topic.as_str() {
                    counts::TOPIC => counts::announce(self).await,
                    checkin::DESK => checkin::announce(self).await,
                    _ => {}
                }
            }
            Ok(())
        })
    }

    fn sweep(&self) -> BoxFuture<'_, ()> {
        Box::pin(async { App::sweep(self).await.map(drop).map_err(problem_error) })
    }

    fn demo_people(&self) -> Vec<Principal> {
        demo::people()
    }

    fn demo<'a>(&'a self, url: &'a str) -> BoxFuture<'a, String> {
        Box::pin(async move {
            demo::load(self).await.map_err(problem_error)?;
            Ok(format!(
                "An event that is open: {url}/event\n\
                 The organisers' board: {url}/organise\n"
            ))
        })
    }
}
