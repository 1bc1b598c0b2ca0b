//! Boxed futures.

use std::future::Future;
use std::pin::Pin;

use crate::problem::Problem;

/// A boxed future of a result.
///
/// The body of an `async fn` is compiled in each crate that awaits it, with everything that it
/// awaits. A boxed future is compiled once, where it is created, so functions that other crates
/// call return one.
pub type BoxFuture<'a, T, E = Problem> = Pin<Box<dyn Future<Output = Result<T, E>> + Send + 'a>>;
