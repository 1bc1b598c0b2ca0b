//! What can be done: one function a route, which authorizes, decides and commits one transaction.

pub(crate) mod at_bats;
pub(crate) mod availability;
mod counts;
pub(crate) mod delete_game;
pub(crate) mod erasure;
mod everything;
pub(crate) mod export;
mod fields;
pub(crate) mod games;
pub(crate) mod invites;
pub(crate) mod links;
pub(crate) mod members;
mod paging;
pub(crate) mod players;
pub(crate) mod purge;
pub(crate) mod scope;
pub(crate) mod shares;
mod sorted;
pub(crate) mod statistics;
pub(crate) mod teams;
pub(crate) mod transitions;
pub(crate) mod users;
