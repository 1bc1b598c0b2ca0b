//! PartiQL: turns statements into requests to the engine.
//!
//! ```text
//! lexer, parser  text to Statement: what is written
//! bind           Statement to Bound: parameters in place, checked as far as no table is needed
//! plan, select   what a SELECT reads by the keys of its table, page by page
//! key, write     the one item that another statement changes
//! ```
//!
//! Conditions and updates become the trees of `monotable_expression`, so a statement means the same
//! as the expressions. AWS's parser has its own messages for statements that it cannot read, some
//! of which contain positions (`line:column:length`).

mod bind;
mod capacity;
mod condition;
mod key;
mod keyword;
mod lexer;
mod literal;
mod parser;
mod plan;
mod problem;
mod request;
mod select;
mod sort_range;
mod syntax;
mod token;
mod update;
mod write;

pub(crate) use bind::{Bound, BoundSelect};
pub(crate) use capacity::add_by_table;
pub(crate) use request::StatementRequest;
pub(crate) use select::{ItemRead, PageRequest, Selected, item_read, read_page};
pub(crate) use token::{PageStart, mismatched};
pub(crate) use write::{
    PendingStatement, WriteOptions, exists_outside_transaction, submit, transact_write,
    written_item,
};
