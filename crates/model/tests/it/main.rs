//! The modelling layer from outside.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, unreachable_pub)]

// The macros name the library as programs do.
extern crate monotable_model as monotable;

mod backends;
mod backfill;
mod league;
mod reads;
mod rows;
mod stamps;
mod writes;
