//! Typed writes: every operation alone, in transactions, in races and after random histories.

mod batch;
mod conditions;
mod create;
mod defaults;
mod delete;
mod duplicates;
mod edit;
mod expiry;
mod fixture;
mod handles;
mod histories;
mod incarnations;
mod keys;
mod limits;
mod put;
mod races;
mod rekey;
mod retries;
pub(crate) mod scripted;
mod shared;
mod transact;
mod transfers;
mod unordered;
mod unreadable;
mod update;
mod verify;
mod when;
