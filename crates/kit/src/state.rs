//! The interface that the kit requires of a running service.

use std::any::Any;
use std::sync::Arc;

use monotable::model::time::Timestamp;

use crate::box_future::BoxFuture;
use crate::call::Request;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::route::Route;

/// The state of a running service.
pub trait State: Any + Send + Sync {
    /// Returns the time, by the clock of its table.
    fn now(&self) -> Timestamp;

    /// Checks other dependencies of the service; its records are always checked.
    fn ready(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// Refuses a request above a limit of the service's own. Called before authorization.
    ///
    /// # Errors
    /// Returns 429, such as from [`CallLimit::reached`](crate::CallLimit::reached).
    fn admit(&self, _route: &Route, _request: &Request) -> Result<(), Problem> {
        Ok(())
    }

    /// Registers metrics besides those of requests.
    fn measure(&self, _metrics: &Metrics) {}
}

/// Returns a state as its own type, if it is of that type.
pub(crate) fn state_of<S: State>(state: &Arc<dyn State>) -> Option<Arc<S>> {
    let state: Arc<dyn Any + Send + Sync> = Arc::clone(state) as _;
    state.downcast().ok()
}
