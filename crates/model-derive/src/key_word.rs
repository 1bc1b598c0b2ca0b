//! `#[derive(KeyWord)]`: an enum that is one word in a key, the same that serde writes.

use std::collections::BTreeSet;

use monotable_design::part::Charset;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Fields, Ident};

use crate::crate_path::CratePath;
use crate::diagnostics::Errors;
use crate::serde_attributes::{Hindrance, Member, container, member, refuse_other_text};

/// Returns the code of an enum of words, with its errors. An invalid enum has no words, but is
/// still a key part, so that keys with it cause no further errors.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let words = words(input, &mut errors);
    let words = errors.is_empty().then_some(words);
    let is_generic = !input.generics.params.is_empty();
    let codegen = CratePath::default().codegen();
    let mut tokens = if is_generic {
        TokenStream::new()
    } else {
        expand(&input.ident, words.as_deref(), &codegen)
    };
    tokens.extend(errors.into_tokens());
    tokens
}

/// Returns the variants with their words.
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
    if let Some((attribute, span)) = container.foreign {
        refuse_other_text(&input.ident, attribute, span, errors);
    }
    let mut known = BTreeSet::new();
    let mut words = Vec::new();
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            let message = format!("`{}` holds values, but a word is only a word", variant.ident);
            errors.push(variant.ident.span(), message);
        }
        let Member { rename: renamed, hindrances, .. } =
            errors.take(member(&variant.attrs)).unwrap_or_default();
        for Hindrance { attribute, span, .. } in hindrances {
            refuse_other_text(&input.ident, attribute, span, errors);
        }
        let name = variant.ident.to_string();
        let word =
            renamed.unwrap_or_else(|| container.rename_all.variant(name.trim_start_matches("r#")));
        if word.is_empty() || !word.bytes().all(|byte| Charset::Identifier.contains(byte)) {
            let message = format!(
                "\"{word}\" is not a valid word in a key: write letters, digits and `. _ ~ @ + : -`"
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

fn expand(ident: &Ident, words: Option<&[(&Ident, String)]>, codegen: &TokenStream) -> TokenStream {
    let (write, parse) = match words {
        Some(words) => {
            let (variants, words): (Vec<&Ident>, Vec<&str>) =
                words.iter().map(|(variant, word)| (*variant, word.as_str())).unzip();
            let write = quote! {
                text.push_str(match self {
                    #(Self::#variants => #words,)*
                });
                ::core::result::Result::Ok(())
            };
            let parse = quote! {
                match text {
                    #(#words => ::core::result::Result::Ok(Self::#variants),)*
                    _ => ::core::result::Result::Err(#codegen::KeyError::Unparsable),
                }
            };
            (write, parse)
        }
        None => {
            let nothing = quote!(let _ = text; ::core::unreachable!());
            (nothing.clone(), nothing)
        }
    };
    quote! {
        #[automatically_derived]
        impl #codegen::PartText for #ident {
            fn write(
                &self,
                pad: u8,
                text: &mut ::std::string::String,
            ) -> ::core::result::Result<(), #codegen::KeyError> {
                let _ = pad;
                #write
            }
        }

        #[automatically_derived]
        impl #codegen::KeyPart for #ident {
            const KIND: #codegen::PartKind = #codegen::PartKind::WORD;

            fn parse(text: &str) -> ::core::result::Result<Self, #codegen::KeyError> {
                #parse
            }
        }
    }
}
