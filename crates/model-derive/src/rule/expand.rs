//! The code of a rule key. All paths are absolute.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{DeriveInput, Ident};

use super::parse::{Field, Kind, RuleKey};
use crate::crate_path::CratePath;
use crate::diagnostics::respan;
use crate::patterns::location;
use crate::template::KeyTemplate;
use crate::types;

/// Everything that the derive adds.
pub(super) fn rule_key(key: &RuleKey) -> TokenStream {
    let RuleKey { codegen, ident, .. } = key;
    let meta = meta(key);
    let parts = parts(key);
    let kinds = kinds(codegen, ident, &key.kinds);
    let records = records(key);
    let checks = checks(key);
    quote! {
        #parts
        #[automatically_derived]
        impl #codegen::RuleKey for #ident {
            const META: &'static #codegen::RuleMeta = &#meta;
        }
        #kinds
        #records
        #checks
    }
}

/// Returns a placeholder for a key whose declaration has errors, so that its uses cause no further
/// errors.
pub(super) fn stub(input: &DeriveInput, key: Option<&RuleKey>) -> TokenStream {
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let ident = &input.ident;
    let codegen = match key {
        Some(key) => key.codegen.clone(),
        None => CratePath::default().codegen(),
    };
    let name = ident.unraw().to_string();
    let kinds = kinds(&codegen, ident, key.map_or(&[], |key| &key.kinds));
    let records = key.map(records);
    quote! {
        #[automatically_derived]
        impl #codegen::Parts for #ident {
            fn write_part(
                &self,
                _: u16,
                _: u8,
                _: &mut ::std::string::String,
            ) -> ::core::result::Result<bool, #codegen::KeyError> {
                ::core::result::Result::Ok(false)
            }
        }
        #[automatically_derived]
        impl #codegen::RuleKey for #ident {
            const META: &'static #codegen::RuleMeta = &#codegen::RuleMeta::unreadable(#name);
        }
        #kinds
        #records
    }
}

/// Returns the constant `RuleMeta`.
fn meta(key: &RuleKey) -> TokenStream {
    let RuleKey { codegen, ident, doc, .. } = key;
    let name = ident.unraw().to_string();
    let kinds = key.kinds.iter().map(|kind| {
        let kind = format_ident!("{}", kind.name());
        quote!(#codegen::RuleKind::#kind)
    });
    let fields = key.fields.iter().map(|Field { name, declared, doc, .. }| {
        let rust_type = types::text(declared);
        quote!(#codegen::FieldMeta::of_rule_key(#name, #rust_type, #doc))
    });
    let row = key_meta(key, key.sort.as_ref());
    let snapshot = key.snapshot.iter().map(|snapshot| {
        let snapshot = key_meta(key, Some(snapshot));
        quote!(#codegen::MirrorMeta { entity: #name, key: ::core::option::Option::Some(#snapshot) })
    });
    let attributes = key.attributes.iter().map(|(field, name)| {
        let field = Ident::new(field, Span::call_site());
        let is_optional = field == "expiry" || field == "former_value";
        let name =
            if is_optional { quote!(::core::option::Option::Some(#name)) } else { quote!(#name) };
        quote!(#field: #name,)
    });
    let type_name =
        key.type_name.iter().map(|name| quote!(type_name: ::core::option::Option::Some(#name),));
    let allows = key.allows.iter().map(|allow| allow.expand(codegen));
    let location = location(codegen, ident);
    quote!(#codegen::RuleMeta {
        kinds: &[#(#kinds),*],
        row: #codegen::EntityMeta::of_rule(
            (#name, #doc),
            &[#(#fields),*],
            #row,
            &[#(#snapshot),*],
            &[#(#allows),*],
            #location,
        ),
        attributes: #codegen::RuleAttributes {
            #(#attributes)*
            #(#type_name)*
            ..#codegen::RuleAttributes::DEFAULT
        },
    })
}

fn key_meta(key: &RuleKey, sort: Option<&KeyTemplate>) -> TokenStream {
    let codegen = &key.codegen;
    let template = |template: &KeyTemplate| template.expand(codegen, |name| key.slot(name));
    let partition = template(&key.partition);
    let sort = match sort.map(template) {
        Some(sort) => quote!(::core::option::Option::Some(#sort)),
        None => quote!(::core::option::Option::None),
    };
    quote!(#codegen::KeyMeta {
        partition: #partition,
        sort: #sort,
        shards: ::core::option::Option::None,
    })
}

/// Returns the texts of the fields.
fn parts(key: &RuleKey) -> TokenStream {
    let RuleKey { codegen, ident, .. } = key;
    let arms = (0_u16..).zip(&key.fields).map(|(position, field)| {
        let name = &field.ident;
        // If a type is not valid in a key, the error is at the type.
        let span = Span::call_site().located_at(field.declared.span());
        let value = quote_spanned!(span=> &self.#name);
        quote!(#position => #codegen::part(#value, pad, text),)
    });
    quote! {
        #[automatically_derived]
        impl #codegen::Parts for #ident {
            fn write_part(
                &self,
                position: u16,
                pad: u8,
                text: &mut ::std::string::String,
            ) -> ::core::result::Result<bool, #codegen::KeyError> {
                let _ = (pad, &text);
                match position {
                    #(#arms)*
                    _ => ::core::result::Result::Ok(false),
                }
            }
        }
    }
}

/// Returns the traits of the kinds, which have the functions that make rules.
fn kinds(codegen: &TokenStream, ident: &Ident, kinds: &[Kind]) -> TokenStream {
    let traits = kinds.iter().map(|kind| format_ident!("{}Key", kind.name()));
    quote!(#(#[automatically_derived] impl #codegen::#traits for #ident {})*)
}

/// Returns the function that reads a partition of records.
fn records(key: &RuleKey) -> TokenStream {
    let RuleKey { codegen, visibility, ident, .. } = key;
    if !key.kinds.contains(&Kind::Record) || key.sort.is_none() {
        return TokenStream::new();
    }
    let is_in_partition = |field: &Field| key.partition.names().any(|name| name == field.name);
    let arguments = key.fields.iter().filter(|field| is_in_partition(field));
    let arguments = arguments.map(|Field { ident, declared, .. }| quote!(#ident: &#declared));
    let values = key.fields.iter().map(|field| {
        let name = &field.ident;
        if is_in_partition(field) { quote!(#name) } else { quote!(&"") }
    });
    quote! {
        #[allow(dead_code, clippy::ptr_arg)]
        impl #ident {
            /// Returns the records of a partition, page by page.
            #visibility fn records<T>(
                #(#arguments),*
            ) -> #codegen::RuleOperation<Self, #codegen::Records<T>> {
                #codegen::rule_records(&[#(#values as &dyn #codegen::PartText),*])
            }
        }
    }
}

/// Returns that each template keeps the rules.
fn checks(key: &RuleKey) -> TokenStream {
    let RuleKey { codegen, ident, .. } = key;
    let checks = key.templates().map(|(what, template)| {
        let key = match what {
            "partition key" => quote!(Partition),
            "sort key" => quote!(Sort),
            _ => quote!(MirrorSort { mirror: 0 }),
        };
        let meta = quote!(&<#ident as #codegen::RuleKey>::META.row);
        let check = quote!(#codegen::check::template(#meta, #codegen::KeyUse::#key).assert());
        let check = respan(check, template.span());
        quote!(const _: () = #check;)
    });
    quote!(#(#checks)*)
}
