//! Tables on the wire: the parts of their definition as requests have them, and their description
//! as responses have it. Which definitions are valid is mostly the engine's business; here is what
//! JSON can say and the engine's types can't.

mod definition;
mod describe;
mod index;
mod name;
mod settings;
mod stream;
mod tags;

pub(crate) use definition::{AttributeDefinitions, KeySchema};
pub(crate) use describe::{table_status_name, write_deleted_table, write_key_schema, write_table};
pub(crate) use index::{Index, Indexes, NotedIndex, bare_indexes, checked_indexes};
pub(crate) use name::NamedTable;
pub(crate) use settings::{
    SseSpecification, Throughput, Warm, billing_mode, read_on_demand, table_class,
};
pub(crate) use stream::{StreamSpecification, stream_view_type_name};
pub(crate) use tags::Tags;

use crate::error::Failure;

/// AWS's most frequent way to refuse a parameter.
pub(crate) fn invalid(why: impl std::fmt::Display) -> Failure {
    Failure::validation(format!("One or more parameter values were invalid: {why}"))
}
