//! The rules that the compiler evaluates on the metadata, each at the location that it concerns.

use monotable_design::check::KeyUse;
use proc_macro2::TokenStream;
use quote::quote;

use super::respan;
use crate::entity::model::Entity;

/// Returns one constant a template, at its literal, and one for the rest, at the entity's name.
pub(super) fn expand(entity: &Entity) -> TokenStream {
    let Entity { codegen, ident, .. } = entity;
    let meta = quote!(<#ident as #codegen::Entity>::META);
    let templates = entity.templates().into_iter().map(|(key, template)| {
        let key = key_use(key);
        let check = quote!(#codegen::check::template(#meta, #codegen::KeyUse::#key).assert());
        let check = respan(check, template.span());
        quote!(const _: () = #check;)
    });
    let rest = respan(quote!(#codegen::check::entity_rules(#meta).assert()), ident.span());
    quote! {
        #(#templates)*
        const _: () = #rest;
    }
}

fn key_use(key: KeyUse) -> TokenStream {
    match key {
        KeyUse::Partition => quote!(Partition),
        KeyUse::Sort => quote!(Sort),
        KeyUse::IndexPartition { index, attribute } => {
            quote!(IndexPartition { index: #index, attribute: #attribute })
        }
        KeyUse::IndexSort { index, attribute } => {
            quote!(IndexSort { index: #index, attribute: #attribute })
        }
        KeyUse::UniquePartition { constraint } => {
            quote!(UniquePartition { constraint: #constraint })
        }
        KeyUse::UniqueSort { constraint } => quote!(UniqueSort { constraint: #constraint }),
        KeyUse::MirrorPartition { mirror } => quote!(MirrorPartition { mirror: #mirror }),
        KeyUse::MirrorSort { mirror } => quote!(MirrorSort { mirror: #mirror }),
    }
}
