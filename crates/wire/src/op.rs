//! The operations, one file each: read the request, validate it in AWS's order, run it, write the
//! response.

mod batch;
pub(crate) mod batch_get_item;
pub(crate) mod batch_write_item;
pub(crate) mod delete_item;
pub(crate) mod get_item;
pub(crate) mod put_item;
pub(crate) mod query;
pub(crate) mod scan;
pub(crate) mod transact_get_items;
pub(crate) mod transact_write_items;
mod transaction;
pub(crate) mod update_item;
