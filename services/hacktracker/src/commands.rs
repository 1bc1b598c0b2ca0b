//! What can be done: one function a route, which authorizes, decides and commits one transaction.

pub(crate) mod counts;
pub(crate) mod erasure;
pub(crate) mod everything;
pub(crate) mod fields;
pub(crate) mod links;
pub(crate) mod paging;
pub(crate) mod purge;
pub(crate) mod scope;
