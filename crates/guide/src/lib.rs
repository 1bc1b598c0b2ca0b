//! The pages of `docs/guide`, for the compiler: every Rust snippet in them is a test.
//!
//! The pages hide nothing from their readers. What a snippet needs around it to run is added by the build
//! script: one without a `main` becomes the body of the `main` that `docs/guide/league.md` shows.

#[cfg(doctest)]
include!(concat!(env!("OUT_DIR"), "/pages.rs"));
