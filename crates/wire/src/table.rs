//! Tables in requests and responses: definitions and descriptions. The engine checks most of a
//! definition; the code here checks what JSON can express and the engine's types cannot.

mod definition;
mod describe;
mod index;
mod name;
mod settings;
mod stream;
mod tags;

pub(crate) use definition::{AttributeDefinitions, KeySchema};
pub(crate) use describe::{
    billing_mode_name, table_status_name, write_deleted_table, write_index_definition,
    write_key_schema, write_table,
};
pub(crate) use index::{Index, Indexes, NotedIndex, bare_indexes, checked_indexes};
pub(crate) use name::NamedTable;
pub(crate) use settings::{
    SseSpecification, Throughput, Warm, billing_mode, read_on_demand, table_class,
};
pub(crate) use stream::{StreamSpecification, stream_view_type_name};
pub(crate) use tags::Tags;

use crate::error::Failure;

/// Makes AWS's most frequent error for a parameter.
pub(crate) fn invalid(why: impl std::fmt::Display) -> Failure {
    Failure::validation(format!("One or more parameter values were invalid: {why}"))
}
