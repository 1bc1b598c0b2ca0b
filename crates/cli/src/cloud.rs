//! The connection to Amazon DynamoDB, or to what has its API.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, Region};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::SharedHttpClient;
use aws_sdk_dynamodb::error::DisplayErrorContext;
use aws_smithy_http_client::Builder as HttpBuilder;
use aws_smithy_http_client::tls::Provider;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use monotable::model::backend::Backend;
use monotable::prelude::Dynamo;
use tokio::runtime::{Builder, Runtime};

/// How long one attempt of a request may take. The SDK waits for an answer as long as the connection lives
/// unless it is set.
const ATTEMPT_TIME_MAX: Duration = Duration::from_secs(5);
/// How long a request may take with all its repeats; then callers get status 503.
const REQUEST_TIME_MAX: Duration = Duration::from_secs(12);

/// A connection to DynamoDB. Its requests are sent from a runtime of its own, because each thread of the server has
/// another, and all of them share the connections.
pub(crate) struct Connection {
    runtime: Runtime,
    client: Client,
    region: String,
}

/// Returns that this program can connect.
pub(crate) fn check() -> Result<()> {
    Ok(())
}

impl Connection {
    /// Prepares a connection with credentials, region and retries as AWS's tools find them: in the environment, in
    /// the profile, from the container or the instance. Nothing is sent to DynamoDB yet.
    pub(crate) fn open(endpoint_url: Option<&str>, region: Option<&str>) -> Result<Self> {
        let runtime =
            Builder::new_multi_thread().thread_name("monotable-cloud").enable_all().build()?;
        let mut loader = aws_config::defaults(BehaviorVersion::latest()).http_client(http_client());
        if let Some(region) = region {
            loader = loader.region(Region::new(region.to_owned()));
        }
        let shared = runtime.block_on(loader.load());
        let region = shared.region().map(ToString::to_string);
        let region = region.context(
            "no region of DynamoDB is configured; add --region, or set AWS_REGION or the region of the profile",
        )?;
        let times = TimeoutConfig::builder()
            .operation_attempt_timeout(ATTEMPT_TIME_MAX)
            .operation_timeout(REQUEST_TIME_MAX)
            .build();
        let mut config = aws_sdk_dynamodb::config::Builder::from(&shared).timeout_config(times);
        config.set_endpoint_url(
            endpoint_url.map(str::to_owned).or_else(|| shared.endpoint_url().map(str::to_owned)),
        );
        let client = Client::from_conf(config.build());
        Ok(Self { runtime, client, region })
    }

    /// Returns the region of the tables.
    pub(crate) fn region(&self) -> &str {
        &self.region
    }

    /// Lists the names of all tables.
    ///
    /// # Errors
    /// What DynamoDB reports.
    pub(crate) fn tables(&self) -> Result<Vec<String>> {
        let mut pages = self.client.list_tables().into_paginator().items().send();
        self.runtime.block_on(async {
            let mut names = Vec::new();
            while let Some(name) = pages.next().await {
                names.push(name.map_err(|error| anyhow!("{}", DisplayErrorContext(error)))?);
            }
            Ok(names)
        })
    }

    /// Returns the store with its tables.
    pub(crate) fn backend(&self) -> Arc<dyn Backend> {
        Arc::new(Dynamo::new(self.client.clone()).runtime(self.runtime.handle().clone()))
    }
}

/// Returns an HTTP client with the server's TLS.
fn http_client() -> SharedHttpClient {
    HttpBuilder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https()
}
