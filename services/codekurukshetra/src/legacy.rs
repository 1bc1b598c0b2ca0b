//! Rows of older programs: what they lack is derived when they are read, and written by the backfill.
//!
//! `Team::registration` and `Team::held_until` read teams without a status of their registration, `Cashier::members` those that
//! do not list their members, and `EncryptedText` what is not encrypted.

pub mod backfill;
mod fill;
