//! The placeholder for an entity whose declaration has errors: everything that other code may use,
//! without contents. So the program gets one error, and not another one for every use of the
//! entity.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{DeriveInput, Ident};

use super::paths;
use super::update::bounds;
use crate::crate_path::CratePath;
use crate::entity::field::Field;
use crate::entity::model::Entity;
use crate::entity::setters::{Setter, setters};

/// Returns the stub, as far as the declaration could be read. With parameters there is nothing to implement.
pub(in crate::entity) fn expand(input: &DeriveInput, model: Option<&Entity>) -> TokenStream {
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let codegen =
        model.map_or_else(|| CratePath::default().codegen(), |model| model.codegen.clone());
    let key = key(input, model, &codegen);
    let traits = traits(&input.ident, &codegen);
    let rest = model.map(|model| {
        let (update, paths) = (update(model), paths::expand(model));
        quote!(#update #paths)
    });
    quote!(#key #traits #rest)
}

fn key_name(of: &Ident) -> Ident {
    format_ident!("{of}Key")
}

/// Returns a key that can be constructed, compared and sent. It requires nothing of its types,
/// which may be the mistake.
fn key(input: &DeriveInput, model: Option<&Entity>, codegen: &TokenStream) -> TokenStream {
    let (key, visibility) = (key_name(&input.ident), &input.vis);
    let fields = model.map(Entity::key_fields).unwrap_or_default();
    let (names, types): (Vec<_>, Vec<_>) =
        fields.iter().map(|(_, field)| (&field.ident, &field.declared)).unzip();
    let default = names.is_empty().then(|| quote!(#[derive(::core::default::Default)]));
    quote! {
        #[allow(dead_code)]
        #default
        #visibility struct #key {
            #(#visibility #names: #types,)*
        }

        #[allow(dead_code, clippy::too_many_arguments)]
        impl #key {
            #visibility fn new(#(#names: #types),*) -> Self {
                Self { #(#names),* }
            }
        }

        impl ::core::clone::Clone for #key {
            fn clone(&self) -> Self {
                ::core::unreachable!()
            }
        }

        impl ::core::fmt::Debug for #key {
            fn fmt(&self, _: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::unreachable!()
            }
        }

        impl ::core::cmp::PartialEq for #key {
            fn eq(&self, _: &Self) -> bool {
                ::core::unreachable!()
            }
        }

        impl ::core::cmp::Eq for #key {}

        impl ::core::cmp::PartialOrd for #key {
            fn partial_cmp(&self, _: &Self) -> ::core::option::Option<::core::cmp::Ordering> {
                ::core::unreachable!()
            }
        }

        impl ::core::cmp::Ord for #key {
            fn cmp(&self, _: &Self) -> ::core::cmp::Ordering {
                ::core::unreachable!()
            }
        }

        impl ::core::hash::Hash for #key {
            fn hash<H: ::core::hash::Hasher>(&self, _: &mut H) {
                ::core::unreachable!()
            }
        }

        impl #codegen::Serialize for #key {
            fn serialize<S: #codegen::Serializer>(
                &self,
                _: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                ::core::unreachable!()
            }
        }

        impl<'de> #codegen::Deserialize<'de> for #key {
            fn deserialize<D: #codegen::Deserializer<'de>>(
                _: D,
            ) -> ::core::result::Result<Self, D::Error> {
                ::core::unreachable!()
            }
        }
    }
}

/// Implements all traits, because restrictions on an entity with errors would only cause more
/// errors.
fn traits(of: &Ident, codegen: &TokenStream) -> TokenStream {
    let (key, name) = (key_name(of), of.to_string());
    let parts = [of, &key].map(|of| {
        quote! {
            impl #codegen::Parts for #of {
                fn write_part(
                    &self,
                    _: u16,
                    _: u8,
                    _: &mut ::std::string::String,
                ) -> ::core::result::Result<bool, #codegen::KeyError> {
                    ::core::unreachable!()
                }
            }
        }
    });
    let markers = ["Replaceable", "Upsertable", "Editable"].map(|marker| {
        let marker = format_ident!("{marker}");
        quote!(impl #codegen::#marker for #of {})
    });
    quote! {
        #(#parts)*

        impl #codegen::EntityKey for #key {
            type Entity = #of;

            fn from_parts(
                _: &#codegen::ParsedParts,
            ) -> ::core::result::Result<Self, #codegen::KeyError> {
                ::core::unreachable!()
            }
        }

        impl #codegen::Entity for #of {
            const META: &'static #codegen::EntityMeta = &#codegen::EntityMeta::unreadable(#name);

            type Key = #key;

            fn key(&self) -> Self::Key {
                ::core::unreachable!()
            }
        }

        impl #codegen::RowSet for #of {
            const ENTITIES: &'static [&'static #codegen::EntityMeta] =
                &[<Self as #codegen::Entity>::META];

            fn decode(
                _: usize,
                _: #codegen::Row,
                _: &#codegen::ParsedParts,
            ) -> #codegen::Result<Self> {
                ::core::unreachable!()
            }
        }

        #(#markers)*
    }
}

/// Returns the update with its setters, each name once.
fn update(entity: &Entity) -> TokenStream {
    let Entity { codegen, visibility, ident: of, .. } = entity;
    let (key, update) = (key_name(of), format_ident!("{of}Update"));
    let mut known = BTreeSet::from(["when".to_owned(), "or_create".to_owned()]);
    let setters = setters(entity);
    let functions =
        setters.iter().filter(|setter| known.insert(setter.name(entity))).map(|setter| {
            let (name, arguments) = signature(entity, setter);
            let bounds = bounds(entity, setter);
            quote!(#visibility fn #name(self, #arguments) -> Self #bounds { ::core::unreachable!() })
        });
    let operation = super::update::operation(entity);
    quote! {
        #[allow(dead_code)]
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #visibility struct #update;

        #[allow(dead_code)]
        impl #of {
            #visibility fn update(_: &#key) -> #update {
                ::core::unreachable!()
            }
        }

        #[allow(dead_code, unused_variables, clippy::too_many_arguments)]
        impl #update {
            #(#functions)*

            #visibility fn when(self, _: #codegen::Condition<#of>) -> Self {
                ::core::unreachable!()
            }

            #visibility fn or_create(self) -> Self {
                ::core::unreachable!()
            }
        }

        impl #codegen::IntoUpdate for #update {
            type Entity = #of;

            fn into_update(self) -> #codegen::Update<#of> {
                ::core::unreachable!()
            }
        }

        #operation
    }
}

fn signature(entity: &Entity, setter: &Setter) -> (Ident, TokenStream) {
    let fields: Vec<&Field> = match setter {
        Setter::Counter(_) => {
            return (format_ident!("{}", setter.name(entity)), quote!(by: i64));
        }
        Setter::Field(position) => vec![&entity.fields[usize::from(*position)]],
        Setter::Parts(positions) => {
            positions.iter().map(|position| &entity.fields[usize::from(*position)]).collect()
        }
    };
    let name = match fields.as_slice() {
        [alone] => alone.ident.clone(),
        _ => format_ident!("{}", setter.name(entity)),
    };
    let (idents, types): (Vec<_>, Vec<_>) =
        fields.iter().map(|field| (&field.ident, &field.declared)).unzip();
    (name, quote!(#(#idents: #types),*))
}
