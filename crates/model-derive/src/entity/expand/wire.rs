//! The DynamoDB type of a field, as far as its type shows it.

use monotable_design::meta::WireType;
use monotable_design::rust_type::wire_type;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::entity::field::Field;
use crate::types;

/// Returns the constant `WireType` of a field. What a type of one's own is written as is known when it is a
/// key part; what a function of one's own writes is not.
pub(super) fn expand(field: &Field, is_part: bool, codegen: &TokenStream) -> TokenStream {
    let declared = &field.part_type;
    let shown = match &field.serializer {
        None => wire_type(&types::text(declared)),
        Some(_) => WireType::Unknown,
    };
    if shown == WireType::Unknown && is_part {
        return quote!(#codegen::wire_type(<#declared as #codegen::KeyPart>::KIND));
    }
    let shown = format_ident!("{shown:?}");
    quote!(#codegen::WireType::#shown)
}
