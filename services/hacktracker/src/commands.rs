//! What can be done: one function a route, which authorizes, decides and commits one transaction.

pub(crate) mod at_bats;
mod fields;
pub(crate) mod games;
mod paging;
mod receipt;
pub(crate) mod scope;
mod sorted;
pub mod teams;
pub(crate) mod transitions;
pub mod users;
