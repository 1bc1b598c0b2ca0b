//! `stamps Stamps(version = ver, created = createdAt | created_at);`: a type for fields with `#[stamps]`, in
//! `table!` or, for entities that other crates list in their tables, by `stamps!` alone.

use monotable_design::stamp::Stamp;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::{Ident, Token, Visibility, parenthesized};

use super::Name;
use crate::crate_path::CratePath;
use crate::diagnostics::{Errors, did_you_mean};

/// Stamps as declared.
pub(crate) struct Stamps {
    name: Ident,
    parts: Vec<Part>,
}

/// One stamp with the name of its attribute, and names that the attribute had before.
struct Part {
    stamp: Stamp,
    attribute: Name,
    aliases: Vec<Name>,
}

const EXAMPLE: &str = "stamps Stamps(version = ver, created = createdAt, updated = updatedAt);";

/// Returns the expansion of `stamps!(pub Stamps(version = ver))`.
pub(crate) fn alone(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let read = |input: ParseStream<'_>| -> syn::Result<(Visibility, Stamps)> {
        let visibility = input.parse()?;
        Ok((visibility, Stamps::read(input, &mut errors)?))
    };
    let (visibility, stamps) = match read.parse2(input) {
        Ok(read) => read,
        Err(error) => return error.into_compile_error(),
    };
    let mut stamps = vec![stamps];
    check(&mut stamps, &mut errors);
    let codegen = CratePath::default().codegen();
    let mut tokens: TokenStream =
        stamps.iter().map(|stamps| stamps.expand(&codegen, &visibility)).collect();
    tokens.extend(errors.into_tokens());
    tokens
}

impl Stamps {
    /// Reads the tokens after the word. A part with an error is skipped, so that the type is still
    /// generated.
    pub(super) fn read(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Self> {
        if !input.peek(Ident) || !input.peek2(syn::token::Paren) {
            let message = format!("stamps are a type and its attributes: write `{EXAMPLE}`");
            return Err(input.error(message));
        }
        let name: Ident = input.parse()?;
        let inside;
        parenthesized!(inside in input);
        let mut parts: Vec<Part> = Vec::new();
        let declared = inside.parse_terminated(Declared::parse, Token![,])?;
        if declared.is_empty() {
            let message = format!("name the stamps and their attributes: `{EXAMPLE}`");
            errors.push(name.span(), message);
        }
        for part in declared {
            let Some((word, part)) = errors.take(part.named(&name)) else { continue };
            if parts.iter().any(|earlier| earlier.stamp == part.stamp) {
                let message = format!("`{word}` is given twice; remove one of them");
                errors.push(word.span(), message);
                continue;
            }
            parts.push(part);
        }
        Ok(Self { name, parts })
    }

    /// Returns the struct and what it implements. serde skips it in entities; elsewhere it is a struct like others.
    pub(super) fn expand(&self, codegen: &TokenStream, visibility: &Visibility) -> TokenStream {
        let Self { name, parts } = self;
        let doc = self.doc();
        let serde = quote!(#codegen::serde).to_string();
        let names: Vec<Ident> =
            parts.iter().map(|part| Ident::new(part.stamp.name(), name.span())).collect();
        let docs = parts.iter().map(|part| part.stamp.doc());
        let types = parts.iter().map(|part| match part.stamp {
            Stamp::Version => quote!(u64),
            Stamp::Created | Stamp::Updated => quote!(#codegen::Timestamp),
            Stamp::Expires => quote!(::core::option::Option<#codegen::EpochSeconds>),
        });
        let fields = parts.iter().map(|Part { stamp, attribute, aliases }| {
            let stamp = format_ident!("{stamp:?}");
            quote!(#codegen::Stamp::#stamp.field(#attribute, &[#(#aliases),*]))
        });
        let has = parts.iter().map(|Part { stamp, .. }| format_ident!("Has{stamp:?}"));
        quote! {
            #[doc = #doc]
            #[allow(dead_code)]
            #[derive(
                ::core::clone::Clone,
                ::core::marker::Copy,
                ::core::fmt::Debug,
                ::core::default::Default,
                ::core::cmp::PartialEq,
                ::core::cmp::Eq,
                #codegen::Serialize,
                #codegen::Deserialize,
            )]
            #[serde(crate = #serde, default)]
            #visibility struct #name {
                #(#[doc = #docs] #visibility #names: #types,)*
            }

            #[automatically_derived]
            impl #codegen::StampSet for #name {
                const FIELDS: &'static [#codegen::FieldMeta] = &[#(#fields),*];

                fn values(&self) -> #codegen::StampValues {
                    let mut values = <#codegen::StampValues as ::core::default::Default>::default();
                    #(values.#names = self.#names;)*
                    values
                }

                fn set_values(&mut self, values: #codegen::StampValues) {
                    let _ = values;
                    #(self.#names = values.#names;)*
                }
            }

            #(
                #[automatically_derived]
                impl #codegen::#has for #name {}
            )*
        }
    }

    fn doc(&self) -> String {
        let name = &self.name;
        let parts = self.parts.iter();
        let parts: Vec<String> = parts
            .map(|part| format!("`{}` in `{}`", part.stamp.name(), part.attribute.text))
            .collect();
        format!(
            "The stamps of a row: {}.\n\nA new row has `{name}::default()`: version and \
             times are set when it is written.",
            parts.join(", ")
        )
    }
}

/// One part as it is written, whatever its word.
struct Declared {
    word: Ident,
    names: Vec<Name>,
}

impl Parse for Declared {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let word: Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        let mut names = vec![input.parse()?];
        while input.peek(Token![|]) {
            input.parse::<Token![|]>()?;
            names.push(input.parse()?);
        }
        Ok(Self { word, names })
    }
}

impl Declared {
    fn named(mut self, of: &Ident) -> syn::Result<(Ident, Part)> {
        let known = Stamp::ALL.into_iter().find(|stamp| self.word == stamp.name());
        let Some(stamp) = known else {
            let word = self.word.to_string();
            let guess = did_you_mean(&word, Stamp::ALL.into_iter().map(Stamp::name));
            let message = format!(
                "`{of}` can't have `{word}`: stamps are `version`, `created`, `updated` and \
                 `expires`{guess}"
            );
            return Err(syn::Error::new(self.word.span(), message));
        };
        let attribute = self.names.remove(0);
        Ok((self.word, Part { stamp, attribute, aliases: self.names }))
    }
}

/// Finds types that are declared twice, of which one remains, and attributes that would hold two stamps.
pub(super) fn check(stamps: &mut Vec<Stamps>, errors: &mut Errors) {
    let mut known: Vec<Ident> = Vec::new();
    stamps.retain(|Stamps { name, .. }| {
        let is_new = !known.contains(name);
        if is_new {
            known.push(name.clone());
        } else {
            let message = format!("there are two stamps `{name}`; rename one of them");
            errors.push(name.span(), message);
        }
        is_new
    });
    for Stamps { name, parts } in stamps.iter() {
        let names: Vec<&Name> = parts
            .iter()
            .flat_map(|part| std::iter::once(&part.attribute).chain(&part.aliases))
            .collect();
        for (position, attribute) in names.iter().enumerate() {
            if names[..position].iter().any(|earlier| earlier.text == attribute.text) {
                let message = format!(
                    "[D01] `{}` is two attributes of `{name}`; one of the two values would replace the \
                     other; name another attribute",
                    attribute.text
                );
                errors.push(attribute.span, message);
            }
        }
    }
}
