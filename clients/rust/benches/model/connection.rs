//! The SDK's client of an endpoint, for callers without a runtime of their own.

use std::sync::Arc;

use aws_sdk_dynamodb::config::{
    BehaviorVersion, Credentials, Region, StalledStreamProtectionConfig,
};
use aws_sdk_dynamodb::{Client, Config};
use aws_smithy_http_client::Builder;
use monotable_bench::Result;
use tokio::runtime::Runtime;

/// A client and the runtime that its connections live on. Clones share both.
#[derive(Clone)]
pub(crate) struct Connection {
    pub(crate) client: Client,
    runtime: Arc<Runtime>,
}

impl Connection {
    pub(crate) fn new(url: &str) -> Result<Self> {
        let config = Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .endpoint_url(url)
            .region(Region::new("us-east-1"))
            .credentials_provider(Credentials::new("BENCH", "bench", None, None, "fixed"))
            .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
            .http_client(Builder::new().build_http())
            .build();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        Ok(Self { client: Client::from_conf(config), runtime: Arc::new(runtime) })
    }

    /// Waits for a future in this thread.
    pub(crate) fn wait<F: IntoFuture>(&self, future: F) -> F::Output {
        self.runtime.block_on(future.into_future())
    }

    /// Deletes a table that an earlier load has left.
    pub(crate) fn delete_table(&self, name: &str) -> Result<()> {
        let deleted = self.wait(self.client.delete_table().table_name(name).send());
        match deleted.map_err(|error| error.into_service_error()) {
            Ok(_) => Ok(()),
            Err(error) if error.is_resource_not_found_exception() => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
