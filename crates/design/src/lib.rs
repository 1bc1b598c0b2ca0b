//! The design of a single table as data: entities, key templates, indexes and access patterns.
//!
//! The modelling macros turn declarations into the constants of [`meta`]; the rules of [`check`]
//! read them, in a `const` evaluation at compile time and again at run time for a list of findings.
//! Nothing here knows storage, requests or a specific backend.

pub mod check;
pub mod diff;
mod document;
pub mod ir;
pub mod meta;
pub mod part;
pub mod rules;
pub mod rust_type;
pub mod stamp;
pub mod template;
mod text;

#[cfg(test)]
mod fixtures;

pub use ir::{Design, DesignError};
