//! The operations, one file each: request, answer, and how the one becomes the other.

pub(crate) mod batch_get_item;
pub(crate) mod batch_write_item;
pub(crate) mod capacity;
pub(crate) mod client_token;
pub(crate) mod constraints;
pub(crate) mod contributor_insights;
pub(crate) mod create_table;
pub(crate) mod delete_item;
pub(crate) mod delete_table;
pub(crate) mod describe_table;
pub(crate) mod get_item;
pub(crate) mod put_item;
pub(crate) mod query;
pub(crate) mod request;
pub(crate) mod resource_policy;
pub(crate) mod scan;
pub(crate) mod single_write;
pub(crate) mod streams;
pub(crate) mod tags;
pub(crate) mod time_to_live;
pub(crate) mod transact_get_items;
pub(crate) mod transact_write_items;
pub(crate) mod update_item;
pub(crate) mod update_table;
