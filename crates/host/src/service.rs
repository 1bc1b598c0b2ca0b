//! The traits that each service implements in its own crate.

use std::any::Any;
use std::sync::Arc;

use axum::Router;
use monotable_kit::LocalIssuer;

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

    /// Returns the usual name of its table, which may contain `{environment}`.
    fn table_name(&self) -> &'static str;

    /// Returns the size of the largest request body that it accepts.
    fn body_bytes_max(&self) -> usize {
        self.api().body_bytes_max()
    }

    /// Lists the settings that only this service has.
    fn options(&self) -> Vec<ServiceOption> {
        Vec::new()
    }

    /// Takes the values of its options. Called before anything is written, whether the service will be
    /// opened or not.
    ///
    /// # Errors
    /// If the service can't run with these values. The text says what to change.
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
    /// What else it does.
    pub running: Arc<dyn RunningService>,
}

/// What a service does apart from responding to requests: its state implements it.
pub trait RunningService: Any + Send + Sync {
    /// Does the background work that is due. Called every second.
    fn work(&self) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    /// Deletes what is kept no longer. Called every day.
    fn sweep(&self) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    /// Brings rows of older programs up to date; returns a report of what was done and what needs a
    /// decision.
    fn backfill(&self) -> BoxFuture<'_, String> {
        Box::pin(async { Ok("no rows of older programs".to_owned()) })
    }

    /// Loads the sample data that is missing; returns lines that show how to use the service.
    fn demo<'a>(&'a self, settings: DemoSettings<'a>) -> BoxFuture<'a, String> {
        Box::pin(async move { Ok(format!("Documentation: {}/docs\n", settings.url)) })
    }
}

/// What the sample data of a service can refer to.
#[derive(Clone, Copy)]
pub struct DemoSettings<'a> {
    /// The address of the service, without a slash at the end.
    pub url: &'a str,
    /// Signs tokens for the demo users, if this process can.
    pub issuer: Option<&'a LocalIssuer>,
}
