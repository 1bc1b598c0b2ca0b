//! The modelling layer from outside.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod backends;
