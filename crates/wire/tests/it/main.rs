//! The integration tests of the protocol, one binary with a module a topic.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "that is how a test fails"
)]

mod arns;
mod backups;
mod batches;
mod compatibility;
mod constraints;
mod expiry_and_tags;
mod fixture;
mod items;
mod legacy;
mod memory;
mod mixing;
mod mutations;
mod pages;
mod partiql;
mod past_exports;
mod permissions;
mod phantom_items;
mod placeholders;
mod policies;
mod precedence;
mod recovery;
mod serialization;
mod signatures;
mod streams;
mod tables;
mod tables_refused;
mod templates;
mod transactions;
mod transfers;
mod unsupported;
mod values;
