//! The values of DynamoDB: attribute values, exact numbers, items, key schemas, names, sizes,
//! limits, and the messages for requests that break them.
//!
//! All other crates of the workspace use these types. This crate depends only on the standard
//! library and `thiserror`; it does not use JSON, storage or clocks.
//!
//! ```
//! use monotable_types::{item, item_size_bytes, list, set};
//!
//! let player = item! {
//!     "PK" => "TEAM#1",
//!     "SK" => "PLAYER#7",
//!     "goals" => 12,
//!     "positions" => set!["goal", "left"],
//!     "history" => list!["2024", 2025, true],
//! };
//! assert_eq!(player["goals"].as_n().and_then(|goals| goals.to_i64()), Some(12));
//! assert!(item_size_bytes(&player) < 100);
//! ```

pub mod limits;

mod constraints;
mod macros;
mod name;
mod number;
mod schema;
mod set;
mod size;
mod type_name;
mod value;

pub use constraints::{BrokenConstraints, Constraints};
pub use name::{IndexName, NameError, TableName};
pub use number::{Number, NumberError, NumberParts};
pub use schema::{
    AttributeDefinition, KeySchemaElement, KeyType, Projection, ScalarType, UnknownSchemaWord,
};
pub use set::{IntoSetElement, Set, SetError};
pub use size::{attribute_size_bytes, item_size_bytes, value_size_bytes};
pub use type_name::{TypeName, UnknownTypeName};
pub use value::{AttributeValue, Item};
