//! Attribute values: `{"S": "text"}` and its nine siblings.

mod read;
mod write;

pub(crate) use read::{Attributes, Problem, read_value};
pub(crate) use write::{write_item, write_read_item};
