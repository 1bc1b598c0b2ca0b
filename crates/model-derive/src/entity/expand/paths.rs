//! The paths of an entity's attributes, for conditions: `player::number()`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::codec::Codec;
use crate::entity::field::Field;
use crate::entity::model::Entity;

/// Returns the type whose functions are the paths. It is a type and not a module, so that the types
/// of the fields resolve as in the entity's declaration, even inside a function.
pub(super) fn expand(entity: &Entity) -> TokenStream {
    let Entity { codegen, visibility, ident: of, module, .. } = entity;
    let stamps = entity.fields.iter().filter_map(|field| stamp(entity, field));
    let paths = entity.own_fields().iter().filter_map(|field| {
        let attribute = attribute(entity, field)?;
        let Field { ident, declared, name, .. } = field;
        let doc = format!("The `{name}` of a [`{of}`].");
        // A value of the field's type would be compared in another form than the stored one.
        let value = match &field.serializer {
            Some(_) => quote!(#codegen::Converted),
            None => quote!(#declared),
        };
        Some(quote! {
            #[doc = #doc]
            #visibility fn #ident() -> #codegen::Path<#of, #value> {
                #codegen::Path::new(#attribute)
            }
        })
    });
    let doc = format!("The attributes of a [`{of}`] in conditions.");
    quote! {
        #[doc = #doc]
        #[allow(non_camel_case_types, dead_code)]
        #visibility enum #module {}

        #[allow(
            dead_code,
            clippy::new_ret_no_self,
            clippy::should_implement_trait,
            clippy::wrong_self_convention,
        )]
        impl #module {
            #(#paths)*
            #(#stamps)*
        }
    }
}

/// Returns the path of a stamp, for entities that have it.
fn stamp(entity: &Entity, field: &Field) -> Option<TokenStream> {
    let Entity { codegen, visibility, ident: of, .. } = entity;
    let Field { ident, declared, name, .. } = field;
    let (bound, stamp) = (entity.stamp_bound(field)?, field.stamp?);
    let stamp = format_ident!("{stamp:?}");
    let doc = format!("The `{name}` of a [`{of}`].");
    Some(quote! {
        #[doc = #doc]
        #visibility fn #ident() -> #codegen::Path<#of, #declared>
        where
            #bound,
        {
            #codegen::stamp_path(#codegen::Stamp::#stamp)
        }
    })
}

/// Returns the attribute that holds exactly the value of a field.
fn attribute<'a>(entity: &Entity, field: &'a Field) -> Option<&'a str> {
    if field.is_unwritten || field.marks.key_only.is_some() {
        return None;
    }
    match entity.codec {
        Codec::Plain => Some(&field.attribute),
        Codec::Envelope(_) => field.is_outside_data().then_some(field.attribute.as_str()),
        Codec::ValueRow if field.marks.version.is_some() => Some("ver"),
        Codec::ValueRow if field.marks.ttl.is_some() => Some("ttl"),
        Codec::ValueRow if field.marks.value.is_some() => Some("v"),
        Codec::ValueRow => None,
    }
}
