//! Expression text to trees.
//!
//! One file a grammar. All of them share the cursor, which keeps the place in the text, resolves
//! placeholders and ranks problems the way AWS does. Nothing here recurses deeper than a constant:
//! conditions keep their open parentheses on the heap, and calls nest only so far.

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
