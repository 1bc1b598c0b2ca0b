//! Parses expression text into trees.
//!
//! Each grammar has one file. All of them share the cursor, which keeps the position in the text,
//! resolves placeholders and ranks problems as AWS does. The depth of the recursion is bounded by a
//! constant: conditions keep their open parentheses on the heap, and the nesting of calls is limited.

mod call;
mod condition;
mod cursor;
mod key_condition;
mod leaf;
mod lexer;
mod overlap;
mod path;
mod problem;
mod projection;
mod update;

pub use condition::parse_condition;
pub use key_condition::parse_key_condition;
pub use projection::parse_projection;
pub use update::parse_update;

#[cfg(test)]
mod fixture;
