//! Boxed futures.

use std::future::Future;
use std::pin::Pin;

use crate::problem::Problem;

/// A future of a result, in a box.
///
/// The body of an `async fn` is compiled in each crate that awaits it, with everything that it awaits. In a
/// box it is compiled once, where the box is made, so that what other crates call returns one.
pub type BoxFuture<'a, T, E = Problem> = Pin<Box<dyn Future<Output = Result<T, E>> + Send + 'a>>;
