//! The traits that each service implements in its own crate.

use std::any::Any;
use std::sync::Arc;

use axum::Router;
use monotable::design::meta::TableMeta;
use monotable_kit::{Host, LocalIssuer, Principal, SignIn, State};

use crate::error::BoxError;
use crate::option::{OptionValues, ServiceOption};
use crate::settings::HostSettings;

/// A future of a service, boxed so that programs do not compile the service again.
pub type BoxFuture<'a, T> = monotable_kit::BoxFuture<'a, T, BoxError>;

/// A service that can be opened.
pub trait Service: Send + Sync {
    /// Returns its operations.
    fn api(&self) -> monotable_kit::Service;

    /// Returns its name, which is the first part of its paths.
    fn name(&self) -> &'static str {
        self.api().name
    }

    /// Returns the declaration of its table.
    fn table(&self) -> &'static TableMeta;

    /// Returns the usual name of its table, which may contain `{environment}`.
    fn table_name(&self) -> &'static str {
        self.table().table_name
    }

    /// Returns the size of the largest request body that it accepts.
    fn body_bytes_max(&self) -> usize {
        self.api().body_bytes_max()
    }

    /// Returns whether its rows have encrypted fields, so that it can't be opened without keys for them.
    fn encrypts_fields(&self) -> bool {
        false
    }

    /// Lists the fields with personal data, as `Entity.field`, or `Entity.field.member` for a part of one that need not be
    /// there. `Entity.path.to.member` is a member of a value that is one struct, with `*` for each element. Copies of its
    /// table for tests and development have other values in them.
    fn personal_fields(&self) -> &'static [&'static str] {
        &[]
    }

    /// Lists the settings that only this service has.
    fn options(&self) -> Vec<ServiceOption> {
        Vec::new()
    }

    /// Sets the values of its options. Called before anything is written, whether the service will
    /// be opened or not.
    ///
    /// # Errors
    /// Fails if the service can't run with these values. The text contains what to change.
    fn configure(&mut self, values: &OptionValues) -> Result<(), BoxError> {
        let _ = values;
        Ok(())
    }

    /// Opens its table on the host's backend, and creates it if it does not exist.
    fn open<'a>(
        &'a self,
        table_name: &'a str,
        settings: &'a HostSettings,
    ) -> BoxFuture<'a, OpenService>;
}

/// A service that was opened.
pub struct OpenService {
    /// Responds to requests; paths begin after the service's name.
    pub router: Router,
    /// Its background work and sample data.
    pub running: Arc<dyn RunningService>,
    /// Its state.
    pub state: Arc<dyn State>,
    /// Sign-in, if it is enabled.
    pub sign_in: Option<SignIn>,
}

impl OpenService {
    /// Opens a list of operations over the state of a service.
    pub fn new<A: State + RunningService>(
        api: monotable_kit::Service,
        app: Arc<A>,
        host: Host,
    ) -> Self {
        let sign_in = host.sign_in.clone();
        let router = api.router(Arc::clone(&app), host);
        Self { router, state: Arc::clone(&app) as _, running: app, sign_in }
    }
}

/// What a service does apart from responding to requests: its state implements it.
pub trait RunningService: Any + Send + Sync {
    /// Does the background work that is due. Called every second.
    fn work(&self) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    /// Publishes the current state of the topics that are followed in this process: another one may
    /// have changed them. Called every second where several processes share tables. What can't be
    /// read is published the next time.
    fn refresh(&self) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    /// Deletes data after its retention. Called every day.
    fn sweep(&self) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    /// Brings rows of older programs up to date; returns a report of what was done and what needs a
    /// decision.
    fn backfill(&self) -> BoxFuture<'_, String> {
        Box::pin(async { Ok("no rows of older programs".to_owned()) })
    }

    /// Returns the people of the sample data.
    fn demo_people(&self) -> Vec<Principal> {
        Vec::new()
    }

    /// Loads missing sample data; returns lines with examples to try at the service's URL, which
    /// ends without a slash.
    fn demo<'a>(&'a self, url: &'a str) -> BoxFuture<'a, String> {
        let _ = url;
        Box::pin(async { Ok(String::new()) })
    }
}

/// How sample data is shown.
#[derive(Clone, Copy)]
pub struct DemoSettings<'a> {
    /// The address of the services, without a slash at the end.
    pub url: &'a str,
    /// Whether everyone who can connect may sign in as a demo user.
    pub offers_people: bool,
    /// Signs tokens for the demo users, if this process can.
    pub issuer: Option<&'a LocalIssuer>,
}
