//! Properties of the public types, checked against independent implementations.
#![expect(clippy::panic, clippy::unwrap_used, reason = "that is how a test fails")]

mod fixed_point;
mod number;
mod set;
