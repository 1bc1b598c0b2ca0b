//! The operations, one file each: read the request, validate it in AWS's order, run it, write the
//! response.

pub(crate) mod get_item;
pub(crate) mod put_item;
pub(crate) mod query;
