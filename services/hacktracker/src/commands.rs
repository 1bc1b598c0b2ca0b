//! What can be done: one function a route, which authorizes, decides and commits one transaction.

mod counts;
pub(crate) mod erasure;
pub(crate) mod everything;
pub(crate) mod export;
pub(crate) mod fields;
pub(crate) mod invites;
pub(crate) mod links;
pub(crate) mod members;
mod paging;
pub(crate) mod players;
pub(crate) mod purge;
pub(crate) mod scope;
pub(crate) mod shares;
pub(crate) mod statistics;
pub(crate) mod teams;
pub(crate) mod users;
