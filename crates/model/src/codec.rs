//! Conversions between Rust values and rows.
//!
//! There are two layers. The lower one knows only serde and attribute values: [`to_item`],
//! [`from_item`], [`to_value`], [`from_value`], and [`sets`] for types that serde does not have.
//! The upper one knows the declaration of an entity and its
//! [`Codec`](monotable_design::meta::Codec). Neither knows tables, backends or requests.

mod alias;
mod de;
mod entity;
mod error;
#[cfg(test)]
mod fixture;
mod joined;
mod location;
mod merge;
mod null;
mod number;
mod plain;
mod same;
mod ser;
pub mod sets;
mod split;
mod stamps;
mod value;
mod value_row;

pub(crate) use alias::{aliases_of, has_aliases};
pub use entity::{decode_fields, encode_fields};
pub(crate) use entity::{decode_joined, decode_plain, encode_joined, encode_plain};
pub use error::{CodecError, CodecProblem};
pub use location::attribute_of;
pub(crate) use location::{CONTENT_TYPE, META, VALUE};
pub use merge::merge;
pub use null::or_null;
pub use plain::Attributes;
pub(crate) use same::{is_same, is_written};
pub(crate) use stamps::{read_stamps, write_stamps};
pub use value::{from_item, from_value, to_item, to_value};
pub(crate) use value_row::{COMPRESSED, check_size, take_text, write_json};
pub use value_row::{
    JSON_BYTES_MAX, PLAIN_JSON_BYTES_MAX, VALUE_ROW_BYTES_MAX, pack_value, unpack_value,
};
