//! CodeKurukshetra as a host runs it: its gateway, its keys, its table and its background work.

use std::path::Path;
use std::sync::Arc;

use monotable::model::Table as _;
use monotable_host::{
    BoxError, BoxFuture, HostSettings, OpenService, OptionValues, RunningService, Service,
    ServiceOption, problem_error,
};
use monotable_kit::{FieldKeys, Randomness as _, SystemRandomness};

use crate::app::{App, AppSettings};
use crate::gateway::{Gateway, Razorpay, Simulator};
use crate::legacy::backfill::backfill;
use crate::service;
use crate::table::CodeKurukshetra;

/// The option for the keys of encrypted fields.
const FIELD_KEYS: &str = "hackathon-field-keys";
/// The heading that the options are listed under.
const HEADING: &str = "Hackathon";

/// CodeKurukshetra, ready to be opened.
#[derive(Clone)]
pub struct CodeKurukshetraService {
    gateway: Arc<dyn Gateway>,
    field_keys: Option<FieldKeys>,
}

impl Default for CodeKurukshetraService {
    /// Lets teams pay at a simulated gateway, which charges nobody. It remembers nothing after the process has
    /// ended, so that each has ids of its own.
    fn default() -> Self {
        let simulator = Simulator::new(SystemRandomness.key()).delivering_webhooks();
        Self { gateway: Arc::new(simulator), field_keys: None }
    }
}

impl CodeKurukshetraService {
    /// Lets teams pay at this gateway.
    #[must_use]
    pub fn gateway(mut self, gateway: Arc<dyn Gateway>) -> Self {
        self.gateway = gateway;
        self
    }

    /// Encrypts fields with these keys.
    #[must_use]
    pub fn field_keys(mut self, keys: FieldKeys) -> Self {
        self.field_keys = Some(keys);
        self
    }
}

impl Service for CodeKurukshetraService {
    fn api(&self) -> monotable_kit::Service {
        service()
    }

    fn table_name(&self) -> &'static str {
        CodeKurukshetra::META.table_name
    }

    fn options(&self) -> Vec<ServiceOption> {
        let keys = ServiceOption::new(
            FIELD_KEYS,
            "FILE",
            "The file with the keys that encrypt personal data, the newest in the first line [default: a key that \
             follows from the server's own]",
        );
        let options = Razorpay::options().into_iter().chain([keys.file()]);
        options.map(|option| option.heading(HEADING)).collect()
    }

    fn configure(&mut self, values: &OptionValues) -> Result<(), BoxError> {
        if let Some(file) = values.text(FIELD_KEYS) {
            let secrets = std::fs::read(Path::new(file))
                .map_err(|error| format!("the keys in {file} can't be read: {error}"))?;
            self.field_keys = Some(FieldKeys::read(&secrets)?);
        }
        if let Some(razorpay) = Razorpay::of_options(values)? {
            self.gateway = Arc::new(razorpay);
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
            let key = settings.cursor_key;
            let field_keys = match &self.field_keys {
                Some(keys) => keys.clone(),
                None => FieldKeys::read(hex::encode(key).as_bytes())?,
            };
            let gateway = Arc::clone(&self.gateway);
            let randomness = Arc::clone(&settings.randomness);
            let url = format!("{}/{}", settings.origin, self.name());
            let mut app = App::new(db, randomness, AppSettings { key, gateway, field_keys, url });
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
        Box::pin(async { App::work(self).await.map_err(problem_error) })
    }

    fn backfill(&self) -> BoxFuture<'_, String> {
        Box::pin(async {
            let report = backfill(&self.db, &self.field_keys).await.map_err(problem_error)?;
            Ok(serde_json::to_string_pretty(&report)?)
        })
    }

    fn sweep(&self) -> BoxFuture<'_, ()> {
        Box::pin(async { App::sweep(self).await.map(drop).map_err(problem_error) })
    }
}
