//! The function of a route, without the type of the service's state.
//!
//! Everything that a request passes is compiled once, here, and not again for every service: a
//! service's crate has one small function for each route, which gets its own state and boxes the
//! route's future.

use std::any::TypeId;
use std::future::Future;
use std::sync::Arc;

use crate::box_future::BoxFuture;
use crate::call::Request;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::state::{State, state_of};

/// A function over the state of a service of any type.
type Run = dyn Fn(&Arc<dyn State>, Request) -> BoxFuture<'static, Reply> + Send + Sync;

/// The function of a route.
#[derive(Clone)]
pub struct Handler {
    /// The type of the state; `None` if the function accepts every state.
    state_type: Option<TypeId>,
    run: Arc<Run>,
}

impl Handler {
    /// Creates a handler over the state of one service.
    pub(crate) fn new<S, F, R>(handler: F) -> Self
    where
        S: State,
        F: Fn(Arc<S>, Request) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Reply, Problem>> + Send + 'static,
    {
        let run = move |state: &Arc<dyn State>, call| match state_of(state) {
            Some(state) => Box::pin(handler(state, call)) as BoxFuture<'static, Reply>,
            None => misplaced(),
        };
        Self { state_type: Some(TypeId::of::<S>()), run: Arc::new(run) }
    }

    /// Creates a handler over the state of any service.
    pub(crate) fn of_every_service<R>(
        handler: impl Fn(&Arc<dyn State>, Request) -> R + Send + Sync + 'static,
    ) -> Self
    where
        R: Future<Output = Result<Reply, Problem>> + Send + 'static,
    {
        Self {
            state_type: None,
            run: Arc::new(move |state, request| Box::pin(handler(state, request))),
        }
    }

    /// Returns whether the handler accepts this state.
    pub(crate) fn takes(&self, state: &dyn State) -> bool {
        self.state_type.is_none_or(|wanted| wanted == state.type_id())
    }

    /// Starts the function.
    pub(crate) fn run(&self, state: &Arc<dyn State>, call: Request) -> BoxFuture<'static, Reply> {
        (self.run)(state, call)
    }
}

/// Returns the response of a route that was given the state of another service. No router has such
/// a route.
fn misplaced() -> BoxFuture<'static, Reply> {
    Box::pin(std::future::ready(Err(Problem::internal("the route is another service's"))))
}

#[cfg(test)]
mod tests {
    use monotable::model::time::Timestamp;

    use super::*;

    struct One;
    struct Two;

    impl State for One {
        fn now(&self) -> Timestamp {
            Timestamp::default()
        }
    }

    impl State for Two {
        fn now(&self) -> Timestamp {
            Timestamp::default()
        }
    }

    #[tokio::test]
    async fn a_handler_works_on_its_own_state_alone() {
        let handler = Handler::new(async |_: Arc<One>, _: Request| Ok(Reply::no_content()));
        let (one, two): (Arc<dyn State>, Arc<dyn State>) = (Arc::new(One), Arc::new(Two));
        assert!(handler.takes(&*one));
        assert!(!handler.takes(&*two));
        assert_eq!(handler.run(&one, Request::default()).await.unwrap().status, 204);
        assert_eq!(handler.run(&two, Request::default()).await.err().unwrap().status(), 500);
    }

    #[tokio::test]
    async fn a_handler_of_every_service_works_on_every_state() {
        let handler = Handler::of_every_service(|_, _| async { Ok(Reply::no_content()) });
        let two: Arc<dyn State> = Arc::new(Two);
        assert!(handler.takes(&*two));
        assert_eq!(handler.run(&two, Request::default()).await.unwrap().status, 204);
    }
}
