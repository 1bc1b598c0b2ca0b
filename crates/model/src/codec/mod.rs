//! Rust values and rows: how one becomes the other.
//!
//! Two floors. The lower one knows serde and attribute values only: [`to_item`], [`from_item`],
//! [`to_value`], [`from_value`], and [`sets`] for what serde has no word for. The upper one knows the
//! declaration of an entity and its [`Codec`](monotable_design::meta::Codec). Neither knows tables,
//! backends or requests.

mod de;
mod error;
mod number;
mod ser;
pub mod sets;
mod value;

pub use error::{CodecError, CodecProblem};
pub use value::{from_item, from_value, to_item, to_value};
