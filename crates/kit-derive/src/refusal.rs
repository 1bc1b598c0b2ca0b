//! `#[derive(Refusal)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Fields, Ident};

use crate::attributes::{doc, each, text};
use crate::naming::code;

/// The kinds of problems that a service can declare.
const KINDS: [(&str, &str); 12] = [
    ("invalid", "Invalid"),
    ("unauthenticated", "Unauthenticated"),
    ("payment", "Payment"),
    ("forbidden", "Forbidden"),
    ("not_found", "NotFound"),
    ("conflict", "Conflict"),
    ("precondition", "Precondition"),
    ("too_large", "TooLarge"),
    ("precondition_required", "PreconditionRequired"),
    ("rate_limited", "RateLimited"),
    ("internal", "Internal"),
    ("unavailable", "Unavailable"),
];

pub(crate) fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(syn::Error::new_spanned(&input.ident, "refusals are an enum"));
    };
    let mut arms = Vec::new();
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            let message =
                "a refusal has no values: add details with `.with(…)` where it is returned";
            return Err(syn::Error::new_spanned(variant, message));
        }
        let (mut kind, mut named) = (None, None);
        each(&variant.attrs, "refusal", |meta| {
            if meta.path.is_ident("code") {
                named = Some(text(&meta)?);
                return Ok(());
            }
            let word = meta.path.get_ident().map(Ident::to_string).unwrap_or_default();
            match KINDS.iter().find(|(known, _)| *known == word) {
                Some((_, variant)) => kind = Some(Ident::new(variant, input.ident.span())),
                None => {
                    let known: Vec<&str> = KINDS.iter().map(|(known, _)| *known).collect();
                    return Err(meta.error(format!("a refusal is one of: {}", known.join(", "))));
                }
            }
            Ok(())
        })?;
        let Some(kind) = kind else {
            let message = "set the kind of the refusal: `#[refusal(conflict)]`";
            return Err(syn::Error::new_spanned(variant, message));
        };
        let message = doc(&variant.attrs);
        if message.is_empty() {
            let message = "write the text that clients get as the doc comment of the variant";
            return Err(syn::Error::new_spanned(variant, message));
        }
        let ident = &variant.ident;
        let code = named.unwrap_or_else(|| code(&ident.to_string()));
        arms.push(quote! {
            Self::#ident => {
                ::monotable_kit::Problem::new(::monotable_kit::ProblemKind::#kind, #code, #message)
            }
        });
    }
    let ident = &input.ident;
    Ok(quote! {
        #[automatically_derived]
        impl ::monotable_kit::Refuse for #ident {
            fn problem(self) -> ::monotable_kit::Problem {
                match self { #(#arms)* }
            }
        }

        #[automatically_derived]
        impl ::core::convert::From<#ident> for ::monotable_kit::Problem {
            fn from(refusal: #ident) -> Self {
                ::monotable_kit::Refuse::problem(refusal)
            }
        }
    })
}
