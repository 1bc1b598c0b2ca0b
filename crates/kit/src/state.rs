//! What the kit asks of a service that runs.

use std::any::Any;
use std::sync::Arc;

use monotable::model::time::Timestamp;

use crate::box_future::BoxFuture;
use crate::call::Request;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::route::Route;

/// What a service knows while it runs.
pub trait State: Any + Send + Sync {
    /// The time, by the clock of its table.
    fn now(&self) -> Timestamp;

    /// Asks whatever else the service can't work without; its records are asked anyway.
    fn ready(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// Refuses a request that is one too many for a limit of the service's own. It is asked before authorization.
    ///
    /// # Errors
    /// 429, such as [`CallLimit::reached`](crate::CallLimit::reached) makes it.
    fn admit(&self, _route: &Route, _request: &Request) -> Result<(), Problem> {
        Ok(())
    }

    /// Tells what it counts besides requests.
    fn measure(&self, _metrics: &Metrics) {}
}

/// A state as its own type, if it is of that type.
pub(crate) fn state_of<S: State>(state: &Arc<dyn State>) -> Option<Arc<S>> {
    let state: Arc<dyn Any + Send + Sync> = Arc::clone(state) as _;
    state.downcast().ok()
}
