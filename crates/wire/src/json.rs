//! JSON, read and written one token at a time. Nothing here knows DynamoDB.

mod reader;
mod writer;

pub(crate) use reader::{Kind, Reader, Syntax};
pub(crate) use writer::Writer;
