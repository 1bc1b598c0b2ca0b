//! Attribute values: `{"S": "text"}` and the nine other types.

mod problem;
mod read;
mod write;

pub(crate) use problem::{NESTED_TOO_DEEP, Problem};
pub(crate) use read::{Attributes, make_empty, read_value};
pub(crate) use write::{write_item, write_read_item};
