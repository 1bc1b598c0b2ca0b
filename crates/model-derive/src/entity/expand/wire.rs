//! The DynamoDB type of a field, as far as its type shows it.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use crate::entity::field::Field;
use crate::types;

/// The constant `WireType` of a field. What a type of one's own is written as is known when it is a
/// key part.
pub(super) fn expand(field: &Field, is_part: bool, codegen: &TokenStream) -> TokenStream {
    let declared = &field.part_type;
    match (by_name(declared), is_part) {
        (Some(wire), _) => {
            let wire = syn::Ident::new(wire, proc_macro2::Span::call_site());
            quote!(#codegen::WireType::#wire)
        }
        (None, true) => quote!(#codegen::wire_type(<#declared as #codegen::KeyPart>::KIND)),
        (None, false) => quote!(#codegen::WireType::Unknown),
    }
}

fn by_name(declared: &Type) -> Option<&'static str> {
    if matches!(declared, Type::Array(_) | Type::Tuple(_)) {
        return Some("L");
    }
    match types::last_word(declared).as_str() {
        "String" | "char" | "Date" | "Timestamp" => Some("S"),
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => Some("N"),
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => Some("N"),
        "f32" | "f64" | "EpochSeconds" | "Number" => Some("N"),
        "bool" => Some("Bool"),
        "Vec" | "VecDeque" | "BTreeSet" | "HashSet" => Some("L"),
        "BTreeMap" | "HashMap" => Some("M"),
        _ => None,
    }
}
