//! What the kit asks of a service that runs.

use std::future::Future;
use std::pin::Pin;

use monotable::model::time::Timestamp;

use crate::metrics::Metrics;
use crate::problem::Problem;

/// What a service knows while it runs.
pub trait State: Send + Sync + 'static {
    /// The time, by the clock of its table.
    fn now(&self) -> Timestamp;

    /// Asks whatever else the service can't work without; its records are asked anyway.
    fn ready(&self) -> Pin<Box<dyn Future<Output = Result<(), Problem>> + Send + '_>> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// Tells what it counts besides requests.
    fn measure(&self, _metrics: &Metrics) {}
}
