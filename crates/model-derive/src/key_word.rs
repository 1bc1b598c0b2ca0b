//! `#[derive(KeyWord)]`: an enum that is one word in a key, the same that serde writes.

use std::collections::BTreeSet;

use monotable_design::part::Charset;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Fields, Ident};

use crate::crate_path::CratePath;
use crate::diagnostics::Errors;
use crate::serde_attributes::{container, member};

/// The code of an enum of words, or its errors.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let words = words(input, &mut errors);
    match errors.is_empty() {
        true => expand(&input.ident, &words, &CratePath::default().codegen()),
        false => errors.into_tokens(),
    }
}

/// The variants with their words.
fn words<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Vec<(&'a Ident, String)> {
    let Data::Enum(data) = &input.data else {
        let message =
            "words are the variants of an enum; for a text of its own use `#[derive(Id)]`";
        errors.push(input.ident.span(), message);
        return Vec::new();
    };
    if data.variants.is_empty() || !input.generics.params.is_empty() {
        errors.push(input.ident.span(), "an enum of words has variants and no parameters");
    }
    let container = errors.take(container(&input.attrs)).unwrap_or_default();
    let mut known = BTreeSet::new();
    let mut words = Vec::new();
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            let message = format!("`{}` holds values, but a word is only a word", variant.ident);
            errors.push(variant.ident.span(), message);
        }
        let renamed = errors.take(member(&variant.attrs)).unwrap_or_default().rename;
        let name = variant.ident.to_string();
        let word =
            renamed.unwrap_or_else(|| container.rename_all.variant(name.trim_start_matches("r#")));
        if word.is_empty() || !word.bytes().all(|byte| Charset::Identifier.contains(byte)) {
            let message = format!(
                "\"{word}\" can't be a word in a key: write letters, digits and `. _ ~ @ + : -`"
            );
            errors.push(variant.ident.span(), message);
        }
        if !known.insert(word.clone()) {
            let message = format!("\"{word}\" is the word of two variants");
            errors.push(variant.ident.span(), message);
        }
        words.push((&variant.ident, word));
    }
    words
}

fn expand(ident: &Ident, words: &[(&Ident, String)], codegen: &TokenStream) -> TokenStream {
    let variants: Vec<&Ident> = words.iter().map(|(variant, _)| *variant).collect();
    let words: Vec<&str> = words.iter().map(|(_, word)| word.as_str()).collect();
    quote! {
        #[automatically_derived]
        impl #codegen::PartText for #ident {
            fn write(
                &self,
                pad: u8,
                text: &mut ::std::string::String,
            ) -> ::core::result::Result<(), #codegen::KeyError> {
                let _ = pad;
                text.push_str(match self {
                    #(Self::#variants => #words,)*
                });
                ::core::result::Result::Ok(())
            }
        }

        #[automatically_derived]
        impl #codegen::KeyPart for #ident {
            const KIND: #codegen::PartKind = #codegen::PartKind::WORD;

            fn parse(text: &str) -> ::core::result::Result<Self, #codegen::KeyError> {
                match text {
                    #(#words => ::core::result::Result::Ok(Self::#variants),)*
                    _ => ::core::result::Result::Err(#codegen::KeyError::Unparsable),
                }
            }
        }
    }
}
