//! The struct of an entity's key: `PlayerKey`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use crate::entity::model::Entity;

/// Returns the name of the struct.
pub(super) fn ident(entity: &Entity) -> Ident {
    format_ident!("{}Key", entity.ident)
}

/// Returns the struct, its constructor, and `EntityKey`.
pub(super) fn expand(entity: &Entity) -> TokenStream {
    let Entity { codegen, visibility, ident: of, .. } = entity;
    let key = ident(entity);
    let fields = entity.key_fields();
    let names: Vec<&Ident> = fields.iter().map(|(_, field)| &field.ident).collect();
    let types: Vec<_> = fields.iter().map(|(_, field)| &field.declared).collect();
    let positions = fields.iter().map(|(position, _)| position);
    let docs = fields.iter().map(|(_, field)| match field.doc.as_str() {
        "" => format!("The `{}` of the [`{of}`].", field.name),
        doc => doc.to_owned(),
    });
    // With a lifetime the compiler requires the bound only where keys are compared, so that types
    // without an order can be used in them.
    let sorted: Vec<_> =
        types.iter().map(|part| quote!(for<'part> #part: ::core::cmp::Ord,)).collect();
    let default = names.is_empty().then(|| quote!(#[derive(::core::default::Default)]));
    let doc = format!("The primary key of a [`{of}`].");
    let new_doc = format!("The key of the [`{of}`] with these values.");
    quote! {
        #[doc = #doc]
        #[derive(
            ::core::clone::Clone,
            ::core::fmt::Debug,
            ::core::cmp::PartialEq,
            ::core::cmp::Eq,
            ::core::hash::Hash,
        )]
        #default
        #visibility struct #key {
            #(#[doc = #docs] #visibility #names: #types,)*
        }

        #[allow(dead_code, clippy::too_many_arguments)]
        impl #key {
            #[doc = #new_doc]
            #visibility fn new(#(#names: #types),*) -> Self {
                Self { #(#names),* }
            }
        }

        #[automatically_derived]
        impl ::core::cmp::Ord for #key
        where
            #(#sorted)*
        {
            fn cmp(&self, other: &Self) -> ::core::cmp::Ordering {
                let _ = other;
                ::core::cmp::Ordering::Equal
                    #(.then_with(|| ::core::cmp::Ord::cmp(&self.#names, &other.#names)))*
            }
        }

        #[automatically_derived]
        impl ::core::cmp::PartialOrd for #key
        where
            #(#sorted)*
        {
            fn partial_cmp(
                &self,
                other: &Self,
            ) -> ::core::option::Option<::core::cmp::Ordering> {
                ::core::option::Option::Some(::core::cmp::Ord::cmp(self, other))
            }
        }

        #[automatically_derived]
        impl #codegen::Serialize for #key {
            fn serialize<S: #codegen::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                #codegen::serialize_key(self, serializer)
            }
        }

        #[automatically_derived]
        impl<'de> #codegen::Deserialize<'de> for #key {
            fn deserialize<D: #codegen::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                #codegen::deserialize_key(deserializer)
            }
        }

        #[automatically_derived]
        impl #codegen::EntityKey for #key {
            type Entity = #of;

            fn from_parts(
                parts: &#codegen::ParsedParts,
            ) -> ::core::result::Result<Self, #codegen::KeyError> {
                let _ = parts;
                ::core::result::Result::Ok(Self { #(#names: parts.value(#positions)?,)* })
            }
        }
    }
}
