//! The parameters that expressions replaced, translated into the same trees.
//!
//! `Expected`, `QueryFilter` and `ScanFilter` with `ConditionalOperator` become a
//! [`Condition`](crate::Condition), `KeyConditions` a [`KeyCondition`](crate::KeyCondition),
//! `AttributeUpdates` an [`Update`](crate::Update), `AttributesToGet` a
//! [`Projection`](crate::Projection).
//!
//! They name top-level attributes only, so a dot in a name is part of the name. Where an old
//! operator differs from the function that it resembles, the tree expresses the difference:
//!
//! - `NULL` and `NOT_NULL` test whether the attribute exists; an attribute with the value null
//!   exists. They are `attribute_not_exists` and `attribute_exists`, not a comparison.
//! - `NE` holds where the attribute is missing or of another type, as `<>` does.
//! - `NOT_CONTAINS` needs the attribute, which `NOT contains(…)` does not. It holds for an attribute
//!   of a type without elements.
//! - `Expected` with a `Value` and no operator is equality; with `Exists` false it is
//!   `attribute_not_exists`.
//! - `ADD` in `AttributeUpdates` also takes a list, which it appends; it becomes
//!   `SET a = list_append(if_not_exists(a, []), :v)`.
//! - `DELETE` in `AttributeUpdates` without a value removes the attribute, whatever its type.
//! - A type mismatch in `AttributeUpdates` has a different message:
//!   [`UpdateError::into_legacy`](crate::UpdateError::into_legacy).

mod attribute_updates;
mod comparison;
mod error;
mod expected;
mod filter;

pub use attribute_updates::{AttributeAction, AttributeUpdate, attribute_updates};
pub use comparison::{ComparisonOperator, ConditionalOperator, UnknownOperator};
pub use error::LegacyError;
pub use expected::{ExpectedAttribute, expected};
pub use filter::{FilterCondition, attributes_to_get, filter, key_conditions};
