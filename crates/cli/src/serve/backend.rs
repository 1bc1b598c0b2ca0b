//! `monotable serve`: the location of the services' tables.

use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};
use monotable::model::Error as ModelError;
use monotable::model::backend::Backend;
use monotable::prelude::Embedded;
use monotable_engine::{Database, Faults};
use monotable_host::{Error as HostError, MissingTables, Service};

use super::storage::StorageArguments;
use crate::cloud::{self, Connection};
use crate::targets;

#[derive(Args)]
#[command(next_help_heading = "Storage")]
pub(crate) struct BackendArguments {
    /// The store of the services' tables. With another backend than the embedded one the server has
    /// no database of its own, serves only the services, and stores only secrets and undelivered
    /// e-mails in --data
    #[arg(long, value_enum, value_name = "NAME", default_value_t = BackendName::Embedded)]
    backend: BackendName,
    /// The endpoint of --backend dynamodb [default: that of the environment, the profile or the region]
    #[arg(long, value_name = "URL", value_parser = endpoint_url)]
    endpoint_url: Option<String>,
    /// Create missing tables of the services at --backend dynamodb
    #[arg(long)]
    create_tables: bool,
}

/// The backends of services.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BackendName {
    /// The database of this server
    Embedded,
    /// Amazon DynamoDB, or another service with its API
    Dynamodb,
    /// ScyllaDB Alternator, which lacks features that the services need: the error lists them
    Alternator,
}

/// The store of a running server.
pub(crate) struct OpenBackend {
    /// The database of this server, if it has one.
    pub(crate) database: Option<Database>,
    /// The store of the services' tables.
    pub(crate) backend: Arc<dyn Backend>,
    pub(crate) tables_missing: MissingTables,
    /// The location of the tables, for the banner.
    pub(crate) shown: Option<String>,
    /// Sends requests to another store.
    _connection: Option<Connection>,
}

impl BackendArguments {
    /// Returns whether the server has no database of its own.
    pub(crate) fn is_remote(&self) -> bool {
        self.backend != BackendName::Embedded
    }

    /// Refuses flags that can't work with the services.
    ///
    /// # Errors
    /// Fails for a flag that needs another backend, no service, or a backend that lacks features.
    pub(crate) fn check(&self, services: &[Box<dyn Service>]) -> Result<()> {
        if !self.is_remote() {
            let flag = match (&self.endpoint_url, self.create_tables) {
                (Some(_), _) => "--endpoint-url",
                (None, true) => "--create-tables",
                (None, false) => return Ok(()),
            };
            bail!("{flag} has no effect on the embedded database; add --backend dynamodb");
        }
        if services.is_empty() {
            bail!(
                "--backend is for the tables of services, and none is opened; add --services all, or a \
                 service's name"
            );
        }
        if self.backend == BackendName::Alternator {
            bail!("{}", targets::alternator_refusal(services));
        }
        cloud::check()
    }

    /// Opens the embedded database, or connects to the other store.
    pub(crate) fn open(
        &self,
        storage: &StorageArguments,
        faults: Faults,
        keeps_history: bool,
    ) -> Result<OpenBackend> {
        if !self.is_remote() {
            let database = storage.open(faults, keeps_history)?;
            return Ok(OpenBackend {
                backend: Arc::new(Embedded::new(database.clone())),
                database: Some(database),
                tables_missing: MissingTables::Create,
                shown: None,
                _connection: None,
            });
        }
        if let Some(directory) = storage.directory() {
            std::fs::create_dir_all(directory)
                .with_context(|| format!("{} can't be created", directory.display()))?;
        }
        let connection = Connection::open(self.endpoint_url.as_deref(), storage.region_given())?;
        let tables_missing =
            if self.create_tables { MissingTables::Create } else { MissingTables::Refuse };
        let shown = match &self.endpoint_url {
            Some(url) => format!("DynamoDB at {url}, region {}", connection.region()),
            None => format!("DynamoDB, region {}", connection.region()),
        };
        Ok(OpenBackend {
            database: None,
            backend: connection.backend(),
            tables_missing,
            shown: Some(shown),
            _connection: Some(connection),
        })
    }
}

impl OpenBackend {
    /// Explains why services can't be opened.
    pub(crate) fn explain(&self, error: HostError) -> anyhow::Error {
        // Services only report that the storage failed.
        if let Some(failure) = self.database.as_ref().and_then(|it| it.accepts_writes().err()) {
            return failure.into();
        }
        let is_missing = match &error {
            HostError::Open { source, .. } => {
                source.downcast_ref().is_some_and(ModelError::is_missing_table)
            }
            _ => false,
        };
        if is_missing {
            return anyhow::Error::from(error)
                .context("a table is missing; add --create-tables to create it");
        }
        error.into()
    }
}

fn endpoint_url(text: &str) -> Result<String, String> {
    if ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme)) {
        Ok(text.to_owned())
    } else {
        Err("give an address that begins with http:// or https://".to_owned())
    }
}
