//! DynamoDB's expression languages: parse them, build them as Rust values, evaluate and apply them,
//! print them back.
//!
//! Every language has a tree: the parsers make it from text, the builders from Rust,
//! [`legacy`] from the parameters that came before expressions, and
//! [`Printer`] turns them into text again.
//!
//! | request parameter | tree | from text |
//! |---|---|---|
//! | `ConditionExpression`, `FilterExpression` | [`Condition`] | [`parse_condition`] |
//! | `KeyConditionExpression` | [`KeyCondition`] | [`parse_key_condition`] |
//! | `ProjectionExpression` | [`Projection`] | [`parse_projection`] |
//! | `UpdateExpression` | [`Update`] | [`parse_update`] |
//!
//! Placeholders are resolved while parsing, so trees contain attribute names and values. The checks
//! and messages are AWS's: `Display` of [`ExpressionError`] and [`UpdateError`] is the message that
//! DynamoDB returns. The crate does not use tables and schemas; the engine checks what depends on them.
//!
//! ```
//! use std::collections::BTreeMap;
//! use monotable_expression::{ExpressionKind, Placeholders, parse_condition, parse_update};
//! use monotable_types::item;
//!
//! let names = BTreeMap::from([("#s".to_owned(), "status".to_owned())]);
//! let values = BTreeMap::from([
//!     (":open".to_owned(), "open".into()),
//!     (":done".to_owned(), "done".into()),
//!     (":one".to_owned(), 1.into()),
//! ]);
//! let mut placeholders = Placeholders::new(Some(&names), Some(&values));
//! let update = parse_update("SET #s = :done ADD closings :one", &mut placeholders)?;
//! let condition = parse_condition("#s = :open", ExpressionKind::Condition, &mut placeholders)?;
//! placeholders.finish()?;
//!
//! let mut item = item! { "PK" => "TASK#1", "status" => "open" };
//! assert!(condition.evaluate(&item));
//! update.apply(&mut item)?;
//! assert_eq!(item, item! { "PK" => "TASK#1", "status" => "done", "closings" => 1 });
//! assert!(!condition.evaluate(&item));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod legacy;

mod apply;
mod attributes;
mod charge;
mod compare;
mod condition;
mod error;
mod evaluate;
mod key_condition;
mod operand;
mod parser;
mod path;
mod placeholders;
mod print;
mod projection;
mod reserved;
mod update;

pub use attributes::Attributes;
pub use condition::{
    Condition, attribute_exists, attribute_not_exists, attribute_type, begins_with, contains,
};
pub use error::{ExpressionError, ExpressionKind, KeyConditionError, Reason, UpdateError};
pub use key_condition::{KeyAttribute, KeyCondition, KeyTerm, KeyTest, key};
pub use operand::{Comparator, Operand, path, size, value};
pub use parser::{parse_condition, parse_key_condition, parse_projection, parse_update};
pub use path::{Path, Step};
pub use placeholders::Placeholders;
pub use print::Printer;
pub use projection::Projection;
pub use reserved::is_reserved_word;
pub use update::{SetOperand, SetValue, Update};
