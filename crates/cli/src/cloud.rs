//! The connection to Amazon DynamoDB, or to another service with its API.

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

/// The longest time for one attempt of a request. By default the SDK waits for a response as long
/// as the connection lives.
const ATTEMPT_TIME_MAX: Duration = Duration::from_secs(5);
/// The longest time for a request with all its retries; then callers get status 503.
const REQUEST_TIME_MAX: Duration = Duration::from_secs(12);

/// A connection to DynamoDB. Its requests are sent from a separate runtime, because each thread of
/// the server has its own, and all of them share the connections.
pub(crate) struct Connection {
    runtime: Runtime,
    client: Client,
    region: String,
}

/// Checks that this program can connect.
pub(crate) fn check() -> Result<()> {
    Ok(())
}

impl Connection {
    /// Prepares a connection with credentials, region and retries from the sources of AWS's tools:
    /// the environment, the profile, the container or the instance. Nothing is sent to DynamoDB
    /// yet.
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
    /// Returns the errors of DynamoDB.
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
