//! `#[derive(Words)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Expr, Fields};

use crate::attributes::{each, text};
use crate::naming::word;

pub(crate) fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(syn::Error::new_spanned(&input.ident, "words are an enum without values"));
    };
    let mut rule = None;
    each(&input.attrs, "serde", |meta| {
        if meta.path.is_ident("rename_all") {
            rule = Some(text(&meta)?);
        } else {
            skip(&meta)?;
        }
        Ok(())
    })?;
    let (mut words, mut variants) = (Vec::new(), Vec::new());
    let (mut aliases, mut accepted) = (Vec::new(), Vec::new());
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(syn::Error::new_spanned(variant, "a word has no values"));
        }
        let mut name = word(rule.as_deref(), &variant.ident.to_string());
        let mut others = Vec::new();
        each(&variant.attrs, "serde", |meta| {
            if meta.path.is_ident("rename") {
                name = Some(text(&meta)?);
            } else if meta.path.is_ident("alias") {
                others.push(text(&meta)?);
            } else {
                skip(&meta)?;
            }
            Ok(())
        })?;
        let Some(name) = name else {
            return Err(syn::Error::new_spanned(
                variant,
                "name the word: `#[serde(rename = \"…\")]`",
            ));
        };
        accepted.push(std::iter::once(&name).chain(&others).cloned().collect::<Vec<_>>());
        aliases.extend(others);
        words.push(name);
        variants.push(&variant.ident);
    }
    let ident = &input.ident;
    Ok(quote! {
        #[automatically_derived]
        impl ::monotable_kit::FieldType for #ident {
            fn kind() -> ::monotable_kit::Kind {
                ::monotable_kit::Kind::Word(&[#(#words),*])
            }
        }

        #[automatically_derived]
        impl ::monotable_kit::Words for #ident {
            const ALL: &'static [Self] = &[#(Self::#variants),*];
            const ACCEPTED: &'static [&'static str] = &[#(#words,)* #(#aliases),*];

            fn word(&self) -> &'static str {
                match self {
                    #(Self::#variants => #words),*
                }
            }

            fn read(word: &str) -> ::core::option::Option<Self> {
                let is_among = |known: &[&str]| known.iter().any(|known| known.eq_ignore_ascii_case(word));
                #(if is_among(&[#(#accepted),*]) {
                    return ::core::option::Option::Some(Self::#variants);
                })*
                ::core::option::Option::None
            }
        }
    })
}

/// Skips a part that only serde reads.
fn skip(meta: &syn::meta::ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.peek(syn::Token![=]) {
        meta.value()?.parse::<Expr>()?;
    }
    Ok(())
}
